"""Snapshot: what a memdir held at one moment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.status import CURRENT
from memdir_cli.shapes import dataclass

Layer = Literal["project", "user"]


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal: how a version of a file is named."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Record:
    """A memory and the file it was read from.

    :ivar path: POSIX path from the memdir's root, such as ``memories/package_manager.md``.
    :ivar digest: that of the file's bytes, see :func:`digest_of`.
    """

    memory: Memory
    path: str
    digest: str
    layer: Layer

    @property
    def folder(self) -> str:
        """First component of the path (``local/tasks`` for task memories)."""
        return "local/tasks" if self.path.startswith("local/tasks/") else self.path.split("/", 1)[0]

    @property
    def current(self) -> bool:
        """Whether the file counts as the record of its identity: right folder and right status."""
        return self.memory.status in CURRENT and self.path.startswith(("memories/", "local/tasks/"))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is not a memory that can be served, and why.

    :ivar reason: a stable word such as ``not-utf8``, ``duplicate-key``, ``unmanaged``; the table is
        ``storage.problems``.
    :ivar line: 1-based line in the file, 0 if the whole file is meant.
    :ivar column: 1-based column in characters, 0 if unknown.
    """

    path: str
    reason: str
    message: str
    line: int = 0
    column: int = 0
    layer: Layer = "project"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every memory of one memdir that could be read, and every file that could not.

    :ivar returned: memories that were forgotten and whose files are there again; nothing serves them.
    :ivar copies: files of memories that are in quarantine, which lie elsewhere; nothing serves them either.
    """

    layer: Layer
    records: tuple[Record, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    returned: tuple[Record, ...] = ()
    copies: tuple[Record, ...] = ()

    def current(self) -> Iterator[Record]:
        """The records proper: verified, stale, conflicted, in their folder."""
        return (record for record in self.records if record.current)
