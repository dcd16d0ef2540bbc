"""ChangeSet: what a verb wants to be true of one memdir, decided before anything is written."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Put:
    """Write ``content`` to ``path``.

    :ivar path: POSIX path from the memdir's root.
    :ivar expected: SHA-256 (hex) of the bytes now at ``path``; ``None`` if nothing may be there.
    """

    path: str
    content: bytes
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove ``path``, whose bytes must have the digest ``expected``."""

    path: str
    expected: str


@dataclass(frozen=True, slots=True)
class Write:
    """Let ``memory`` stand in the file that its status and identity give it.

    :ivar base: the record whose file is edited, line by line: the same file where the path is the
        same, a copy of it elsewhere. ``None`` for a memory that had no file.
    """

    memory: Memory
    base: Record | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Writes, removals and the events that tell of them; committed together or not at all.

    The index is not part of it: the store derives it from the files that will exist.

    :ivar removes: records whose files go away.
    :ivar files: other files of the memdir, such as the local store of sources.
    :ivar discards: other files of the memdir that go away.
    """

    writes: tuple[Write, ...] = ()
    removes: tuple[Record, ...] = ()
    events: tuple[Event, ...] = ()
    files: tuple[Put, ...] = ()
    discards: tuple[Remove, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes or self.files or self.discards)


def replacing(path: str, content: bytes, standing: bytes | None) -> Put:
    """Write ``content`` to ``path``, where ``standing`` lies now; ``None`` if nothing does."""
    return Put(path, content, digest_of(standing) if standing is not None else None)


def together(parts: Iterable[ChangeSet]) -> ChangeSet:
    """Several changes at once, which touch other files; what more than one of them discards goes once."""
    parts = tuple(parts)
    return ChangeSet(
        tuple(write for part in parts for write in part.writes),
        tuple(record for part in parts for record in part.removes),
        tuple(event for part in parts for event in part.events),
        tuple(put for part in parts for put in part.files),
        tuple({remove.path: remove for part in parts for remove in part.discards}.values()),
    )
