"""ChangeSet: what a verb wants to be true of one memdir, decided before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdir_cli.domain.event import Event


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
class ChangeSet:
    """Additions, removals and the events that tell of them; committed together or not at all.

    The index is not part of it: the store derives it from the files that will exist.
    """

    puts: tuple[Put, ...] = ()
    removes: tuple[Remove, ...] = ()
    events: tuple[Event, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.puts or self.removes or self.events)
