"""Shelved: a memory without its text, which lies in its file and is read there if anybody asks for it once more.

Whoever looks at every memory looks at every text once; to keep them all would take as much room as all the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.errors import ChangedError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.reading import read_file

#: Shorter texts take hardly more room than the word on where they lie.
LEAST = 200

_slot = vars(Memory)["body"]
_held: Callable[[Memory], Any] = _slot.__get__
_hold: Callable[[Memory, object], None] = _slot.__set__


class Shelved(Memory):
    """A memory as any other one; where its text would be stands where that lies."""

    __slots__ = ()

    @property
    def body(self) -> str:
        """The text.

        :raises ChangedError: if the file is not what it was.
        """
        held = _held(self)
        return held if isinstance(held, str) else _read(*held)

    @body.setter
    def body(self, text: str) -> None:
        # a copy with other fields is made with its text
        _hold(self, text)

    def __eq__(self, other: object) -> bool:
        names = Memory.__slots__
        return isinstance(other, Memory) and all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = Memory.__hash__


def shelve(record: Record, root: str) -> None:
    """Let go of the text of a record that nobody else has yet, of the memdir at ``root``."""
    memory, path, digest = record.memory, record.path, record.digest
    if type(memory) is Memory and len(memory.body) >= LEAST:
        _hold(memory, (root, path, digest))
        object.__setattr__(memory, "__class__", Shelved)


def _read(root: str, path: str, digest: str) -> str:
    content = read_file(root, path)
    if content is None or digest_of(content) != digest:
        raise ChangedError(f"`{path}` was changed just now.", hint="repeat the command", path=path)
    return codec.read_header(content, layout.limit_of(path)).body
