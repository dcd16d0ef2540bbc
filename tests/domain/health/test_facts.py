"""What is in use, what of a memory is told, and what happened in the month."""

from __future__ import annotations

import pytest

from memdir_cli.domain.health.facts import PROBE_CHARACTERS, Known, by_date, code_of, days, told_probe
from memdir_cli.domain.snapshot import Record
from tests.domain.health.happened import NOW, event, facts, known
from tests.records import project, task


@pytest.mark.parametrize(
    ("record", "served", "current"),
    [
        (project(), True, True),
        (project(status="stale"), True, True),
        (task("T1"), True, True),
        (project(status="conflicted"), False, True),
        (project(expires_at="2026-09-01"), False, False),
        (project(folder="inbox"), False, False),
        (project(folder="history", status="conflicted"), False, False),
        (project(folder="inbox", status="candidate"), False, False),
    ],
)
def test_in_use_is_what_may_be_given_or_is_in_conflict_where_memories_lie(
    record: Record, *, served: bool, current: bool
) -> None:
    one = known(record)
    told = facts(one)
    assert (one.served, one.current) == (served, current)
    assert (told.served, told.current) == ((one,) * served, (one,) * current)


def test_a_memory_is_told_with_a_day_and_a_command_about_it() -> None:
    one = known(project(id="a1", predicate="port", verified_at="2026-09-10T08:00:00Z"))
    assert one.item().date == "2026-09-10"
    assert one.item(date="2026-09-20T08:00:00Z").date == "2026-09-20"
    assert one.item(command="memdir history KEY").command == "memdir history port"
    assert one.item(command="memdir settle ID --keep SIDE-ID").command == "memdir settle a1 --keep SIDE-ID"


def test_events_are_those_of_the_month_and_of_the_kind() -> None:
    meant = event("superseded", at="2026-09-30T17:59:59Z")
    others = [event("superseded", at="2026-08-31T23:59:59Z"), event("created", at="2026-09-30T17:59:59Z")]
    assert facts(happened=(*others, meant)).events("superseded") == [meant]


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("", ""),
        ("rival", "rival"),
        ("evidence-removed: `npm: test` is gone", "evidence-removed"),
        (" rival : contradicts a", "rival"),
        ("Rival: contradicts a", "other"),
    ],
)
def test_the_code_of_a_reason_stands_before_its_first_colon(reason: str, code: str) -> None:
    assert code_of(reason) == code


def test_a_probe_that_has_room_is_told_whole() -> None:
    assert told_probe("a" * PROBE_CHARACTERS) == "a" * PROBE_CHARACTERS
    assert told_probe("a" * (PROBE_CHARACTERS + 1)) == "a" * (PROBE_CHARACTERS - 1) + "…"


def test_the_longest_unconfirmed_comes_first_and_of_one_day_the_key_decides() -> None:
    made: list[Known] = [
        known(project(predicate="b", id="b")),
        known(project(predicate="c", id="c", verified_at="2026-02-01")),
        known(project(predicate="a", id="a")),
    ]
    assert [one.record.memory.id for one in by_date(made)] == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("then", "told"),
    [
        (NOW, 0),
        ("2026-09-30T00:00:00Z", 0),
        ("2026-09-29T23:59:59Z", 1),
        ("2026-10-02", 0),
        ("someday", None),
        ("", None),
    ],
)
def test_days_are_those_of_the_calendar_and_never_fewer_than_none(then: str, told: int | None) -> None:
    assert days(then, NOW) == told
