"""What ``install`` changes: files of other programs, told as a diff before anything is written."""

from __future__ import annotations

from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """One file as it is to become.

    :ivar path: absolute.
    :ivar before: its bytes, ``None`` if there is no such file.
    :ivar after: its bytes then, ``None`` if it goes away.
    :ivar top: absolute path of the folder below which no link is followed, and above which no folder goes with its
        last file; ``""`` for the folder of the file.
    """

    path: str
    before: bytes | None
    after: bytes | None
    top: str = ""

    @property
    def deed(self) -> str:
        """What was done, in a word."""
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"


@dataclass(frozen=True, slots=True)
class InstallAnswer:
    """What ``install`` did; with ``dry_run`` what it would have done.

    :ivar diff: the edits as a unified diff, ``""`` where there are none.
    :ivar remarks: what else a person should know, sentences.
    """

    target: str
    edits: tuple[Edit, ...] = ()
    removed: bool = False
    dry_run: bool = False
    diff: str = ""
    remarks: tuple[str, ...] = ()

    exit_status = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """A line a file, for people."""
        return tuple(printable(f"{edit.deed} {edit.path}") for edit in self.edits)

    def document(self) -> dict[str, object]:
        """The answer as ``--json`` gives it, without ``schema``."""
        done = [{"path": printable(edit.path), "action": edit.deed} for edit in self.edits]
        return {
            "target": self.target,
            "done": done,
            "removed": self.removed,
            "dryRun": self.dry_run,
            "diff": self.diff,
            "warnings": [{"code": "install", "message": remark} for remark in self.remarks],
        }
