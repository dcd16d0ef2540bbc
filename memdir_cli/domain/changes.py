"""ChangeSet: what a verb wants to be true of one memdir, decided before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record


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
    files: tuple[Put, ...] = field(default=())
    discards: tuple[Remove, ...] = field(default=())

    def with_all(self, more: ChangeSet) -> ChangeSet:
        """These changes and ``more``, which touch other files."""
        return ChangeSet(
            (*self.writes, *more.writes),
            (*self.removes, *more.removes),
            (*self.events, *more.events),
            (*self.files, *more.files),
            (*self.discards, *more.discards),
        )

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes or self.files or self.discards)
