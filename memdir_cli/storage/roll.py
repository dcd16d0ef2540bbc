"""Roll: the little that a writer has to know of every memory file. Derived, local, never trusted over the files.

A writer must know which files claim an identity, under whatever names they lie, and in which order memories stand in
the index. For that no memory need be read: one file, ``local/roll``, has a row for each. A row counts as one of the
cache does, only while inode, size and both times of its file are the same. What has no row that counts is read, and
so is what claims an identity: a row decides nothing by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memdir_cli import __version__
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.errors import ChangedError
from memdir_cli.shapes import dataclass
from memdir_cli.storage import cache, derived, index, layout, memories
from memdir_cli.storage.journal import pending

if TYPE_CHECKING:
    from memdir_cli.storage.store import Store

#: The first so many memories of the index have their lines in the roll, more than it ever shows.
LINES = 2 * index.MAX_LINES

_VERSION = f"2 {__version__}"

#: Where in a path the name of the file begins.
_NAME = len(f"{layout.MEMORIES}/")

#: A stat, the id, the mark of the identity, and what the index shows, ``None`` where the memory is not current.
Row = tuple[cache.Stat, str, bytes, "index.Listed | None"]


@dataclass(frozen=True, slots=True)
class Roll:
    """What lies among the memories at one moment.

    :ivar stats: how the files stood before anything was read.
    :ivar records: the memories that were read, by path.
    :ivar rows: those that need not be read, by path.
    """

    store: Store
    stats: cache.Stats
    records: Mapping[str, Record]
    rows: Mapping[str, Row]

    def whole(self) -> Roll:
        """The same with every memory read."""
        found = self.store.snapshot((layout.MEMORIES,), stats=self.stats).records
        return Roll(self.store, self.stats, {record.path: record for record in found}, {})

    def claiming(self, identity: Identity) -> tuple[Record, ...]:
        """The current records of an identity."""
        mark = _mark(identity)
        found = [
            *self.records.values(),
            *_read(self.store, [path for path, row in self.rows.items() if row[2] == mark]),
        ]
        return tuple(one for one in found if one.current and one.memory.identity.key == identity.key)

    def listed(self) -> dict[str, index.Listed]:
        """What the index shows, by path."""
        shown = {path: row[3] for path, row in self.rows.items() if row[3] is not None}
        return shown | {path: index.listed(record) for path, record in self.records.items() if record.current}

    def line(self, path: str) -> str:
        """The line of the index for the memory at ``path``.

        :raises ChangedError: if it was changed just now.
        """
        found = self.records.get(path) or next(_read(self.store, [path]), None)
        if found is None:
            raise ChangedError(
                f"`{path}` was changed by somebody else meanwhile; nothing was written.",
                hint="repeat the command",
                path=path,
            )
        return index.line(found)


def call(store: Store) -> Roll:
    """Every memory there is now; read are those that have no row. Only under the lock."""
    stats = cache.stats_of(store.root, layout.MEMORIES)
    rows = {path: row for path, row in _load(store).items() if row[0] == stats.get(path)}
    left = [path for path in stats if path not in rows and path.endswith(".md") and path[_NAME] != "."]
    if len(left) < cache.WORTH_SAVING and pending(store.root) is None:
        return Roll(store, stats, {record.path: record for record in _read(store, left)}, rows)
    return Roll(store, stats, {}, {}).whole()


def save(roll: Roll, records: Iterable[Record], txn: str, *, now: int, private: bool) -> None:
    """Write the rows of ``records``; parameters as of :func:`cache.save`."""
    store, told = roll.store, _told(roll.store)
    if told is None:
        return
    graveyard = store.graveyard()
    # what is served by the word of a receipt is looked at each time
    kept = [one for one in cache.settled(records, roll.stats, now) if not graveyard.holds_text_of(one.memory)]
    kept.sort(key=index.listed)
    rows: dict[str, Row] = {}
    for record in kept:
        shown = index.listed(record, index.line(record) if len(rows) < LINES else "") if record.current else None
        stat, memory = roll.stats[record.path], record.memory
        rows[record.path] = (stat, memory.id, _mark(memory.identity), shown)
    derived.save(store.root, layout.ROLL, store.cache_key, _VERSION, (told, rows), txn, private=private)


def _load(store: Store) -> Mapping[str, Row]:
    told = _told(store)
    content: Any = derived.load(store.root, layout.ROLL, store.cache_key, _VERSION) if told is not None else None
    if content is None or content[0] != told:
        return {}
    rows: dict[str, Row] = content[1]
    isolated = store.isolated()
    return {path: row for path, row in rows.items() if row[1] not in isolated} if isolated else rows


def _told(store: Store) -> str | None:
    """What a roll follows from besides the files: the tombstones. ``None`` where some are lifted, as receipts tell."""
    contents = store.graveyard().contents
    return None if any(b'"lifted"' in content for content in contents) else digest_of(b"\0".join(contents))


def _read(store: Store, paths: list[str]) -> Iterator[Record]:
    """The memories at ``paths`` that are served."""
    if paths:
        with memories.opened_if_there(store.root, layout.MEMORIES) as folder:
            found = [memories.read_record(store.root, store.layer, path, None, folder) for path in paths]
        yield from store.sorted_out(one for one in found if one is not None).records


def _mark(identity: Identity) -> bytes:
    """A few bytes that equal identities have in common."""
    return hashlib.blake2b("\0".join(identity.key).encode("utf-8", "surrogatepass"), digest_size=8).digest()
