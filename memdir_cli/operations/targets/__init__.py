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

    def plan(self, workplace: Workplace, *, remove: bool) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
        """The edits that are missing, and remarks for people.

        :param remove: take out exactly what was put in.
        """

    def carry_out(self, workplace: Workplace, edit: Edit, *, remove: bool) -> None:
        """Make one edit true.

        :raises ChangedError: if the file is not what the plan saw.
        """


#: By the word on the command line: the module, and what it does. A new target is one line here and one module.
TARGETS: Mapping[str, tuple[str, str]] = {
    "git": ("git", "let git merge memories by what they say"),
    "health-workflow": ("health_workflow", "have GitHub report on the memdir each month"),
}
