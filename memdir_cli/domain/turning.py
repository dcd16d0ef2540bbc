"""Turning: when the clock will next change what can be said of a memory, if nobody touches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from memdir_cli.domain import times
from memdir_cli.domain.memory import Memory
from memdir_cli.errors import UsageError

#: Later than any clock.
NEVER = 1 << 62

#: The first second of the calendar.
_FIRST = times.start("0001-01-01")


def next_turn(memories: Iterable[Memory], now: str, limits: Mapping[str, str]) -> int:
    """The first second (since 1970) after ``now`` at which one of ``memories`` may be judged otherwise.

    :param limits: per type, the span after which a memory that nobody confirmed anew is stale.
    """
    here = times.start(now)
    # offsets move a date by a day at most
    lately = times.from_clock(max(here - 2 * times.SKEW, _FIRST))[:10]
    ahead = (
        turn for memory in memories if _may_turn(memory, lately, limits) for turn in _turns(memory, lately, limits)
    )
    return min((turn for turn in ahead if turn > here), default=NEVER)


def _may_turn(memory: Memory, lately: str, limits: Mapping[str, str]) -> bool:
    """Whether there is anything to find out about a memory: most have only dates that are past."""
    return bool(memory.latest >= lately or memory.expires_at or memory.review_after or memory.type in limits)


def _turns(memory: Memory, lately: str, limits: Mapping[str, str]) -> Iterator[int]:
    """The moments at which something about a memory changes; those before ``lately`` are left out."""
    for when in (memory.expires_at, memory.review_after):
        if when:
            yield from _read(times.end, when)
    happened = [memory.created_at, memory.updated_at, memory.verified_at, *[one.at for one in memory.source]]
    for when in happened:
        if when[:10] >= lately:
            # until then it lies ahead by more than clocks differ, or on a day to come
            yield from (turn - shift for turn in _read(times.start, when) for shift in (0, times.SKEW))
            yield from _read(times.start, when[:10])
    if memory.type in limits:
        yield from _read(
            lambda verified: times.end(times.parse_when(limits[memory.type], verified)), memory.verified_at
        )


def _read(look: Callable[[str], int], when: str) -> Iterator[int]:
    """What ``look`` gives; a text that is no time means the same at all times."""
    try:
        yield look(when)
    except (ValueError, UsageError):
        return
