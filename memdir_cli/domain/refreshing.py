"""Refreshing: what clock and evidence have done to memories since they were last looked at.

Only statuses move, never a value. A file moves where its status says: what has expired goes to history.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memdir_cli.domain import times
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.status import CAUTION, Status
from memdir_cli.domain.view import Document


@dataclass(frozen=True, slots=True)
class Change:
    """One status that moves.

    :ivar after: the new status; ``None`` where a candidate that nobody confirmed in time is dropped.
    :ivar reason: a code, a colon and a sentence.
    """

    record: Record
    after: Status | None
    reason: str

    def document(self) -> Document:
        """The mapping of ``--json``."""
        memory = self.record.memory
        return {
            "id": memory.id,
            "revision": memory.revision,
            "key": memory.predicate,
            "scope": memory.scope.text,
            "from": memory.status,
            "to": self.after or "dropped",
            "reason": self.reason,
            "memdir": self.record.layer,
        }


@dataclass(frozen=True, slots=True)
class RefreshAnswer:
    """What moved, or would move.

    :ivar dry_run: nothing was written.
    """

    changed: tuple[Change, ...] = ()
    dry_run: bool = False

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {"changed": [change.document() for change in self.changed], "dryRun": self.dry_run}


def moved(judged: Iterable[Judged]) -> tuple[Change, ...]:
    """The current records whose status is worse now than their file says."""
    return tuple(
        Change(one.record, one.effective.status, one.effective.reason)
        for one in judged
        if one.record.current and CAUTION.index(one.effective.status) < CAUTION.index(one.memory.status)
    )


def overdue(candidates: Iterable[Record], kept_for: str, now: str) -> tuple[Change, ...]:
    """The candidates that have waited longer than ``kept_for``, a span such as ``30d``."""
    return tuple(
        Change(record, None, f"retention: nobody confirmed it within {kept_for}")
        for record in candidates
        if record.memory.status == "candidate" and _over(record.memory.created_at, kept_for, now)
    )


def carry_out(changes: Iterable[Change], layer: Layer) -> ChangeSet:
    """The writes that make ``changes`` true in one memdir."""
    writes: list[Write] = []
    removes: list[Record] = []
    events: list[Event] = []
    for change in changes:
        if change.record.layer != layer:
            continue
        memory = change.record.memory
        if change.after is None:
            removes.append(change.record)
            events.append(Event("dropped", memory, actor="clock"))
            continue
        after = replace(memory, status=change.after, status_reason=change.reason)
        writes.append(Write(after, change.record))
        if change.after == "expired":
            removes.append(change.record)
        events.append(Event("expired" if change.after == "expired" else "stale", after, actor="clock"))
    return ChangeSet(tuple(writes), tuple(removes), tuple(events))


def _over(since: str, kept_for: str, now: str) -> bool:
    try:
        return times.passed(times.parse_when(kept_for, since), now)
    except ValueError:
        return False
