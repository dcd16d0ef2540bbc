"""Tombstone: that something was forgotten, told without its content, and what lifts it again.

The lines of ``tombstones.jsonl`` are a set: neither their order nor how often a merge left one of them
counts. What is lifted names the tombstones that it lifts, so that a later forgetting of the same key holds.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import are_words, is_word, row
from memdir_cli.domain.snapshot import Layer
from memdir_cli.shapes import dataclass, field

#: Shorter texts get no digest: too many memories say ``npm``.
TEXT_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One memory that was forgotten.

    :ivar id: its id, which nothing is ever called again.
    :ivar identity: keyed digest of its identity; ``""`` where another memory of that identity stayed.
    :ivar at: when it was forgotten.
    :ivar transaction: the transaction that did it, the same in both memdirs.
    :ivar texts: keyed digests of its longer texts; in the user memdir only.
    :ivar memdir: keyed digest of the memdir of which this is the user's copy, ``""`` for a memory of the memdir itself.
    """

    id: str
    identity: str
    at: str
    transaction: str
    texts: tuple[str, ...] = ()
    memdir: str = ""

    @property
    def ref(self) -> str:
        """How a lift names it."""
        return f"{self.transaction}/{self.id}"


@dataclass(frozen=True, slots=True)
class Lift:
    """A user's word that something may be remembered again. Ids stay forgotten.

    :ivar id: the new memory.
    :ivar identities: refs of the tombstones whose identity may be used again.
    :ivar texts: refs of those whose texts were said again; a new word for an old key does not bring them back.
    """

    id: str
    identities: tuple[str, ...]
    texts: tuple[str, ...]
    at: str
    transaction: str


Entry = Tombstone | Lift


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is forgotten in one memdir now, to be looked up by id and keyed digest; of equal ones the oldest first."""

    ids: Mapping[str, Tombstone] = field(default_factory=dict)
    identities: Mapping[str, tuple[Tombstone, ...]] = field(default_factory=dict)
    texts: Mapping[str, tuple[Tombstone, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.ids)

    @property
    def standing(self) -> frozenset[Tombstone]:
        """The tombstones of which the identity may not be used again, and those that name none."""
        kept = (stone for stones in self.identities.values() for stone in stones)
        return frozenset((*kept, *(stone for stone in self.ids.values() if not stone.identity)))

    def named(self, memory: Memory) -> Tombstone | None:
        """The tombstone of the id of ``memory``, or of that of the memory in whose place it came.

        Forgetting takes such links out of what stays: where one is left, another branch made it, and did not know.
        """
        return self.ids.get(memory.id) or self.ids.get(memory.supersedes.partition("@")[0])


NOTHING = Forgotten()


def forgotten(stones: Iterable[Tombstone], lifts: Iterable[Lift]) -> Forgotten:
    """What ``stones`` keep out, of which ``lifts`` let some in again under another id."""
    lifts = tuple(lifts)
    said = {ref for lift in lifts for ref in lift.identities}
    restated = {ref for lift in lifts for ref in lift.texts}
    ids: dict[str, Tombstone] = {}
    identities: dict[str, tuple[Tombstone, ...]] = {}
    texts: dict[str, tuple[Tombstone, ...]] = {}
    for stone in sorted(set(stones), key=lambda stone: (stone.at, stone.transaction, stone.id)):
        ids[stone.id] = stone
        if stone.identity and stone.ref not in said:
            identities[stone.identity] = (*identities.get(stone.identity, ()), stone)
        for text in stone.texts if stone.ref not in restated else ():
            texts[text] = (*texts.get(text, ()), stone)
    return Forgotten(ids, identities, texts)


def identity_parts(memory: Memory, layer: Layer) -> tuple[str, ...]:
    """What the digest of an identity is made of.

    A project's memdir is about one repository, whatever id that has by now.
    """
    identity = memory.identity
    if layer == "project":
        return ("identity", fold(identity.predicate), identity.scope.level, identity.scope.qualifiers)
    return ("identity", *identity.key)


def long_texts(memory: Memory) -> tuple[str, ...]:
    """The texts of a memory that are told apart by their wording alone, in the form in which they are compared."""
    sides = (text for side in memory.sides for text in (side.value or "", side.description))
    texts = (comparable(text) for text in (memory.value or "", memory.body, memory.description, *sides))
    return tuple(dict.fromkeys(text for text in texts if len(text) >= TEXT_CHARACTERS))


def comparable(text: str) -> str:
    """``text`` without what makes no other text of it: case, and how many blanks stand where."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def line(entry: Entry) -> str:
    """One line of the file, without its end."""
    if isinstance(entry, Lift):
        keys: dict[str, object] = {"lifted": entry.id, "identities": list(entry.identities), "texts": list(entry.texts)}
    else:
        keys = {"forgotten": entry.id, "identity": entry.identity, "texts": list(entry.texts), "memdir": entry.memdir}
    keys |= {"at": entry.at, "txn": entry.transaction}
    return json.dumps({name: value for name, value in keys.items() if value}, separators=(",", ":"))


def parse(text: bytes) -> Entry | None:
    """A line of the file, ``None`` if it is none. It may hold anything."""
    keys: Any = row(text) or {}
    if not all(is_word(keys.get(name)) for name in ("at", "txn")):
        return None
    at, transaction, texts = keys["at"], keys["txn"], keys.get("texts", [])
    if is_word(keys.get("forgotten")):
        identity, memdir = keys.get("identity", ""), keys.get("memdir", "")
        if isinstance(identity, str) and isinstance(memdir, str) and are_words(texts):
            return Tombstone(keys["forgotten"], identity, at, transaction, tuple(texts), memdir)
    elif is_word(keys.get("lifted")):
        identities = keys.get("identities", [])
        if are_words(identities) and are_words(texts) and (identities or texts):
            return Lift(keys["lifted"], tuple(identities), tuple(texts), at, transaction)
    return None


def parse_all(content: bytes) -> Iterator[tuple[int, Entry | None]]:
    """Every line that is not empty, with its number; ``None`` for what is no entry."""
    for number, text in enumerate(content.split(b"\n"), 1):
        if text.strip():
            yield number, parse(text)
