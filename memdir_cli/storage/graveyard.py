"""Graveyard: what is forgotten in one memdir, by its own tombstones and by those of the user, at one moment.

A read of one key looks for digests in the bytes of the files; only who finds one, or asks about many memories,
has the lines parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import FOLDER
from memdir_cli.domain.tombstone import NOTHING, Forgotten, Lift, Tombstone, forgotten
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, tombstones

#: So many memories are looked for in the bytes; for more it is quicker to parse the lines.
FEW = 30


@dataclass(frozen=True, slots=True)
class Yard:
    """One memdir's own tombstones.

    :ivar lifted: of some lifts, those of which a receipt of that memdir tells: a line that somebody wrote by hand
        lifts nothing.
    """

    content: bytes
    lifted: Callable[[Iterable[Lift]], Iterable[Lift]]


class Graveyard:
    """What is forgotten in one memdir.

    :param key: key of the memdir.
    :param user_key: key of the user memdir, ``""`` where there is none.
    :param has_receipt: whether a receipt of the memdir names an id.
    """

    def __init__(
        self, yards: tuple[Yard, ...], layer: Layer, key: str, user_key: str, has_receipt: Callable[[str], bool]
    ) -> None:
        self.contents = tuple(yard.content for yard in yards)
        self._yards, self._layer, self._key, self._user_key = yards, layer, key, user_key
        self._has_receipt = has_receipt
        self._forgotten: Forgotten | None = None if any(self.contents) else NOTHING
        self._asked = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is forgotten."""
        return self._forgotten is NOTHING

    @property
    def forgotten(self) -> Forgotten:
        """The tombstones that hold, parsed when they are first needed."""
        if self._forgotten is None:
            stones: list[Tombstone] = []
            lifts: list[Lift] = []
            for yard in self._yards:
                some, lifted = tombstones.entries(yard.content)
                stones += some
                lifts += yard.lifted(lifted) if lifted else ()
            self._forgotten = forgotten(stones, lifts)
        return self._forgotten

    def of(self, memory: Memory) -> Tombstone | None:
        """What keeps ``memory`` from being served here, ``None`` if nothing does.

        Its id or identity was forgotten; or its text was, and no receipt shows that it stood here besides.
        """
        if self._forgotten is NOTHING:
            return None
        identity = tombstones.of_identity(self._key, memory, self._layer)
        # a revision that is past is judged by its identity alone
        texts = () if FOLDER[memory.status] == layout.HISTORY else self._texts(memory)
        self._asked += 1
        marks = (memory.id, memory.supersedes.partition("@")[0], identity, *texts)
        if self._forgotten is None and self._asked <= FEW and not self._names(marks):
            return None
        known = self.forgotten
        found = known.named(memory) or _last(known.identities.get(identity, ()))
        if found is None:
            found = _last(stone for one in texts for stone in known.texts.get(one, ()))
            if found is not None and self._has_receipt(memory.id):
                return None
        return found

    def holds_text_of(self, memory: Memory) -> bool:
        """Whether a text of ``memory`` was forgotten, so that only a receipt lets it be served."""
        return bool(self.forgotten.texts) and any(one in self.forgotten.texts for one in self._texts(memory))

    def _texts(self, memory: Memory) -> tuple[str, ...]:
        known = (
            self._forgotten.texts if self._forgotten is not None else any(b'"texts"' in one for one in self.contents)
        )
        return tombstones.of_texts(self._user_key, memory) if known else ()

    def _names(self, words: Iterable[str]) -> bool:
        marks = [f'"{word}"'.encode() for word in words if word]
        return any(mark in content for content in self.contents for mark in marks)


def _last(stones: Iterable[Tombstone]) -> Tombstone | None:
    return max(stones, key=lambda stone: stone.at, default=None)
