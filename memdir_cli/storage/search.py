"""Search: which memory files of one memdir hold a term. SQLite's full text index, made from the files.

The index lives in memory. What it says of the files that have not changed lies ready in ``local/search`` as one
image, which a writer saves under the lock and nobody changes; whoever searches loads it and adds what is new. The
image holds terms and where they stand, not the texts. Nothing is deleted from it: a memory whose text must go takes
the whole image with it, and the next writer makes another one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

from memdir_cli import __version__
from memdir_cli.domain.search import FIELDS, Counts, texts
from memdir_cli.domain.snapshot import Record, Unreadable
from memdir_cli.domain.terms import indexed
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, derived, layout, memories
from memdir_cli.storage.journal import Pending, moment, pending
from memdir_cli.storage.reading import is_folder
from memdir_cli.storage.store import READINGS, Store

_VERSION = f"1 {__version__} {sqlite3.sqlite_version}"

#: More memories than this are read together, with the cache, instead of one by one.
FEW = 50

#: The number of a document in the index, how many words it has, and the file as it was: see :data:`cache.Stat`.
Row = tuple[int, int, str, int, int, int, int]

_TABLES = """
    create virtual table texts using fts5(
        key, value, qualifiers, description, body, content='', columnsize=0, tokenize='porter ascii'
    );
    create virtual table places using fts5vocab(texts, instance);
    create virtual table wholes using fts5(text, content='', columnsize=0, detail=none, tokenize='ascii');
    create virtual table words using fts5vocab(wholes, row);
"""
_ADD = "insert into texts(rowid, key, value, qualifiers, description, body) values (?, ?, ?, ?, ?, ?)"


class Index:
    """The memory files of some folders of one memdir as they are now, by their terms.

    :ivar lengths: of every file, how many words it holds.
    :ivar unreadable: the files that hold no memory.
    """

    def __init__(self, store: Store, folders: Iterable[str]) -> None:
        self._store = store
        self._connection = sqlite3.connect(":memory:")
        try:
            self._look(tuple(folders))
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the memory that it takes."""
        self._connection.close()

    def places(self, term: str) -> dict[str, Counts]:
        """The files in which ``term`` stands, and how often in each field."""
        found: dict[str, list[int]] = {}
        asked = "select doc, col, count(*) from places where term = ? group by doc, col"
        for document, name, count in self._connection.execute(asked, (term,)):
            path = self._paths.get(document)
            if path is not None:
                found.setdefault(path, [0] * len(FIELDS))[FIELDS.index(name)] = count
        return {path: tuple(counts) for path, counts in found.items()}

    def words(self, beginning: str = "") -> list[str]:
        """The words that begin like this, whole; among them some of files that have changed or are gone."""
        asked = "select term from words where term >= ? and term < ?"
        return [term for (term,) in self._connection.execute(asked, (beginning, f"{beginning}\U0010ffff"))]

    def records(self, paths: Iterable[str]) -> list[Record]:
        """The memories in these files; those that somebody took away meanwhile are left out."""
        wanted = set(paths)
        if len(wanted) > FEW:
            snapshot = self._store.snapshot({layout.folder_of(path) for path in wanted}, only=wanted)
            return [record for record in snapshot.records if record.path in wanted]
        read = [found for path in sorted(wanted) if (found := self._store.read(path)) is not None]
        return list(self._store.sorted_out(read).records)

    def _look(self, folders: tuple[str, ...]) -> None:
        for _ in range(READINGS):
            self._began = moment(self._store.root)
            self._begin(pending(self._store.root))
            for folder in folders:
                self._take(folder)
            if moment(self._store.root) == self._began:
                break

    def _begin(self, journal: Pending | None) -> None:
        self._journal = journal
        self._connection.close()
        self._connection, self._rows = _loaded(self._store)
        self._paths: dict[int, str] = {}
        self._next = 1 + max((row[0] for row in self._rows.values()), default=0)
        self.lengths: dict[str, int] = {}
        self.unreadable: list[Unreadable] = []

    def _take(self, folder: str) -> None:
        store, journal = self._store, self._journal
        stats = store.sighting(self._began).stats() if folder == layout.MEMORIES and self._rows else {}
        self._trust(stats)
        # listing a folder twice costs as much as all the rest
        names = stats if stats and journal is None else memories.paths_in(store.root, folder, journal)
        news = {path for path in names if path not in self.lengths and _is_memory(path)}
        # a file that brings back what was forgotten is not even looked into
        found = store.sorted_out(self._read(folder, news))
        for record in found.records:
            self.lengths[record.path] = _add(self._connection, self._next, record)
            self._paths[self._next] = record.path
            self._next += 1
        self.unreadable += found.unreadable

    def _read(self, folder: str, news: set[str]) -> Iterator[memories.Found]:
        root, layer, journal = self._store.root, self._store.layer, self._journal
        if len(news) > FEW:
            whole = memories.read_folder(root, layer, folder, journal, rows=self._store.cached())
            yield from (found for found in whole if found.path in news)
            return
        with memories.opened_if_there(root, folder) as descriptor:
            for path in sorted(news):
                # how the files stand tells not which of them are folders; without a transaction no more is known
                if journal is None and is_folder(descriptor, layout.name_of(path)):
                    continue
                found = memories.read_record(root, layer, path, journal, descriptor)
                if found is not None:
                    yield found

    def _trust(self, stats: cache.Stats) -> None:
        """Take over what the image says of files that have not changed."""
        promised = self._journal.staged if self._journal else {}
        removed = self._journal.removed if self._journal else frozenset()
        for path, (document, length, _, *stat) in self._rows.items():
            if stats.get(path) == tuple(stat) and path not in promised and path not in removed:
                self._paths[document] = path
                self.lengths[path] = length


