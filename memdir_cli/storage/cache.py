"""Cache: what the memory files said when they were last read. Derived, local, never trusted over the files.

A table, a row a memory file. A row counts only while inode, size and both times of its file are the same; a file that
was changed so recently that a later change might not show in its times gets no row (git calls such entries racy).

One file, ``local/cache``, which writers save under their lock: first the texts, each with a digest of its own, then the
rows, which say where each text lies, last how long the rows are and their signature. So whoever reads takes the rows,
and of the texts what is asked for. Where nobody has written, whoever reads saves such a file in the cache folder of
this account (:mod:`kept`).
"""

from __future__ import annotations

import hmac
import marshal
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any

from memdir_cli import __version__
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.errors import FaultError
from memdir_cli.storage import derived, disk, kept, layout
from memdir_cli.storage.filed import Filing, opened, packed
from memdir_cli.storage.filed import whole as whole_of
from memdir_cli.storage.reading import open_file
from memdir_cli.storage.reading import opened as opened_folder

#: A file whose status changed less than this long before it was read gets no row, in nanoseconds.
RACY = 2_000_000_000

#: Fewer new rows than this are not worth writing the table anew.
WORTH_SAVING = 100

_VERSION = f"4 {__version__}"

#: Bytes of the digest of a text, of the length of the rows, and of the signature.
_SEAL, _LENGTH, _SIGNED = 16, 8, 32

#: Inode, size, time of the content, time of the status.
Stat = tuple[int, int, int, int]
Stats = Mapping[str, Stat]

#: A stat, the digest of the bytes, where the text lies and how long it is, and what :func:`opened` says of the memory.
Row = tuple[Any, ...]
_DIGEST, _AT, _SIZE, _OPEN = 4, 5, 6, 7


class Texts:
    """The texts of a cache, which stay in its file.

    :param descriptor: the file, closed with this.
    """

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __del__(self) -> None:
        os.close(self._descriptor)

    def read(self, digest: str, at: int, size: int) -> bytes:
        """A text with its digest before it, ``b""`` where it is not as it was written.

        :param digest: that of the memory file.
        """
        whole = os.pread(self._descriptor, size, at)
        return whole if whole[:_SEAL] == _seal(digest, memoryview(whole)[_SEAL:]) else b""


class Rows(dict[str, Row]):
    """The rows by the paths of the memory files, and their texts."""

    __slots__ = ("texts",)

    def __init__(self, rows: Mapping[str, Row], texts: Texts | None = None) -> None:
        super().__init__(rows)
        self.texts = texts

    def text(self, row: Row) -> bytes:
        """The text of a row, as of :meth:`Texts.read`."""
        return b"" if self.texts is None else self.texts.read(*row[_DIGEST:_OPEN])


NOTHING = Rows({})


def load(root: str, key: str, place: str = "") -> Rows:
    """The rows by path; none where there is no cache, or it is of another version, key or content.

    :param key: the secret of this user, ``""`` where there is none: then there is no cache.
    :param place: the cache folder of this account, ``""`` for none.
    """
    for look in (partial(kept.opened, place, _name(root)), partial(open_file, root, layout.CACHE)) if key else ():
        try:
            descriptor = look()
        except (OSError, FaultError):
            continue
        rows = _read(descriptor, key)
        if rows is not None:
            return Rows(rows, Texts(descriptor))
        os.close(descriptor)
    return NOTHING


def save(
    root: str, key: str, txn: str, records: Iterable[Record], stats: Stats, before: Rows, *, now: int, private: bool
) -> bool:
    """Write the rows of ``records``, and tell so, if enough of them are new. Only under the lock.

    :param txn: an id for the temporary file.
    :param stats: what :func:`stats_of` said *before* the records were read: whatever changed a file since
        then shows the next time.
    :param before: the rows that were loaded.
    :param now: time of the file system before the records were read, in nanoseconds.
    """
    whole = _table(key, records, stats, before, now) if key else b""
    if whole:
        # what cannot be written is read from the files again
        with suppress(FaultError):
            disk.write_file(root, layout.CACHE, whole, txn, private=private)
    return bool(whole)


