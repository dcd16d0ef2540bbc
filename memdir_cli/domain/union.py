"""Union: what two sides have added to a common past, woven into one. The same whichever side is one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from memdir_cli.domain import times
from memdir_cli.domain.source import ATTESTATIONS, Source, name_of
from memdir_cli.shapes import replace

Element = TypeVar("Element")


def woven(ours: Sequence[Element], theirs: Sequence[Element], key: Callable[[Element], Any]) -> tuple[Element, ...]:
    """Every element of both, once. Each side keeps its order; between the sides the smaller ``key`` comes first.

    :param key: unequal elements have unequal keys, else the result depends on whose side is whose.
    """
    found: dict[Element, None] = {}
    left, right = list(reversed(ours)), list(reversed(theirs))
    while left or right:
        for side in (left, right):
            while side and side[-1] in found:
                side.pop()
        if left and right:
            side = left if key(left[-1]) <= key(right[-1]) else right
        else:
            side = left or right
        if side:
            found[side.pop()] = None
    return tuple(found)


def united(ours: tuple[Source, ...], theirs: tuple[Source, ...]) -> tuple[Source, ...]:
    """The sources of both, in the order of their times; entries equal in kind and reference are one.

    None is dropped for want of room: whoever writes next moves the older ones to history.
    """
    known: dict[tuple[str, str, str], Source] = {}
    for source in (*ours, *theirs):
        name = name_of(source)
        known[name] = source if name not in known else _joined(known[name], source)
    return woven([known[name_of(source)] for source in ours], [known[name_of(source)] for source in theirs], _in_time)


def lines(ours: Sequence[str], theirs: Sequence[str], at: Callable[[str], str]) -> tuple[str, ...]:
    """The lines of two logs, each once.

    :param at: the time that a line tells, ``""`` if none.
    """
    return woven(ours, theirs, lambda line: (times.order(at(line)), line))


def _joined(one: Source, other: Source) -> Source:
    """Two entries of one name as one: the words that are proven best, and where both have them the later time."""
    best = min(one, other, key=_proof)
    later = max(one.at, other.at, key=_moment) if one.said == other.said else best.at
    return replace(best, at=later)


def _proof(source: Source) -> tuple[Any, ...]:
    moment = times.order(source.at)
    return (ATTESTATIONS.index(source.attested), not source.said, -moment, source.at, source.said)


def _moment(at: str) -> tuple[int, str]:
    return (times.order(at), at)


def _in_time(source: Source) -> tuple[Any, ...]:
    return (times.order(source.at), source.at, source.kind, source.ref, source.said, source.attested)
