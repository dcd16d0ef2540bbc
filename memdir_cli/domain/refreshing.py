"""Refreshing: what clock and evidence have done to memories since they were last looked at.

Only statuses move, never a value. A file moves where its status says: what has expired goes to history, what has
lost its source waits in the inbox for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memdir_cli.domain import times
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event, Happening
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.status import CAUTION, CURRENT, Status
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace

_HAPPENED: dict[Status | None, Happening] = {
    "stale": "stale",
    "expired": "expired",
    "candidate": "withdrawn",
    None: "dropped",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One status that moves.

    :ivar after: the new status; ``None`` where the file is dropped because nobody wanted it in time.
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

    :ivar removed: other files of the memdirs that were kept for as long as the settings say; absolute paths.
    :ivar troubles: memories that could not be moved, and why: sentences.
    :ivar unreadable: evidence that is there and cannot be read, so that it moves nothing: sentences.
    :ivar looked_at: paths of the evidence that was looked at, from the workspace's root.
    :ivar written: absolute paths of the memory files that were written, with the SHA-256 of their content,
        ``""`` where one went away.
    :ivar dry_run: nothing was written.
    """

    changed: tuple[Change, ...] = ()
    dry_run: bool = False
    removed: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    looked_at: frozenset[str] = frozenset()
    written: tuple[tuple[str, str], ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "changed": [change.document() for change in self.changed],
            "removed": list(self.removed),
            "warnings": [{"code": code, "message": sentence} for code, sentence in self.warnings],
            "dryRun": self.dry_run,
        }

    @property
    def warnings(self) -> tuple[tuple[str, str], ...]:
        """What could not be done or seen, each a code and a sentence."""
        unmoved = (("not-moved", sentence) for sentence in self.troubles)
        return (*unmoved, *(("evidence-unreadable", sentence) for sentence in self.unreadable))


def moved(judged: Iterable[Judged]) -> tuple[Change, ...]:
    """The current records whose status is worse now than their file says."""
    return tuple(
        Change(one.record, one.effective.status, one.effective.reason)
        for one in judged
        if one.record.current and CAUTION.index(one.effective.status) < CAUTION.index(one.memory.status)
    )


def withdrawn(records: Iterable[Record], lost: Mapping[str, str]) -> tuple[Change, ...]:
    """The current records whose original words went away.

    :param lost: ids of memories, with the reason.
    """
    return tuple(
        Change(record, "candidate", lost[record.memory.id])
        for record in records
        if record.current and record.memory.status != "conflicted" and record.memory.id in lost
    )


def overdue(candidates: Iterable[Record], kept_for: str, now: str) -> tuple[Change, ...]:
    """The candidates that have waited longer than ``kept_for``, a span such as ``30d``.

    What a person once vouched for, and has lost its source, waits for as long as it must.
    """
    return tuple(
        Change(record, None, f"retention: nobody confirmed it within {kept_for}")
        for record in candidates
        if record.memory.status == "candidate"
        and not record.memory.verified_at
        and times.over(record.memory.created_at, kept_for, now)
    )


def outlived(past: Iterable[Record], kept_for: str, ended: Mapping[str, str], now: str) -> tuple[Change, ...]:
    """The revisions in history that ended longer ago than ``kept_for``.

    :param ended: when each ended, by ``id@revision``; what is not in it counts from the last of its own dates.
    """
    return tuple(
        Change(record, None, f"retention: history is kept for {kept_for}")
        for record in past
        if record.memory.status in {"superseded", "expired"}
        and times.over(ended.get(record.memory.ref) or _last(record), kept_for, now)
    )


def worst(changes: Iterable[Change]) -> tuple[Change, ...]:
    """One change a file: the one to the most cautious status, of several the first."""
    found: dict[str, Change] = {}
    for change in changes:
        other = found.get(change.record.path)
        if other is None or _caution(change) < _caution(other):
            found[change.record.path] = change
    return tuple(found.values())


def carry_out(
    changes: Iterable[Change],
    layer: Layer,
    attributed: Callable[[Record], bool],
    files: ChangeSet = ChangeSet(),  # noqa: B008 (frozen)
) -> ChangeSet:
    """The writes that make ``changes`` true in one memdir.

    :param attributed: whether receipts support a record. The clock vouches for nobody: of what no receipt
        supports it leaves none.
    :param files: what else is to change.
    """
    writes: list[Write] = []
    removes: list[Record] = []
    events: list[Event] = []
    for change in changes:
        if change.record.layer != layer:
            continue
        memory = change.record.memory
        if change.after is not None:
            memory = replace(memory, status=change.after, status_reason=change.reason)
            writes.append(Write(memory, change.record))
        if change.after not in CURRENT:
            removes.append(change.record)
        if attributed(change.record):
            events.append(Event(_HAPPENED[change.after], memory, actor="clock"))
    return ChangeSet(tuple(writes), tuple(removes), tuple(events), files.files, files.discards)


def _last(record: Record) -> str:
    memory = record.memory
    dates = (memory.created_at, memory.updated_at, memory.verified_at, memory.expires_at)
    return max(dates, key=times.order)


def _caution(change: Change) -> int:
    return -1 if change.after is None else CAUTION.index(change.after)
