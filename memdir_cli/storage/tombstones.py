"""tombstones.jsonl: what was forgotten here, and in the user memdir the copies of what was forgotten elsewhere.

Only appended to, and merged by git as a set of lines. What is no entry is passed over; ``check`` names it. The user
memdir keeps its lines in ``local/`` as well: where it is a repository, no reverted commit takes them back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdir_cli.domain import tombstone
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.tombstone import Entry, Lift, Tombstone
from memdir_cli.storage import layout
from memdir_cli.storage.journal import Pending, read_after
from memdir_cli.storage.reading import read_file
from memdir_cli.storage.receipts import digest

if TYPE_CHECKING:
    from memdir_cli.domain.changes import Put


def read(root: str, journal: Pending | None) -> bytes:
    """The file as it is once ``journal`` is done, ``b""`` where there is none.

    :raises FaultError: if it cannot be read: then nobody knows what may be served.
    """
    return read_after(root, layout.TOMBSTONES, journal) or b""


def kept(root: str, journal: Pending | None) -> bytes:
    """The lines that this machine keeps beside :func:`read`, ``b""`` where there are none.

    :raises FaultError: if they cannot be read.
    """
    return read_after(root, layout.KEPT_TOMBSTONES, journal) or b""


def entries(content: bytes) -> tuple[tuple[Tombstone, ...], tuple[Lift, ...]]:
    """The tombstones and the lifts of a file."""
    found = [entry for _, entry in tombstone.parse_all(content)]
    stones = tuple(entry for entry in found if isinstance(entry, Tombstone))
    return stones, tuple(entry for entry in found if isinstance(entry, Lift))


def of_identity(key: str, memory: Memory, layer: Layer) -> str:
    """The keyed digest of an identity.

    :param key: that of the memdir of the memory.
    """
    return digest(key, *tombstone.identity_parts(memory, layer))


def of_texts(key: str, memory: Memory) -> tuple[str, ...]:
    """The keyed digests of the longer texts of a memory.

    :param key: that of the user memdir, ``""`` where there is none: then there are no digests.
    """
    return tuple(digest(key, "text", text) for text in tombstone.long_texts(memory)) if key else ()


def of_memdir(key: str, other: str) -> str:
    """The keyed digest by which the user memdir knows another memdir.

    :param key: that of the user memdir.
    :param other: that of the other one, which keeps it whatever its repository is called.
    """
    return digest(key, "memdir", other)


def unkept(root: str, files: Iterable[Put]) -> tuple[Entry, ...]:
    """What the file says, as ``files`` leave it, and this machine does not keep yet. Only under the lock."""
    written = next((put.content for put in files if put.path == layout.TOMBSTONES), None)
    lines = read_file(root, layout.TOMBSTONES) if written is None else written
    standing = read_file(root, layout.KEPT_TOMBSTONES) if lines else None
    if not lines or lines == standing:
        return ()
    have = {entry for _, entry in tombstone.parse_all(standing or b"")}
    return tuple(entry for _, entry in tombstone.parse_all(lines) if entry is not None and entry not in have)


def added(root: str, new: Iterable[Entry], path: str = layout.TOMBSTONES) -> Put | None:
    """The file with the lines of ``new`` that it lacks, ``None`` if it has them all. Only under the lock."""
    standing = read_file(root, path)
    have = {entry for _, entry in tombstone.parse_all(standing or b"")}
    lines = [tombstone.line(entry) for entry in new if entry not in have]
    if not lines:
        return None
    whole = standing or b""
    if whole and not whole.endswith(b"\n"):
        whole += b"\n"
    content = whole + "".join(f"{line}\n" for line in lines).encode()
    # who only reads must not wait for it
    from memdir_cli.domain.changes import replacing

    return replacing(path, content, standing)
