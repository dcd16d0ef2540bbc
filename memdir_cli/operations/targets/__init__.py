"""What ``install`` fits memdir into, one module each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from memdir_cli.domain.installing import Edit
from memdir_cli.operations.workplace import Workplace


class Target(Protocol):
    """A module of this package.

    Its functions look at files and programs of others; only ``carry_out`` changes them.
    """

    def plan(self, workplace: Workplace, target: str, *, remove: bool) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
        """The edits that are missing, and remarks for people.

        :param target: the word by which the module was found.
        :param remove: take out exactly what was put in.
        """

    def carry_out(self, workplace: Workplace, target: str, edit: Edit, *, remove: bool) -> None:
        """Make one edit true.

        :raises ChangedError: if the file is not what the plan saw.
        """


#: By the word on the command line: the module, and what it does. A new target is one line here and one module.
TARGETS: Mapping[str, tuple[str, str]] = {
    "claude": ("agents", "hooks and a skill for Claude Code"),
    "codex": ("agents", "hooks for Codex, and how to use memdir in AGENTS.md"),
    "gemini": ("agents", "hooks for Gemini CLI, and how to use memdir in GEMINI.md"),
    "cursor": ("agents", "hooks and a rule for Cursor"),
    "copilot": ("agents", "hooks and instructions for Copilot"),
    "agents-md": ("agents", "how to use memdir in AGENTS.md, for agents without hooks"),
    "pre-commit": ("pre_commit", "judge the memdir at every commit"),
    "git": ("git", "let git merge memories by what they say"),
    "health-workflow": ("health_workflow", "have GitHub report on the memdir each month"),
}