def save_read(
    place: str, root: str, key: str, records: Iterable[Record], stats: Stats, before: Rows, *, now: int
) -> None:
    """As :func:`save`, for whoever has only read, in the cache folder of this account."""
    whole = _table(key, records, stats, before, now) if key and place else b""
    if whole:
        kept.write(place, _name(root), whole)


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
        with opened_folder(root, folder) as descriptor:
            for name in os.listdir(descriptor):
                stat = _stat(descriptor, name)
                if stat is not None:
                    found[layout.join(folder, name)] = stat
    except OSError:
        return {}
    return found


def matching(
    root: str, paths: Iterable[str], rows: Rows, layer: Layer, stats: Stats, *, consume: bool = False
) -> dict[str, Record]:
    """The records of those ``paths`` whose files are still as their rows say.

    :param stats: how the files stand.
    :param consume: the rows are not needed any more: those of which a record is made go.
    """
    found: dict[str, Record] = {}
    filed, take = Filing().filed, rows.pop if consume else rows.get
    for path in paths if rows else ():
        row = take(path, None)
        if row is not None and row[:_DIGEST] == stats.get(path):
            unpack = partial(_unpacked, root, path, rows.texts, *row[_DIGEST:_OPEN])
            found[path] = Record(filed(unpack, *row[_OPEN:]), path, row[_DIGEST], layer)
    return found


def _unpacked(root: str, path: str, texts: Texts | None, digest: str, at: int, size: int) -> Any:
    """The packed fields of the memory at ``path``: from the cache, or where that is damaged, from its file."""
    text = b"" if texts is None else texts.read(digest, at, size)
    if text:
        return marshal.loads(memoryview(text)[_SEAL:])  # noqa: S302 (the digest shows that it is our own)
    from memdir_cli.storage.memories import read_record

    found = read_record(root, "project", path, None)
    if isinstance(found, Record) and found.digest == digest:
        return packed(found.memory)
    raise FaultError(
        f"The cache is damaged, and `{path}` was changed just now.",
        hint="run the command again",
        code="cache",
        path=path,
    )


def _table(key: str, records: Iterable[Record], stats: Stats, before: Rows, now: int) -> bytes | bytearray:
    """The content of a cache of ``records``, nothing if too few of them are new."""
    kept_ = list(settled(records, stats, now))
    old = {one.path: row for one in kept_ if (row := before.get(one.path)) and row[:_DIGEST] == stats[one.path]}
    if len(kept_) - len(old) + len(before.keys() - {record.path for record in kept_}) < WORTH_SAVING:
        return b""
    rows: dict[str, Row] = {}
    whole = bytearray()
    known: dict[Any, Any] = {}
    for record in kept_:
        row = old.get(record.path)
        text = before.text(row) if row is not None else b""
        if not text:
            body = marshal.dumps(packed(whole_of(record.memory)))
            text = _seal(record.digest, body) + body
        shown = row[_OPEN:] if row is not None else opened(record.memory)
        rows[record.path] = (
            *stats[record.path], record.digest, len(whole), len(text), *[_shared(one, known) for one in shown]
        )  # fmt: skip
        whole += text
    head = marshal.dumps((_VERSION, rows))
    whole += head
    whole += len(head).to_bytes(_LENGTH, "big")
    whole += derived.digest(key, head)
    return whole


def _read(descriptor: int, key: str) -> dict[str, Row] | None:
    """The rows of an opened file, ``None`` if it is none of this version and key, or is not as it was written."""
    size = os.fstat(descriptor).st_size
    end = os.pread(descriptor, _LENGTH + _SIGNED, max(size - _LENGTH - _SIGNED, 0))
    length = int.from_bytes(end[:_LENGTH], "big")
    if length > size - _LENGTH - _SIGNED:
        return None
    head = os.pread(descriptor, length, size - _LENGTH - _SIGNED - length)
    if not hmac.compare_digest(end[_LENGTH:], derived.digest(key, head)):
        return None
    version, rows = marshal.loads(head)  # noqa: S302 (the signature shows that it is our own)
    return rows if version == _VERSION else None


def _seal(digest: str, text: bytes | memoryview) -> bytes:
    """What shows that a text is that of a file with this digest, as it was written."""
    return blake2b(text, digest_size=_SEAL, key=digest.encode()).digest()


def _name(root: str) -> str:
    return f"rows-{kept.of(root)}-cache"


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
