"""Cache: what the memory files said when a writer last read them. Derived, local, never trusted over the files.

One file, ``local/cache``: a table, a row a memory file. A row counts only while inode, size and both times of its
file are the same; a file that was changed so recently that a later change might not show in its times gets no row
(git calls such entries racy).

Only writers save it, under their lock. Whoever reads takes what fits and reads the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memdir_cli import __version__
from memdir_cli.domain.memory import Evidence, Memory, Side
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import Authority, Source
from memdir_cli.storage import derived, layout
from memdir_cli.storage.reading import opened

#: A file whose status changed less than this long before it was read gets no row, in nanoseconds.
RACY = 2_000_000_000

#: Fewer new rows than this are not worth writing the table anew.
WORTH_SAVING = 100

_VERSION = f"2 {__version__}"

#: Inode, size, time of the content, time of the status.
Stat = tuple[int, int, int, int]
Stats = Mapping[str, Stat]

#: A stat, the digest of the bytes, the fields of the memory.
Row = tuple[int, int, int, int, str, tuple[Any, ...]]
Rows = Mapping[str, Row]

NOTHING: Rows = {}


def load(root: str, key: str) -> Rows:
    """The rows by path; none where there is no cache, or it is of another version, key or content.

    :param key: the secret of this user, ``""`` where there is none: then there is no cache.
    """
    rows: Rows | None = derived.load(root, layout.CACHE, key, _VERSION)
    return NOTHING if rows is None else rows


def save(
    root: str, key: str, txn: str, records: Iterable[Record], stats: Stats, before: Rows, *, now: int, private: bool
) -> bool:
    """Write the rows of ``records``, and tell so, if enough of them are new.

    :param txn: an id for the temporary file.
    :param stats: what :func:`stats_of` said *before* the records were read: whatever changed a file since
        then shows the next time.
    :param before: the rows that were loaded.
    :param now: time of the file system before the records were read, in nanoseconds.
    """
    rows: dict[str, Row] = {}
    texts: dict[str, str] = {}
    for record in settled(records, stats, now):
        stat, known = stats[record.path], before.get(record.path)
        rows[record.path] = (
            known if known and known[:4] == stat else (*stat, record.digest, _shared(_fields(record.memory), texts))
        )
    fresh = sum(before.get(path) is not row for path, row in rows.items()) + len(before.keys() - rows.keys())
    if fresh < WORTH_SAVING:
        return False
    derived.save(root, layout.CACHE, key, _VERSION, rows, txn, private=private)
    return True


def settled(records: Iterable[Record], stats: Stats, now: int) -> Iterator[Record]:
    """Those of ``records`` whose files a later change would show in their times; parameters as of :func:`save`."""
    for record in records:
        stat = stats.get(record.path)
        if stat is not None and max(stat[2:]) <= now - RACY:
            yield record


def stats_of(root: str, folder: str) -> Stats:
    """Inode, size and times of everything in ``folder``, by path."""
    found: dict[str, Stat] = {}
    try:
        with opened(root, folder) as descriptor:
            for name in os.listdir(descriptor):
                stat = _stat(descriptor, name)
                if stat is not None:
                    found[layout.join(folder, name)] = stat
    except OSError:
        return {}
    return found


def matching(
    root: str, folder: str, paths: Iterable[str], rows: Rows, layer: Layer, stats: Stats | None = None
) -> dict[str, Record]:
    """The records of those ``paths`` in ``folder`` whose files are still as their rows say.

    :param stats: how the files stand, where that is known; left out, they are looked at.
    """
    stats = stats_of(root, folder) if stats is None and rows else stats or {}
    found: dict[str, Record] = {}
    for path in paths if rows else ():
        row = rows.get(path)
        if row is not None and row[:4] == stats.get(path):
            found[path] = Record(_memory(row[5]), path, row[4], layer)
    return found


def _stat(folder: int, name: str) -> Stat | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


_SLOTS = tuple(Memory.__slots__)
_SCOPE, _SOURCE, _DEPENDS, _SIDES, _EXTRA = (
    _SLOTS.index(name) for name in ("scope", "source", "depends_on", "sides", "extra")
)


def _fields(memory: Memory) -> tuple[Any, ...]:
    fields = [getattr(memory, name) for name in _SLOTS]
    fields[_SCOPE] = _plain(memory.scope)
    fields[_SOURCE] = tuple(map(_plain, memory.source))
    fields[_DEPENDS] = tuple(map(_plain, memory.depends_on))
    fields[_SIDES] = tuple(map(_side_fields, memory.sides))
    fields[_EXTRA] = dict(memory.extra)
    return tuple(fields)


def _shared(value: Any, texts: dict[str, str]) -> Any:
    """``value`` in which equal texts are one: it is written once, and is there once when it is loaded.

    :param texts: those that have occurred.
    """
    if isinstance(value, str):
        return texts.setdefault(value, value)
    if isinstance(value, tuple):
        return tuple(_shared(one, texts) for one in value)
    return value


def _plain(value: Scope | Source | Evidence) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in value.__slots__)


def _side_fields(side: Side) -> tuple[Any, ...]:
    sources = tuple(map(_plain, side.source))
    return tuple(sources if name == "source" else getattr(side, name) for name in side.__slots__)


def _memory(fields: tuple[Any, ...]) -> Memory:
    whole = list(fields)
    whole[_SCOPE] = Scope(*whole[_SCOPE])
    whole[_SOURCE] = tuple(Source(*one) for one in whole[_SOURCE])
    whole[_DEPENDS] = tuple(Evidence(*one) for one in whole[_DEPENDS])
    whole[_SIDES] = tuple(_side(*one) for one in whole[_SIDES])
    return Memory(*whole)


def _side(side_id: str, value: str | None, description: str, authority: Authority, *rest: Any) -> Side:
    sources, type_ = rest
    return Side(side_id, value, description, authority, tuple(Source(*one) for one in sources), type_)
