"""Tombstone: that something was forgotten, told without its content, and what lifts it again.

The lines of ``tombstones.jsonl`` are a set: neither their order nor how often a merge left one of them
counts. What is lifted names the tombstones that it lifts, so that a later forgetting of the same key holds.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer

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
    :ivar tombstones: refs of what is lifted.
    """

    id: str
    tombstones: tuple[str, ...]
    at: str
    transaction: str


Entry = Tombstone | Lift


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is forgotten in one memdir now, to be looked up by id and keyed digest."""

    ids: Mapping[str, Tombstone] = field(default_factory=dict)
    identities: Mapping[str, Tombstone] = field(default_factory=dict)
    texts: Mapping[str, Tombstone] = field(default_factory=dict)
    standing: tuple[Tombstone, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ids)


NOTHING = Forgotten()


def forgotten(stones: Iterable[Tombstone], lifts: Iterable[Lift]) -> Forgotten:
    """What ``stones`` keep out, of which ``lifts`` let some in again under another id.

    Of several that say the same, the latest stands for all.
    """
    ordered = sorted(set(stones), key=lambda stone: (stone.at, stone.transaction, stone.id))
    lifted = {ref for lift in lifts for ref in lift.tombstones}
    standing = tuple(stone for stone in ordered if stone.ref not in lifted)
    return Forgotten(
        {stone.id: stone for stone in ordered},
        {stone.identity: stone for stone in standing if stone.identity},
        {text: stone for stone in standing for text in stone.texts},
        standing,
    )


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
        keys: dict[str, object] = {"lifted": list(entry.tombstones), "id": entry.id}
    else:
        keys = {"forgotten": entry.id, "identity": entry.identity, "texts": list(entry.texts), "memdir": entry.memdir}
    keys |= {"at": entry.at, "txn": entry.transaction}
    return json.dumps({name: value for name, value in keys.items() if value}, separators=(",", ":"))


def parse(text: bytes) -> Entry | None:
    """A line of the file, ``None`` if it is none. It may hold anything."""
    try:
        keys = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(keys, dict) or not all(_is_word(keys.get(name)) for name in ("at", "txn")):
        return None
    at, transaction = keys["at"], keys["txn"]
    if _is_word(keys.get("forgotten")):
        identity, memdir = keys.get("identity", ""), keys.get("memdir", "")
        texts = keys.get("texts", [])
        if isinstance(identity, str) and isinstance(memdir, str) and _are_words(texts):
            return Tombstone(keys["forgotten"], identity, at, transaction, tuple(texts), memdir)
    elif _is_word(keys.get("id")) and _are_words(keys.get("lifted")):
        return Lift(keys["id"], tuple(keys["lifted"]), at, transaction)
    return None


def parse_all(content: bytes) -> Iterator[tuple[int, Entry | None]]:
    """Every line that is not empty, with its number; ``None`` for what is no entry."""
    for number, text in enumerate(content.split(b"\n"), 1):
        if text.strip():
            yield number, parse(text)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(_is_word(one) for one in value)
