"""Forgetting: the changes by which one memdir forgets, and what must be known before they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memdir_cli.domain import forgetting
from memdir_cli.domain.changes import ChangeSet, Put, Remove, Write
from memdir_cli.domain.forgetting import Aim
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.domain.tombstone import Tombstone
from memdir_cli.errors import FaultError
from memdir_cli.operations import isolating
from memdir_cli.operations.aiming import lying
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, layout, residue, tombstones
from memdir_cli.storage.store import Store

#: What the system says of a name that cannot be opened as a file.
UNOPENED = frozenset({"symlink", "special_file", "not_a_folder", "bad_path", "no_permission"})


@dataclass(frozen=True, slots=True)
class Part:
    """What one memdir holds of what is to be forgotten.

    :ivar records: the memory files that could be read.
    :ivar discards: the other files that go.
    :ivar others: the memories that stay.
    """

    store: Store
    records: tuple[Record, ...]
    discards: tuple[Remove, ...]
    others: tuple[Record, ...]

    @property
    def touched(self) -> bool:
        """Whether it holds anything of it."""
        return bool(self.records or self.discards)

    @property
    def paths(self) -> tuple[str, ...]:
        """Everything that goes, from the memdir's root."""
        return tuple(sorted({*(record.path for record in self.records), *(one.path for one in self.discards)}))


def widened(aim: Aim, stores: Iterable[Store]) -> Aim:
    """``aim`` with every id that goes, in whichever memdir it lies."""
    return aim.widened(legible(record for store in stores for record in lying(store)))


def legible(records: Iterable[Record]) -> Iterator[Record]:
    """The records, those under a seal as what they were; one that cannot be opened stays as it is."""
    for record in records:
        try:
            yield from isolating.opened(record)
        except FaultError:
            yield record


def part(store: Store, aim: Aim) -> Part:
    """What ``store`` holds of ``aim``, which names every id."""
    snapshot = store.snapshot()
    everything = (*snapshot.records, *snapshot.returned, *snapshot.copies)
    records = tuple(record for record in everything if aim.covers(record.memory))
    others = tuple(record for record in everything if not aim.covers(record.memory))
    whole = {record.memory.identity.key: record.memory.identity for record in records}
    identities: tuple[Identity, ...] = tuple(one for key, one in whole.items() if key in aim.identities)
    texts = {text for record in legible(records) for text in forgetting.telling_texts(record.memory)}
    search = residue.Search(
        store.root,
        store.layer,
        aim,
        identities,
        frozenset(record.path for record in records),
        tuple(one.path for one in snapshot.unreadable if one.reason not in UNOPENED),
        frozenset(record.memory.id for record in others),
        tuple(text.encode("utf-8", "surrogatepass") for text in texts),
    )
    discards = residue.residue(search)
    if not records and all(one.path in layout.DERIVED for one in discards):
        discards = ()
    return Part(store, records, discards, others)


def stones(one: Part, aim: Aim, user_key: str, at: str, txn: str) -> tuple[Tombstone, ...]:
    """The tombstones of one memdir, with the digests of texts that only the user memdir keeps.

    :param user_key: key of the user memdir, ``""`` where there is none.
    """
    by_id: dict[str, list[Record]] = {memory_id: [] for memory_id in sorted(aim.ids)}
    sides = {side.id: record for record in one.records for side in record.memory.sides}
    for record in one.records:
        by_id[record.memory.id].append(record)
    store = one.store
    memdir = tombstones.of_memdir(user_key, store.config.key) if user_key and store.layer != "user" else ""
    found = []
    for memory_id, group in by_id.items():
        named = group or [sides[memory_id]] if group or memory_id in sides else []
        memory = named[0].memory if named else None
        whole = memory is not None and memory.identity.key in aim.identities
        identity = tombstones.of_identity(store.config.key, memory, store.layer) if memory and whole else ""
        texts = {text for record in legible(group) for text in tombstones.of_texts(user_key, record.memory)}
        found.append(Tombstone(memory_id, identity, at, txn, tuple(sorted(texts)), memdir))
    return tuple(found)


def bare(stone: Tombstone) -> Tombstone:
    """A tombstone as a project keeps it: without digests of texts, and no copy."""
    return replace(stone, texts=(), memdir="")


def changes(one: Part, aim: Aim, put: Put | None) -> ChangeSet:
    """Everything by which one memdir forgets, but the events.

    :param put: its tombstones.
    """
    return ChangeSet(
        writes=tuple(_unlinked(one, aim)),
        removes=one.records,
        files=(put,) if put is not None else (),
        discards=one.discards,
    )


def _unlinked(one: Part, aim: Aim) -> Iterable[Write]:
    """The memories that stay, without their links to what goes; one that cannot be edited keeps its bare id.

    :raises FaultError: if it came in the place of what goes: with that link nobody would be served it any more.
    """
    for record in one.others:
        memory = forgetting.unlinked(record.memory, aim.ids)
        if memory is record.memory:
            continue
        if _can_edit(one.store, record, memory):
            yield Write(memory, record)
        elif memory.supersedes != record.memory.supersedes:
            raise FaultError(
                f"`{printable(record.path)}` came in its place, and the link to it cannot be taken out.",
                code="not-editable",
                hint="run `memdir check` and mend that file, or forget it too",
            )


def _can_edit(store: Store, record: Record, memory: Memory) -> bool:
    content = store.content(record.path)
    if content is None or layout.path_of(record.memory, store.layer) != record.path:
        return False
    try:
        codec.update(content, record.memory, memory)
    except codec.Malformed:
        return False
    return True


def texts_of(parts: Sequence[Part]) -> tuple[str, ...]:
    """What is looked for afterwards."""
    found = (
        text for one in parts for record in legible(one.records) for text in forgetting.telling_texts(record.memory)
    )
    return tuple(dict.fromkeys(found))
