"""What the access logs tell."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.health.reads import Line, gathered
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import NOW

DAY = "2026-09-14T09:30:00Z"


def line(layer: Layer = "project", at: str = DAY, *, shown: tuple[str, ...] = ("a",), **more: Any) -> Line:
    """A line of a log."""
    return layer, {"at": at, "verb": "context", "session": "s1", "shown": [{"id": one} for one in shown], **more}


def test_a_read_of_both_memdirs_is_one_read() -> None:
    reads = gathered([line("user", characters=900), line("project", characters=900)], NOW)
    assert (reads.months["2026-09"].reads, reads.months["2026-09"].characters, reads.total) == (1, 900, 1)
    assert dict(reads.lately) == {("user", "a"): 1, ("project", "a"): 1}


def test_two_reads_of_one_second_are_two() -> None:
    twice = [line("user", characters=900), line("user", characters=900), line("project", characters=900)]
    assert gathered(twice, NOW).months["2026-09"].reads == 2


def test_characters_are_those_that_were_counted() -> None:
    lines = [line(characters=100), line(characters=201, session="s2"), line(session="s3")]
    month = gathered(lines, NOW).months["2026-09"]
    assert (month.reads, month.characters) == (3, 150)
    assert gathered([line()], NOW).months["2026-09"].characters is None
    assert gathered([line(characters=-1)], NOW).months["2026-09"].characters is None
    assert gathered([line(characters=0)], NOW).months["2026-09"].characters == 0, (
        "it was counted, and nothing was given"
    )


def test_a_read_is_crowded_if_either_memdir_left_something_out() -> None:
    lines = [line("user", characters=9), line("project", characters=9, excluded={"budget": ["b"], "level": ["c"]})]
    for told in (lines, lines[::-1]):
        reads = gathered(told, NOW)
        assert reads.months["2026-09"].crowded == 1
        assert dict(reads.crowded_out) == {("project", "b"): 1}


def test_lately_are_ninety_days() -> None:
    old, young = "2026-07-02T18:00:00Z", "2026-07-02T18:00:01Z"
    reads = gathered([line(at=old), line(at=young, session="s2")], NOW)
    assert (reads.total, dict(reads.lately), reads.since) == (1, {("project", "a"): 1}, {"project": old})


def test_sessions_are_counted_once_and_reads_without_one_each() -> None:
    lines = [line(at=f"2026-09-{day}T09:30:00Z") for day in range(14, 20)]
    alone = [line(session=None), line(session=None, verb="get")]
    assert gathered([*lines, *alone], NOW).sessions == {("project", "a"): 3}


def test_a_memory_was_last_given_by_the_latest_read_whatever_log_came_first() -> None:
    days = ["2026-09-14T09:30:00Z", "2026-09-16T09:30:00Z", "2026-09-15T09:30:00Z"]
    reads = gathered([line(at=day) for day in days], NOW)
    assert reads.latest == {("project", "a"): days[1]}
    assert reads.since == {"project": days[0]}


def test_what_lies_ahead_of_the_report_does_not_count() -> None:
    assert gathered([line(at="2026-09-30T18:00:01Z")], NOW).months == {}
    assert gathered([line(at=NOW)], NOW).total == 1, "its own second does"


@pytest.mark.parametrize("at", [None, 7, "", "2026-09-14", "2026-09-14 09:30:00", "2026-09-31", "yesterday"])
def test_a_line_without_a_time_is_passed_over_and_hides_none_behind_it(at: object) -> None:
    without: Line = ("project", {"at": at, "verb": "get", "session": "s9", "shown": [{"id": "b"}]})
    assert gathered([without, line()], NOW) == gathered([line()], NOW)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "budget", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = ("at", "verb", "session", "task", "shown", "excluded", "budget", "characters")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=6), max_size=4))
def test_a_line_may_hold_anything(lines: list[dict[str, Any]]) -> None:
    told: list[Line] = [("project", {**entry, "at": DAY}) for entry in lines]
    reads = gathered(told, NOW)
    assert sum(month.reads for month in reads.months.values()) <= len(lines)
    assert gathered([("project", entry) for entry in lines], "2026-01-01T00:00:00Z").total == 0
