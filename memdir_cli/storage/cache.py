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
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.storage import derived, layout
from memdir_cli.storage.filed import Filing, fields
from memdir_cli.storage.reading import opened

#: A file whose status changed less than this long before it was read gets no row, in nanoseconds.
RACY = 2_000_000_000

#: Fewer new rows than this are not worth writing the table anew.
WORTH_SAVING = 100

_VERSION = f"3 {__version__}"

#: Inode, size, time of the content, time of the status.
Stat = tuple[int, int, int, int]
Stats = Mapping[str, Stat]

#: A stat, the digest of the bytes, and what :func:`fields` says of the memory.
Row = tuple[Any, ...]
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
    parts: dict[Any, Any] = {}
    for record in settled(records, stats, now):
        stat, known = stats[record.path], before.get(record.path)
        if known is None or known[:4] != stat:
            known = (*stat, record.digest, *(_shared(one, parts) for one in fields(record.memory)))
        rows[record.path] = known
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


def matching(paths: Iterable[str], rows: Rows, layer: Layer, stats: Stats) -> dict[str, Record]:
    """The records of those ``paths`` whose files are still as their rows say.

    :param stats: how the files stand.
    """
    found: dict[str, Record] = {}
    filed = Filing().filed
    for path in paths if rows else ():
        row = rows.get(path)
        if row is not None and row[:4] == stats.get(path):
            found[path] = Record(filed(*row[5:]), path, row[4], layer)
    return found


def _stat(folder: int, name: str) -> Stat | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _shared(value: Any, known: dict[Any, Any]) -> Any:
    """``value`` in which equal texts and tuples are one: it is written once, and is there once when it is loaded.

    :param known: those that have occurred.
    """
    if isinstance(value, str):
        return known.setdefault(value, value)
    if isinstance(value, tuple):
        whole = tuple([_shared(one, known) for one in value])
        return known.setdefault(whole, whole)
    return value
