"""Exhuming: what was forgotten and is there again, as rules judge it, and how it is taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdir_cli.checks.examined import Examined, Returned, Tombstones
from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.event import Event
from memdir_cli.domain.forgetting import Aim
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record, Unreadable
from memdir_cli.domain.tombstone import Lift, Tombstone, parse_all
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass
from memdir_cli.storage import receipts, residue, tombstones
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Graves:
    """The memories of a memdir, with what was forgotten kept apart.

    :ivar facts: what rules judge.
    :ivar copies: files of what is in quarantine that lie elsewhere.
    """

    records: tuple[Record, ...]
    returned: tuple[Record, ...]
    facts: Tombstones
    copies: tuple[Record, ...] = ()


def graves(store: Store, found: Iterable[Record | Unreadable]) -> Graves:
    """What of ``found`` was forgotten, and how far the tombstones can be relied upon.

    :raises FaultError: if the tombstones cannot be read.
    """
    found = tuple(found)
    sorted_out = store.sorted_out(found)
    lines = tuple(parse_all(store.written_tombstones()))
    stones = [entry for _, entry in lines if isinstance(entry, Tombstone)]
    lifts = set(store.lifted(entry for _, entry in lines if isinstance(entry, Lift)))
    told = _told(store) if lines or sorted_out.returned else frozenset()
    copies = _copies(store)
    certain = told | {stone.id for stone in copies}
    facts = Tombstones(
        torn=tuple(number for number, entry in lines if entry is None),
        returned=(
            *(_returned(store, record, certain) for record in sorted_out.returned),
            *_unreadable(store, sorted_out.unreadable),
        ),
        lost=tuple(sorted(_lost(stones, copies))),
        unsupported=tuple(
            number
            for number, entry in lines
            if (isinstance(entry, Tombstone) and entry.id not in certain)
            or (isinstance(entry, Lift) and entry not in lifts)
        ),
    )
    return Graves(sorted_out.records, sorted_out.returned, facts, sorted_out.copies)


def taken_out(store: Store, examined: Examined) -> ChangeSet:
    """What takes everything out again that certainly was forgotten."""
    certain = {one.path for one in examined.tombstones.returned if one.certain}
    records = tuple(record for record in examined.snapshot.returned if record.path in certain)
    if not records:
        return ChangeSet()
    # dear to import, and for most memdirs not needed
    from memdir_cli.operations import forgetting

    one = forgetting.part(store, Aim(frozenset(record.memory.id for record in records)))
    # the files that go are those that were judged; others of the id are judged by themselves
    paths = {record.path for record in records}
    discards = tuple(remove for remove in one.discards if remove.path not in paths)
    latest = {record.memory.id: record.memory for record in sorted(records, key=lambda one: one.memory.revision)}
    events = tuple(Event("forgotten", memory, vouched=False) for _, memory in sorted(latest.items()))
    return ChangeSet(removes=records, events=events, discards=discards)


def restored(store: Store, examined: Examined) -> ChangeSet:
    """The tombstones that a memdir has lost, from the copies of the user memdir."""
    return regained(store, frozenset(examined.tombstones.lost))


def regained(store: Store, lost: frozenset[str] | None = None) -> ChangeSet:
    """The tombstones of ``lost`` ids, of all that are gone where it is left out. Only under the lock."""
    from memdir_cli.operations import forgetting

    written = tombstones.entries(store.written_tombstones())[0]
    lost = _lost(written, _copies(store)) if lost is None else lost
    found = (stone for stone in _copies(store) if stone.id in lost)
    stones = [stone if store.layer == "user" else forgetting.bare(stone) for stone in found]
    put = tombstones.added(store.root, stones)
    if put is None:
        return ChangeSet()
    events = tuple(Event("forgotten", _nameless(memory_id), vouched=False) for memory_id in sorted(lost))
    return ChangeSet(files=(put,), events=events)


def _lost(written: Iterable[Tombstone], copies: Iterable[Tombstone]) -> frozenset[str]:
    return frozenset(stone.id for stone in copies) - {stone.id for stone in written}


def _told(store: Store) -> frozenset[str]:
    """The ids of which a receipt says that they were forgotten."""
    happened = (event for receipt in store.receipts() for event in receipts.happened(receipt))
    return frozenset(memory_id for kind, memory_id in happened if kind == "forgotten")


def _copies(store: Store) -> tuple[Tombstone, ...]:
    """What the user memdir knows to be forgotten in this one; of itself, what this machine keeps."""
    if store.layer == "user":
        return tombstones.entries(store.kept_tombstones())[0]
    guard = store.guard
    if guard is None or not guard.config.key or not store.config.key:
        return ()
    mark = tombstones.of_memdir(guard.config.key, store.config.key)
    stones, _ = tombstones.entries(guard.tombstones())
    return tuple(stone for stone in stones if stone.memdir == mark)


def _returned(store: Store, record: Record, certain: frozenset[str]) -> Returned:
    stone = store.tombstone(record.memory)
    assert stone is not None
    # a text alone says too little to remove a file for it
    known = store.forgotten()
    named = known.named(record.memory) is not None or stone.identity == tombstones.of_identity(
        store.config.key, record.memory, store.layer
    )
    return Returned(record.path, stone.at, named and stone.id in certain)


def _unreadable(store: Store, broken: Iterable[Unreadable]) -> Iterator[Returned]:
    """Files that cannot be read and name a forgotten id."""
    known = store.forgotten()
    for one in broken if known else ():
        stone = known.ids.get(_id_of(store, one.path))
        if stone is not None:
            yield Returned(one.path, stone.at, certain=False, readable=False)


def _id_of(store: Store, path: str) -> str:
    try:
        return residue.id_in(store.content(path) or b"")
    except FaultError:
        return ""


def _nameless(memory_id: str) -> Memory:
    """All that is known of a memory of which a tombstone alone is left."""
    return Memory(memory_id, "", "", Scope("repository"), "archived")
