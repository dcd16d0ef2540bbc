"""Filed: a memory as a row of the cache holds it, with all that decides whether it matters, and the rest packed.

Of thousands of memories a command gives a few. Only of these the texts, sources and sides are ever unpacked.
"""

from __future__ import annotations

from memdir_cli.domain.memory import Evidence, Memory, Side
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

#: The fields that lie open in a row, in this order. The scope is the first, the evidence the second.
OPEN = (
    "scope", "depends_on", "id", "subject", "predicate", "status", "type", "value", "none", "revision", "authority",
    "supersedes", "verified_at", "review_after", "expires_at", "status_reason",
)  # fmt: skip

#: The fields that are packed: sources, sides and foreign keys first.
PACKED = (
    "source",
    "sides",
    "extra",
    *(name for name in Memory.__slots__ if name not in {*OPEN, "source", "sides", "extra"}),
)

_put: dict[str, Callable[[object, object], None]] = {name: vars(Memory)[name].__set__ for name in Memory.__slots__}
_UNPACKERS = tuple(_put[name] for name in PACKED[3:])


class Filed(Memory):
    """A memory that was filed in the cache; nothing tells it from any other one but what it costs."""

    __slots__ = ("_latest", "_unpack")

    def __getattr__(self, name: str) -> Any:
        # asked for what is not there: the packed fields, all at once
        if name not in PACKED:
            raise AttributeError(name)
        _fill(self, self)
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and _values(self) == _values(other)

    __hash__ = Memory.__hash__

    def __reduce__(self) -> Any:
        return Memory, _values(self)

    @property
    def latest(self) -> str:
        """As :attr:`Memory.latest`, without looking for it."""
        told: str = _latest_of(self)
        return told


_new = object.__new__
_put_unpack, _unpack_of = vars(Filed)["_unpack"].__set__, vars(Filed)["_unpack"].__get__
_put_latest, _latest_of = vars(Filed)["_latest"].__set__, vars(Filed)["_latest"].__get__


def whole(memory: Memory) -> Memory:
    """``memory`` for one look at its texts: what is unpacked goes with what this gives."""
    if not isinstance(memory, Filed):
        return memory
    found = _new(Memory)
    for name in OPEN:
        _put[name](found, getattr(memory, name))
    _fill(found, memory)
    return found


def _fill(memory: Memory, of: Filed) -> None:
    """Unpack into ``memory`` what is packed."""
    source, sides, extra, *rest = _unpack_of(of)()
    _put["source"](memory, tuple([Source(*one) for one in source]))
    _put["sides"](memory, tuple([_side(*one) for one in sides]))
    _put["extra"](memory, extra)
    for put, value in zip(_UNPACKERS, rest, strict=True):
        put(memory, value)


def packed(memory: Memory) -> tuple[Any, ...]:
    """The fields that are packed, as plain values."""
    found: list[Any] = [getattr(memory, name) for name in PACKED]
    found[0] = tuple(map(_plain, memory.source))
    found[1] = tuple(map(_side_fields, memory.sides))
    found[2] = dict(memory.extra)
    return tuple(found)


def opened(memory: Memory) -> tuple[Any, ...]:
    """The latest time, and the fields that lie open, as plain values."""
    found: list[Any] = [getattr(memory, name) for name in OPEN]
    found[0] = _plain(memory.scope)
    found[1] = tuple(map(_plain, memory.depends_on))
    return (memory.latest, *found)


(
    _put_scope, _put_evidence, _put_id, _put_subject, _put_predicate, _put_status, _put_type, _put_value, _put_none,
    _put_revision, _put_authority, _put_supersedes, _put_verified, _put_review, _put_expires, _put_reason,
) = (_put[name] for name in OPEN)  # fmt: skip


class Filing:
    """Makes memories of rows; equal scopes and evidence are one."""

    def __init__(self) -> None:
        self._scopes: dict[tuple[Any, ...], Scope] = {}
        self._evidence: dict[tuple[Any, ...], tuple[Evidence, ...]] = {(): ()}

    def filed(
        self,
        unpack: Callable[[], Sequence[Any]],
        latest: str,
        scope: tuple[Any, ...],
        evidence: tuple[Any, ...],
        *rest: Any,
    ) -> Filed:
        """The memory of what :func:`opened` gave.

        :param unpack: gives what :func:`packed` gave.
        """
        memory = _new(Filed)
        _put_unpack(memory, unpack)
        _put_latest(memory, latest)
        found = self._scopes.get(scope)
        if found is None:
            found = self._scopes[scope] = Scope(*scope)
        _put_scope(memory, found)
        known = self._evidence.get(evidence)
        if known is None:
            known = self._evidence[evidence] = tuple([Evidence(*one) for one in evidence])
        _put_evidence(memory, known)
        _open(memory, *rest)
        return memory


def _open(
    memory: Filed, id_: Any, subject: Any, predicate: Any, status: Any, type_: Any, value: Any, none: Any,
    revision: Any, authority: Any, supersedes: Any, verified: Any, review: Any, expires: Any, reason: Any,
) -> None:  # fmt: skip
    """Put the open fields into their places, one by one: a loop takes twice as long, for each of thousands."""
    _put_id(memory, id_)
    _put_subject(memory, subject)
    _put_predicate(memory, predicate)
    _put_status(memory, status)
    _put_type(memory, type_)
    _put_value(memory, value)
    _put_none(memory, none)
    _put_revision(memory, revision)
    _put_authority(memory, authority)
    _put_supersedes(memory, supersedes)
    _put_verified(memory, verified)
    _put_review(memory, review)
    _put_expires(memory, expires)
    _put_reason(memory, reason)


def _values(memory: Memory) -> tuple[Any, ...]:
    return tuple([getattr(memory, name) for name in Memory.__slots__])


def _plain(value: Scope | Source | Evidence) -> tuple[Any, ...]:
    return tuple([getattr(value, name) for name in value.__slots__])


def _side_fields(side: Side) -> tuple[Any, ...]:
    sources = tuple(map(_plain, side.source))
    return tuple([sources if name == "source" else getattr(side, name) for name in side.__slots__])


def _side(side_id: str, value: str | None, description: str, authority: Any, source: Sequence[Any], type_: Any) -> Side:
    return Side(side_id, value, description, authority, tuple([Source(*one) for one in source]), type_)
