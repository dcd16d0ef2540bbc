"""A repository whose commits `memdir check` may stop: by pre-commit, by prek, or by a script in `.git/hooks`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from memdir_cli.domain.memory import Evidence
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.registry import take
from tests.checks import ground
from tests.sandbox import Outcome, Sandbox

MEMDIR = f"{sys.executable} -m memdir_cli"
LINTER = ".memdir/memories/linter.md"
PACKAGE = '{"scripts": {"build": "vite build"}}\n'

CONFIG = """\
repos:
  - repo: local
    hooks:
      - id: memdir-check
        name: memdir check
        entry: ENTRY
        language: system
        always_run: true
        pass_filenames: false
        require_serial: true
        stages: [pre-commit, pre-merge-commit]
"""


@dataclass(frozen=True)
class Project:
    """A repository with a memdir in it, and a way to commit.

    :ivar by: ``pre-commit``, ``prek``, ``script`` or ``""`` for no hook.
    """

    sandbox: Sandbox
    top: Path
    by: str = ""

    def git(self, *args: str, cwd: Path | None = None) -> str:
        """Run git, which must succeed."""
        return self.sandbox.git(*args, cwd=cwd or self.top)

    def commit(self, *args: str, cwd: Path | None = None) -> Outcome:
        """Run ``git commit -m x ARGS``, which a hook may stop."""
        return self.sandbox.process("git", "commit", "-m", "x", *args, cwd=cwd or self.top)

    def check(self, *args: str, cwd: Path | None = None) -> Outcome:
        """Run ``memdir check ARGS``."""
        return self.sandbox.run("check", *args, cwd=cwd or self.top)

    def break_linter(self) -> None:
        """Make a memory file that cannot be read."""
        self.write(LINTER, self.read(LINTER).replace("value: ruff", "value: a: b"))

    def mend_linter(self) -> None:
        """Take :meth:`break_linter` back."""
        self.write(LINTER, self.read(LINTER).replace("value: a: b", "value: ruff"))

    def read(self, path: str) -> str:
        return (self.top / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        (self.top / path).write_text(text, encoding="utf-8")


def project(sandbox: Sandbox, by: str = "", *arguments: str) -> Project:
    """A repository with a committed memdir of four memories, one of which depends on a script.

    :param arguments: what the hook gives to ``memdir check``, besides what its kind needs.
    """
    top = sandbox.root / "app"
    top.mkdir()
    (top / "package.json").write_text(PACKAGE)
    evidence: Evidence = take("package.json#scripts.build", Ground(str(top)))[0]
    ground.project(
        sandbox.root,
        ground.memory(),
        ground.memory("linter", "ruff"),
        ground.memory("test_runner", "vitest"),
        ground.memory("build", "vite", depends_on=(evidence,)),
    )
    made = Project(sandbox, top, by)
    made.git("init", "-q")
    made.git("remote", "add", "origin", f"https://{ground.REPOSITORY}.git")
    made.git("add", ".")
    made.git("commit", "-qm", "Start")
    if by:
        install(made, *arguments)
    return made


def install(made: Project, *arguments: str) -> None:
    """Let the hook run before commits and merges."""
    entry = " ".join((MEMDIR, "check", *arguments))
    if made.by == "script":
        for name in ("pre-commit", "pre-merge-commit"):
            hook = made.top / ".git/hooks" / name
            hook.write_text(f"#!/bin/sh\nexec {entry} --staged\n")
            hook.chmod(0o755)
        return
    (made.top / ".pre-commit-config.yaml").write_text(CONFIG.replace("ENTRY", entry))
    made.git("add", ".pre-commit-config.yaml")
    made.git("commit", "-qm", "Check the memdir")
    program = str(Path(sys.executable).with_name(made.by))
    done = made.sandbox.process(program, "install", "-t", "pre-commit", "-t", "pre-merge-commit", cwd=made.top)
    assert done.exit == 0, done.stderr
