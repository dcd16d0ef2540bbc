"""Reads: what the access logs tell of the selection, month by month and memory by memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.domain.access import given
from memdir_cli.domain.health.calendar import days_before, is_time
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.rows import text_of
from memdir_cli.domain.snapshot import Layer
from memdir_cli.shapes import dataclass, field

#: Days that count as lately: what no read gave in them is not selected any more.
LATELY = 90

#: A line of an access log, and of which memdir.
Line = tuple[Layer, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class ReadMonth:
    """The reads of one month.

    :ivar characters: how many a read with a budget gave on average, ``None`` if nobody counted.
    :ivar crowded: how many of those left something out for want of room.
    """

    reads: int
    characters: int | None
    crowded: int


@dataclass(slots=True)
class _Read:
    """One read; what both memdirs tell of it."""

    at: str
    characters: int | None
    crowded: bool = False


@dataclass(frozen=True, slots=True)
class Reads:
    """All of it.

    :ivar since: the first read that each memdir's log knows.
    :ivar latest: when each memory was last given.
    :ivar lately: how often each memory was given lately.
    :ivar crowded_out: how often each memory was left out lately for want of room.
    :ivar sessions: in how many sessions each memory was ever given; reads without a session are one each.
    :ivar total: how many reads there were lately.
    """

    months: Mapping[str, ReadMonth] = field(default_factory=dict)
    since: Mapping[Layer, str] = field(default_factory=dict)
    latest: Mapping[Name, str] = field(default_factory=dict)
    lately: Mapping[Name, int] = field(default_factory=dict)
    crowded_out: Mapping[Name, int] = field(default_factory=dict)
    sessions: Mapping[Name, int] = field(default_factory=dict)
    total: int = 0


def gathered(lines: Iterable[Line], now: str) -> Reads:
    """What the logs tell up to ``now``; lines that say nothing are passed over."""
    since: dict[Layer, str] = {}
    latest: dict[Name, str] = {}
    lately, crowded_out = Counter[Name](), Counter[Name]()
    sessions: dict[Name, set[object]] = {}
    reads: dict[tuple[object, ...], _Read] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    start = days_before(now, LATELY)
    for layer, line in lines:
        at = line.get("at")
        if not is_time(at) or at > now:
            continue
        since[layer] = min(since.get(layer, at), at)
        read = _read(reads, seen, layer, line, at)
        recent = at > start
        for name in _shown(layer, line):
            latest[name] = max(latest.get(name, at), at)
            lately[name] += recent
            sessions.setdefault(name, set()).add(line.get("session") or id(read))
        left_out = list(_left_out(layer, line))
        read.crowded = read.crowded or bool(left_out)
        for name in left_out:
            crowded_out[name] += recent
    told = {name: len(one) for name, one in sessions.items()}
    total = sum(read.at > start for read in reads.values())
    return Reads(_by_month(reads.values()), since, latest, +lately, +crowded_out, told, total)


def _read(
    reads: dict[tuple[object, ...], _Read],
    seen: Counter[tuple[object, ...]],
    layer: Layer,
    line: Mapping[str, object],
    at: str,
) -> _Read:
    """The read of which ``line`` tells: one of both memdirs has a line in each."""
    alike = (at, *(str(line.get(one)) for one in ("verb", "session", "task", "budget", "characters")))
    seen[(layer, *alike)] += 1
    characters = line.get("characters")
    counted = characters if isinstance(characters, int) and characters >= 0 else None
    return reads.setdefault((*alike, seen[(layer, *alike)]), _Read(at, counted))


def _by_month(reads: Iterable[_Read]) -> dict[str, ReadMonth]:
    found: dict[str, list[_Read]] = {}
    for read in reads:
        found.setdefault(read.at[:7], []).append(read)
    return {month: _month(of_month) for month, of_month in found.items()}


def _month(reads: list[_Read]) -> ReadMonth:
    given = [read.characters for read in reads if read.characters is not None]
    average = round(sum(given) / len(given)) if given else None
    return ReadMonth(len(reads), average, sum(read.crowded for read in reads))


def _shown(layer: Layer, line: Mapping[str, object]) -> Iterator[Name]:
    return ((layer, memory_id) for one in given(line) if (memory_id := text_of(one, "id")))


def _left_out(layer: Layer, line: Mapping[str, object]) -> Iterator[Name]:
    excluded = line.get("excluded")
    crowded = excluded.get("budget") if isinstance(excluded, dict) else None
    for memory_id in crowded if isinstance(crowded, list) else ():
        if isinstance(memory_id, str):
            yield (layer, memory_id)
