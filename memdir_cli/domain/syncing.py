"""What ``sync`` did: what was committed here, what came, what went, and what a person has to settle now."""

from __future__ import annotations

from memdir_cli.domain.conflict import way_out
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class SyncAnswer:
    """The memdir and its remote say the same now.

    :ivar committed: how many files of the memdir had changed here and were committed.
    :ivar received: how many files changed by what others had pushed.
    :ivar sent: something was pushed.
    :ivar conflicts: the memories that are in conflict since then.
    """

    layer: Layer
    remote: str
    branch: str
    committed: int = 0
    received: int = 0
    sent: bool = False
    conflicts: tuple[Memory, ...] = ()

    exit_status = 0

    @property
    def line(self) -> str:
        """What happened, for people."""
        sent = "sent" if self.sent else "nothing to send"
        changed = f"committed {_files(self.committed)}, received {_files(self.received)}, {sent}"
        return f"synced the {self.layer} memdir with {self.remote}/{self.branch}: {changed}"

    @property
    def warnings(self) -> tuple[tuple[str, str], ...]:
        """Code and sentence of what a person should know."""
        return tuple(
            ("conflicted", f"`{memory.predicate}` says different things on two machines; {way_out(memory)}")
            for memory in self.conflicts
        )

    def document(self) -> dict[str, object]:
        """The answer as ``--json`` gives it, without ``schema``."""
        return {
            "memdir": self.layer,
            "remote": self.remote,
            "branch": self.branch,
            "committed": self.committed,
            "received": self.received,
            "sent": self.sent,
            "conflicts": [{"id": memory.id, "key": memory.predicate} for memory in self.conflicts],
            "warnings": [{"code": code, "message": sentence} for code, sentence in self.warnings],
        }


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
