"""Repairs: what ``repair`` did, or would do."""

from __future__ import annotations

from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """One thing mended.

    :ivar path: POSIX path as in a finding.
    :ivar deed: what was done, in the words of a person: ``moved to …``.
    :ivar code: of the finding that it answers.
    """

    path: str
    deed: str
    code: str

    @property
    def text(self) -> str:
        """The line for people."""
        return f"{printable(self.path)}: {printable(self.deed)}"


@dataclass(frozen=True, slots=True)
class RepairAnswer:
    """What ``repair`` did; with ``dry_run`` what it would have done.

    :ivar diff: for a dry run, what would change in files of text, as a unified diff; ``""`` for nothing.
    """

    actions: tuple[Action, ...] = ()
    dry_run: bool = False
    diff: str = ""

    exit_status = 0

    def document(self) -> dict[str, object]:
        """The answer as ``--json`` gives it, without ``schema``."""
        done = [
            {"path": one.path.encode("utf-8", "backslashreplace").decode(), "action": one.deed, "code": one.code}
            for one in self.actions
        ]
        return {"done": done, "dryRun": self.dry_run, **({"diff": self.diff} if self.dry_run else {})}
