"""A user of one's own for a test: an empty home, real git, the real command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Variables that would let the machine or a surrounding agent speak in a test.
FOREIGN_PREFIXES = (
    "MEMDIR_", "GIT_", "CLAUDE", "CODEX", "GEMINI", "CURSOR", "COPILOT", "XDG_", "LC_", "COVERAGE_",
)  # fmt: skip
FOREIGN = frozenset(
    {
        "AI_AGENT", "AGENT", "CI", "OPENCODE", "AUGMENT_AGENT", "GITHUB_ACTIONS", "GITLAB_CI", "NO_COLOR",
        "LANG", "TERM", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONUNBUFFERED",
        # without cached bytecode a command costs several times what a user sees
        "PYTHONDONTWRITEBYTECODE",
    }
)  # fmt: skip

#: The clock of every test that does not set one of its own.
NOW = "2026-09-14T09:30:00Z"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process left behind: exit status and both outputs as UTF-8 (stray bytes as surrogates)."""

    exit: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """stdout as the one JSON document that it must be."""
        return json.loads(self.stdout)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A home directory and an environment that nothing outside a test can reach.

    :ivar root: the directory below which everything of the test lies.
    :ivar environ: the variables that every process of the test gets.
    """

    root: Path
    environ: Mapping[str, str]

    @property
    def home(self) -> Path:
        """The user's home directory."""
        return self.root / "home"

    @property
    def user_memdir(self) -> Path:
        """Where the user memdir is, or will be made."""
        return self.home / ".local/share/memdir"

    def run(
        self,
        *args: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        input: str | None = None,  # noqa: A002
        timeout: float = 60,
    ) -> Outcome:
        """Run ``memdir ARGS``. Without ``input`` stdin is ``/dev/null``; ``cwd`` defaults to the home."""
        memdir = (sys.executable, "-m", "memdir_cli")
        return self.process(*memdir, *args, cwd=cwd, env=env, input=input, timeout=timeout)

    def process(
        self,
        *args: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        input: str | None = None,  # noqa: A002
        timeout: float = 60,
    ) -> Outcome:
        """Run any program in the sandbox."""
        done = subprocess.run(
            args,
            cwd=cwd or self.home,
            env={**self.environ, **(env or {})},
            input=None if input is None else input.encode("utf-8", "surrogateescape"),
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        return Outcome(done.returncode, _text(done.stdout), _text(done.stderr))

    def git(self, *args: str, cwd: Path) -> str:
        """Run git, which must succeed, and give its output."""
        done = self.process("git", *args, cwd=cwd)
        assert done.exit == 0, f"git {' '.join(args)}: {done.stderr}"
        return done.stdout

    def repository(self, name: str = "legacy-dashboard", *, remote: str | None = "", init: bool = False) -> Path:
        """A git repository with one commit.

        :param remote: URL of ``origin``; ``""`` for one at github.com/acme, ``None`` for none.
        :param init: whether ``memdir init`` is run in it.
        """
        top = self.root / name
        top.mkdir(parents=True)
        self.git("init", "-q", cwd=top)
        if remote is not None:
            url = remote or f"https://github.com/acme/{top.name}.git"
            self.git("remote", "add", "origin", url, cwd=top)
        (top / "README.md").write_text(f"# {top.name}\n", encoding="utf-8")
        self.git("add", "README.md", cwd=top)
        self.git("commit", "-qm", "Start", cwd=top)
        if init:
            done = self.run("init", cwd=top)
            assert done.exit == 0, done.stderr
        return top


def isolated(root: Path) -> Sandbox:
    """A sandbox below ``root``: home made, git's identity set, the machine's own variables left out."""
    home = root / "home"
    home.mkdir(parents=True)
    identity = "[user]\n\tname = User\n\temail = user@example.invalid\n[init]\n\tdefaultBranch = main\n"
    (home / ".gitconfig").write_text(identity, encoding="utf-8")
    kept = {k: v for k, v in os.environ.items() if k not in FOREIGN and not k.startswith(FOREIGN_PREFIXES)}
    own = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(root),
        "LC_ALL": "C.UTF-8",
        "MEMDIR_USER": "42",
        "MEMDIR_NOW": NOW,
    }
    coverage = {k: v for k, v in os.environ.items() if k == "COVERAGE_PROCESS_START"}
    return Sandbox(root, {**kept, **coverage, **own})


def _text(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape")
