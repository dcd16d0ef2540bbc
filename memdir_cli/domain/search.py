"""Search: which memories hold the words that somebody looks for, and how well. Finds candidates, identifies nothing.

Okapi BM25 over the fields of a memory, each with a weight of its own. The sums are over what is searched at that
moment in both memdirs, so that a score depends on nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.shapes import dataclass

#: How a term fits the word that was asked for: it is that word, it only begins like it, it is spelt nearly like it.
How = Literal["word", "beginning", "spelling"]

#: A memory file: the memdir, and the path in it.
Place = tuple[Layer, str]

#: How often a term stands in each of :data:`FIELDS`.
Counts = tuple[int, ...]

FIELDS = ("key", "value", "qualifiers", "description", "body")
_WEIGHTS = (2.0, 1.5, 1.0, 1.0, 1.0)
_WORTH: dict[How, float] = {"word": 1.0, "beginning": 0.6, "spelling": 0.4}

#: The parameters of BM25: how soon more of the same word adds nothing, and how much a long text is held against it.
_SATURATION, _LENGTH = 1.2, 0.5


@dataclass(frozen=True, slots=True)
class Match:
    """A term that fits a word, and where it stands."""

    term: str
    how: How
    places: Mapping[Place, Counts]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a memory was found.

    :ivar word: what was asked for.
    :ivar term: what stands in the memory, without the endings that do not count.
    """

    word: str
    term: str
    how: How
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; a higher score is a better one."""

    score: float
    reasons: tuple[Reason, ...] = ()


def texts(record: Record) -> tuple[str, ...]:
    """What of a memory is searched, in the order of :data:`FIELDS`; of a quarantined one the key alone."""
    memory = record.memory
    if memory.status == "quarantined" or record.folder == "quarantine":
        return (memory.predicate, "", "", "", "")
    scope = memory.scope
    qualifiers = [scope.path or "", scope.topic or "", *(f"{key} {value}" for key, value in scope.environment)]
    name = "" if memory.name == memory.predicate else memory.name
    values = [memory.value or "", *(side.value or "" for side in memory.sides)]
    descriptions = [memory.description, *(side.description for side in memory.sides)]
    return tuple(map("\n".join, ([memory.predicate, name], values, qualifiers, descriptions, [memory.body])))


def ranked(found: Mapping[str, Sequence[Match]], lengths: Mapping[Place, int]) -> dict[Place, Hit]:
    """Every place that holds one of the words, with its score.

    :param found: by word, the terms that fit it.
    :param lengths: of every place that was searched, how many words it has.
    """
    # where nothing has words, none is longer than usual
    usual = sum(lengths.values()) / len(lengths) if any(lengths.values()) else 1.0
    sums: dict[Place, float] = {}
    reasons: dict[Place, list[Reason]] = {}
    for word, matches in found.items():
        holders = {place for match in matches for place in match.places}
        rare = math.log(1 + (len(lengths) - len(holders) + 0.5) / (len(holders) + 0.5))
        best: dict[Place, tuple[float, Reason]] = {}
        for match in matches:
            for place, counts in match.places.items():
                worth = _WORTH[match.how] * rare * _often(counts, lengths[place] / usual)
                if place not in best or worth > best[place][0]:
                    best[place] = (worth, Reason(word, match.term, match.how, _named(counts)))
        for place, (worth, reason) in best.items():
            sums[place] = sums.get(place, 0.0) + worth
            reasons.setdefault(place, []).append(reason)
    return {place: Hit(round(score, 4), tuple(reasons[place])) for place, score in sums.items()}


def _often(counts: Counts, length: float) -> float:
    """What the occurrences of a term are worth; more of them are worth less each.

    :param length: of the text, as a multiple of the usual one.
    """
    times = sum(weight * count for weight, count in zip(_WEIGHTS, counts, strict=True))
    return times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH + _LENGTH * length))


def _named(counts: Iterable[int]) -> tuple[str, ...]:
    return tuple(name for name, count in zip(FIELDS, counts, strict=True) if count)
