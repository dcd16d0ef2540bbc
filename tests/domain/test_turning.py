"""Turning: until the moment that is named, no clock changes what is said of a memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.lifecycle import RULES
from memdir_cli.domain import times
from memdir_cli.domain.effective import effective
from memdir_cli.domain.memory import TYPES, Memory, Type
from memdir_cli.domain.snapshot import Record, Snapshot
from memdir_cli.domain.source import Source
from memdir_cli.domain.turning import NEVER, next_turn
from tests.checks.ground import memory

FIRST = times.start("2026-09-10T00:00:00Z")
DAY = 86400

SECONDS = st.integers(FIRST, FIRST + 9 * DAY)
OFFSETS = st.sampled_from(["Z", "+14:00", "-12:00", "+05:45"])
KEPT = st.one_of(
    st.just(""),
    SECONDS.map(lambda second: times.from_clock(second)[:10]),
    st.builds(lambda second, zone: times.from_clock(second)[:-1] + zone, SECONDS, OFFSETS),
)
LIMITS = st.sampled_from([{}, {"fact": "1d"}, {"fact": "36h"}, {"fact": "9999999w"}])


def said(one: Memory, now: int, limits: dict[str, str]) -> object:
    """All that goes by the clock."""
    record = Record(one, f"memories/{one.predicate}.md", "", "project")
    examined = Examined(
        Snapshot("project", (record,)), times.from_clock(now), homes={record.path: record.path}, names=frozenset()
    )
    found = [(rule.code, sighting.message) for rule in RULES for sighting in rule.look(examined)]
    return found, effective(one, times.from_clock(now), {}, limits)


@given(st.tuples(*[KEPT] * 6), st.sampled_from(TYPES[2:4]), LIMITS, SECONDS, st.integers(0, 20 * DAY), st.data())
@example(("2026-09-12",) + ("",) * 5, "fact", {}, FIRST, DAY, None)
def test_nothing_changes_before_the_next_turn(
    dates: tuple[str, ...], type_: Type, limits: dict[str, str], now: int, later: int, draw: st.DataObject | None
) -> None:
    created, updated, verified, review, expires, at = dates
    one = replace(
        memory(),
        type=type_,
        created_at=created,
        updated_at=updated,
        verified_at=verified,
        review_after=review,
        expires_at=expires,
        source=(Source("user", "s", "said", at),),
    )
    turn = next_turn([one], times.from_clock(now), limits)
    assert turn > now
    seconds = {min(now + later, turn - 1), min(turn - 1, now + 20 * DAY)}
    assert {repr(said(one, second, limits)) for second in seconds} == {repr(said(one, now, limits))}


def test_it_is_the_first_of_all() -> None:
    memories = [memory(expires_at="2026-12-01"), memory(review_after="2026-10-01T12:00:00Z"), memory()]
    now = "2026-09-14T09:30:00Z"
    assert next_turn(memories, now, {}) == times.start("2026-10-01T12:00:00Z") + 0
    assert next_turn(memories[:1], now, {}) == times.start("2026-12-02")
    assert next_turn(memories[2:], now, {}) == NEVER
    assert next_turn(memories[2:], now, {"project-rule": "30d"}) == times.start("2026-10-01T08:00:00Z")


def test_what_no_clock_reads_turns_never() -> None:
    assert (
        next_turn([memory(expires_at="soon", verified_at="x")], "2026-09-14T09:30:00Z", {"project-rule": "y"}) == NEVER
    )


def test_at_the_beginning_of_the_calendar() -> None:
    assert next_turn([memory()], "0001-01-01T00:00:00Z", {}) > times.start("0001-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("now", "turn"),
    [
        ("2026-09-14T09:30:00Z", "2026-09-19T12:00:00Z"),
        # a clock that is a day behind would have it so; on the day itself; then it has happened
        ("2026-09-19T12:00:00Z", "2026-09-20T00:00:00Z"),
        ("2026-09-20T00:00:00Z", "2026-09-20T12:00:00Z"),
        ("2026-09-20T12:00:00Z", ""),
    ],
)
@pytest.mark.parametrize("key", ["created_at", "updated_at", "verified_at", "source"])
def test_what_lies_ahead_comes_nearer_step_by_step(key: str, now: str, turn: str) -> None:
    ahead = "2026-09-20T12:00:00Z"
    one = replace(memory(), **{key: (Source("user", at=ahead),) if key == "source" else ahead})  # type: ignore[arg-type]
    assert next_turn([memory(), one], now, {}) == (times.start(turn) if turn else NEVER)


@pytest.mark.parametrize(
    ("when", "turn"),
    [
        ("2026-09-15T12:00:00Z", "2026-09-14T12:00:00Z"),
        ("2026-09-13T23:00:00-12:00", "2026-09-14T11:00:00Z"),
        ("2026-09-16T01:00:00+14:00", "2026-09-14T11:00:00Z"),
    ],
)
def test_a_moment_is_meant_wherever_its_day_begins(when: str, turn: str) -> None:
    assert next_turn([memory(verified_at=when)], "2026-09-14T09:30:00Z", {}) == times.start(turn)
