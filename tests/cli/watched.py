"""``memdir watch`` as a process of its own over a project, with what it prints as it prints it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox import Outcome, Sandbox

SAID = ("--from", "user", "--said", "remember this about the project", "--session", "s1", "--message", "m1")
SCRIPTS = {"build": "tsc", "test": "vitest", "lint": "eslint .", "dev": "vite"}

#: How long anything that should happen may take here; the machine may be busy.
PATIENCE = 20.0


@dataclass(slots=True)
class Project:
    """A repository with a package.json and a memdir, whose user accepts claims."""

    sandbox: Sandbox
    top: Path

    def run(self, *args: str, cwd: Path | None = None) -> Outcome:
        """``memdir ARGS``, which must succeed."""
        done = self.sandbox.run(*args, cwd=cwd or self.top)
        assert done.exit == 0, done.stderr
        return done

    def remember(self, key: str, value: str, *more: str, cwd: Path | None = None) -> None:
        """A rule of the repository in the user's word."""
        self.run("remember", key, value, "--scope", "repository", *SAID, *more, cwd=cwd)

    def status(self, key: str) -> str:
        """The status that the file of a key says."""
        text = (self.top / f".memdir/memories/{key}.md").read_text(encoding="utf-8")
        return next(line.split()[1] for line in text.splitlines() if line.startswith("status:"))

    def write(self, path: str = "package.json", **scripts: str) -> None:
        """Write a package.json in place, as a plain program does."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(package(**scripts), encoding="utf-8")

    @contextmanager
    def watched(self, *args: str, command: Sequence[str] = (), ready: str = "watching ") -> Iterator[Watch]:
        """``memdir watch`` while the block runs, begun when it says ``ready``; killed at the end at the latest."""
        out, err = self.sandbox.root / "watch.out", self.sandbox.root / "watch.err"
        memdir = (*command, *(() if command else (sys.executable, "-m", "memdir_cli")), "watch", *args)
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                memdir,
                cwd=self.top,
                env={**self.sandbox.environ, "MEMDIR_DEBUG": "1"},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
            )
        watch = Watch(process, out, err)
        try:
            until(lambda: ready in watch.stderr or process.poll() is not None)
            yield watch
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


@dataclass(slots=True)
class Watch:
    """A running ``memdir watch`` and the files that its streams lead to."""

    process: subprocess.Popen[bytes]
    out: Path
    err: Path

    @property
    def stderr(self) -> str:
        """Everything on stderr so far."""
        return self.err.read_text(encoding="utf-8")

    @property
    def lines(self) -> list[str]:
        """The lines on stdout so far."""
        return self.out.read_text(encoding="utf-8").splitlines()

    @property
    def documents(self) -> list[dict[str, object]]:
        """The lines on stdout as the JSON documents that they must be."""
        return [json.loads(line) for line in self.lines]

    @property
    def refreshes(self) -> int:
        """How often memories were refreshed, by its own account."""
        return self.stderr.count("debug: refreshed")

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def inodes(self) -> set[int]:
        """The inodes that the kernel watches for it."""
        found = set()
        for info in Path(f"/proc/{self.process.pid}/fdinfo").iterdir():
            for line in info.read_text(encoding="utf-8").splitlines():
                if line.startswith("inotify "):
                    found.add(int(line.partition("ino:")[2].split()[0], 16))
        return found

    def stop(self, number: int = signal.SIGINT) -> int:
        """End it by a signal and give its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def package(**scripts: str) -> str:
    """A package.json with the usual scripts, some of them changed."""
    return json.dumps({"version": "1.4.0", "scripts": {**SCRIPTS, **scripts}}, indent=2) + "\n"


def project(sandbox: Sandbox) -> Project:
    """A project that remembers one command."""
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    found = Project(sandbox, sandbox.repository(init=True))
    found.write()
    found.remember("build_command", "npm run build")
    return found


def until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait for something to become true; it must."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