def stems(words: Iterable[str]) -> dict[str, str]:
    """Of every word, the term under which an index has it: without the endings of English."""
    numbered = dict(enumerate(words))
    with closing(_empty()) as connection:
        connection.executemany("insert into texts(rowid, key) values (?, ?)", numbered.items())
        found = dict(connection.execute("select doc, term from places"))
    return {word: found[number] for number, word in numbered.items()}


def save(root: str, key: str, txn: str, records: Iterable[Record], stats: cache.Stats, *, private: bool) -> None:
    """Write the image anew from ``records``; where it cannot be written, searching is slower. Only under the lock.

    :param txn: an id for the temporary file.
    :param stats: what the files were before they were read.
    """
    if not hasattr(sqlite3.Connection, "serialize"):
        return
    rows: dict[str, Row] = {}
    with closing(_empty()) as connection:
        for number, record in enumerate(records, start=1):
            length = _add(connection, number, record)
            rows[record.path] = (number, length, record.memory.id, *stats[record.path])
        connection.commit()
        derived.save(root, layout.SEARCH, key, _VERSION, (rows, connection.serialize()), txn, private=private)


def _loaded(store: Store) -> tuple[sqlite3.Connection, Mapping[str, Row]]:
    """The index as it was saved, or an empty one."""
    saved = derived.load(store.root, layout.SEARCH, store.cache_key, _VERSION)
    if saved is None:
        return _empty(), {}
    rows, image = saved
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(image)
    except BaseException:
        connection.close()
        raise
    return connection, rows


def _is_memory(path: str) -> bool:
    name = layout.name_of(path)
    return name.endswith(".md") and not name.startswith(".")


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(_TABLES)
    except sqlite3.OperationalError as error:
        connection.close()
        raise FaultError(
            "The SQLite of this Python has no full text search (FTS5).",
            hint="use a Python whose SQLite has it, as those of python.org and of distributions do",
            code="no-fts5",
        ) from error
    return connection


def _add(connection: sqlite3.Connection, number: int, record: Record) -> int:
    """Add a memory, and tell how many words it holds."""
    fields = [indexed(text) for text in texts(record)]
    connection.execute(_ADD, (number, *fields))
    connection.execute("insert into wholes(rowid, text) values (?, ?)", (number, "\n".join(fields)))
    return sum(len(text.split()) for text in fields)
