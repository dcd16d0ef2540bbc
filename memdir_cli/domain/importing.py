"""The answer of ``import``: what became a candidate, and what did not and why."""

from __future__ import annotations

from memdir_cli.domain.event import Decided
from memdir_cli.domain.foreign import Form, Unread
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Imported:
    """An entry that was taken in.

    :ivar decision: what became of it: a new candidate, one more source of what is known, or a rival of it.
    :ivar memory: the candidate, or the memory that says the same already.
    :ivar file: its file, from the memdir's root.
    :ivar origin: the file that it came from, as the memory keeps it.
    """

    decision: Decided
    memory: Memory
    layer: Layer
    file: str
    origin: str
    line: int
    remarks: tuple[str, ...] = ()

    def document(self, *, dry_run: bool) -> Document:
        """The mapping of ``--json``; what is only shown has no id yet."""
        memory = self.memory
        return {
            "id": None if dry_run and self.decision in {"created", "needs_decision"} else memory.id,
            "key": memory.predicate,
            "value": memory.value,
            "description": memory.description,
            "type": memory.type,
            "scope": memory.scope.text,
            "path": memory.scope.path,
            "status": memory.status,
            "decision": self.decision,
            "memdir": self.layer,
            "file": None if dry_run else self.file,
            "from": self.origin,
            "line": self.line,
            "warnings": list(self.remarks),
        }


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that may not be taken in; nothing of its text is told."""

    origin: str
    line: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """All that was found, and what became of it.

    :ivar known: how many entries had been imported before, whatever became of them.
    :ivar unread: what could not be read.
    :ivar left: what is no memory of that tool.
    """

    form: Form
    imported: tuple[Imported, ...] = ()
    known: int = 0
    refused: tuple[Refused, ...] = ()
    unread: tuple[Unread, ...] = ()
    left: tuple[Unread, ...] = ()
    dry_run: bool = False

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "format": self.form,
            "imported": [one.document(dry_run=self.dry_run) for one in self.imported],
            "known": self.known,
            "refused": [
                {"from": one.origin, "line": one.line, "reason": one.reason, "message": one.message}
                for one in self.refused
            ],
            "unreadable": [_place(one) for one in self.unread],
            "left": [_place(one) for one in self.left],
            "dryRun": self.dry_run,
        }


def _place(one: Unread) -> Document:
    return {"path": one.path, "line": one.line, "column": one.column, "reason": one.reason, "message": one.message}
