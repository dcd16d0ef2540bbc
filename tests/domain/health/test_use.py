"""What is said of the selection and of corrections: who is never given, who always, who misled again and again."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.health.facts import Known
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.health.report import Figure, Month
from memdir_cli.domain.health.use import MOST, corrections, selection
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import NOW, event, facts, known
from tests.records import project, user

START, AFTER = "2026-07-02T18:00:00Z", "2026-07-02T18:00:01Z"
LOG: dict[Layer, str] = {"project": START}


def old(name: str = "a", created: str = START, **keys: Any) -> Known:
    """A memory that stood before the ninety days began."""
    return known(project(id=name, **{"created_at": created, "updated_at": "", "verified_at": "", **keys}))


def counted(**numbers: int) -> dict[Name, int]:
    return {("project", name): number for name, number in numbers.items()}


def selected(name: str, *memories: Known, since: dict[Layer, str] = LOG, **read: Any) -> Figure:
    """One number on the selection."""
    section = selection(facts(*memories, reads=Reads(since=since, **read)))
    return next(one for one in section.figures if one.name == name)


@pytest.mark.parametrize(
    ("memory", "since", "latest", "value"),
    [
        (old(), {"project": START}, "", 1),
        (old(), {"project": AFTER}, "", None),
        (old(), {}, "", None),
        (old(created=AFTER), LOG, "", 0),
        (old(), LOG, START, 1),
        (old(), LOG, AFTER, 0),
        # its own memdir has no log that reaches so far
        (known(user(id="a", created_at=START)), LOG, "", 0),
        (known(user(id="a", created_at=START)), {**LOG, "user": START}, "", 1),
    ],
)
def test_what_no_read_gave_for_ninety_days_is_told_where_the_log_reaches_so_far(
    memory: Known, since: dict[Layer, str], latest: str, value: int | None
) -> None:
    figure = selected("never", memory, since=since, latest={memory.name: latest} if latest else {})
    assert (figure.label, figure.value, figure.severity) == ("not given for 90 days", value, "info")


def test_what_was_not_given_is_told_with_the_day_of_the_last_time() -> None:
    memories = (old("a"), old("b", created="2026-07-01T08:00:00Z"))
    figure = selected("never", *memories, latest={("project", "a"): "2026-07-02T10:00:00Z"})
    assert [(item.id, item.note, item.command) for item in figure.items] == [
        ("b", "never given", "memdir show b"), ("a", "last given 2026-07-02", "memdir show a"),
    ]  # fmt: skip


@pytest.mark.parametrize(("left_out", "given", "value"), [(5, 0, 1), (4, 0, 0), (5, 1, 0), (0, 0, 0)])
def test_what_was_often_left_out_and_never_given_is_crowded_out(left_out: int, given: int, value: int) -> None:
    read: dict[str, Any] = {"crowded_out": counted(a=left_out), "lately": counted(a=given)}
    figure = selected("crowdedOut", old(), **read)
    assert figure.value == value
    assert [item.note for item in figure.items] == ["left out 5 times"] * value
    assert selected("crowdedOut", old(), since={}, **read).value is None


def test_the_most_often_given_are_told_with_how_often() -> None:
    memories = [old(name) for name in "abcdefg"]
    figure = selected("most", *memories, lately=counted(a=1, b=7, c=3, d=2, e=9, f=4, x=20))
    assert (figure.value, figure.unit) == (9, "times")
    assert [(item.id, item.note) for item in figure.items] == [
        ("e", "9 times"), ("b", "7 times"), ("f", "4 times"), ("c", "3 times"), ("d", "2 times"),
    ]  # fmt: skip
    assert len(figure.items) == MOST
    assert [item.note for item in selected("most", old(), lately=counted(a=1)).items] == ["1 time"]
    assert selected("most", old()).value == 0
    assert selected("most", old(), since={}).value is None


def test_reads_are_counted_where_there_is_a_log_of_them() -> None:
    assert (selected("reads", total=3).value, selected("reads").value) == (3, 0)
    assert selected("reads", since={}).value is None


@pytest.mark.parametrize(("before", "now", "worse"), [(1, 2, True), (2, 2, False), (3, 2, False), (None, 2, False)])
def test_more_corrections_than_the_month_before_are_worse(before: int | None, now: int, worse: bool) -> None:
    trend = (Month("2026-08", corrections=before), Month("2026-09", corrections=now))
    figure = corrections(facts(trend=trend)).figures[0]
    assert (figure.value, figure.before, figure.worse) == (now, before, worse)


def corrected(name: str, *times: str) -> list[object]:
    return [event("superseded", at, id=name) for at in times]


def test_what_was_corrected_again_and_again_is_told_the_worst_first() -> None:
    happened = [
        *corrected("a", NOW, NOW), *corrected("b", NOW, NOW, NOW), *corrected("c", NOW), *corrected("gone", NOW, NOW),
        event("confirmed", NOW, id="c"), event("superseded", NOW, id="c", actor="agent"),
    ]  # fmt: skip
    figure = corrections(facts(*(old(name) for name in "abc"), happened=tuple(happened))).figures[1]
    assert [(item.id, item.note) for item in figure.items] == [("b", "3 corrections"), ("a", "2 corrections")]


@pytest.mark.parametrize(("first", "value"), [("2025-10-01T00:00:00Z", 1), ("2025-09-30T23:59:59Z", 0)])
def test_corrections_count_for_twelve_months(first: str, value: int) -> None:
    assert corrections(facts(old(), happened=tuple(corrected("a", first, NOW)))).figures[1].value == value
