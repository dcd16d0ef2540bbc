"""What is said of quarantine, of the forgotten, of refusals and of the archive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memdir_cli.domain.archiving import Chill, Cold
from memdir_cli.domain.health.calendar import days_before
from memdir_cli.domain.health.facts import Facts, Fired, Known
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Figure, Month, Section
from memdir_cli.domain.health.withdrawn import COLD, archive, forgets, quarantine, refusals
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import NOW, event, facts, known
from tests.records import project

LOG: dict[Layer, str] = {"project": "2025-01-01T00:00:00Z"}


def figure(section: Section, name: str) -> Figure:
    """One number of a section."""
    return next(one for one in section.figures if one.name == name)


def withheld(memory_id: str, since: str = "") -> Known:
    """A memory in quarantine."""
    return known(project(folder="quarantine", status="quarantined", id=memory_id), since=since)


def months(before: dict[str, Any], now: dict[str, Any]) -> Facts:
    """Two months with these numbers."""
    return facts(trend=(Month("2026-08", **before), Month("2026-09", **now)))


def test_each_that_is_withheld_is_told_with_the_day_and_how_many_sessions_it_reached() -> None:
    reads = Reads(since=LOG, sessions={("project", "q1"): 2})
    section = quarantine(facts(withheld("q1", "2026-09-20T10:00:00Z"), withheld("q2"), reads=reads))
    held = figure(section, "held")
    assert [(one.id, one.note, one.command) for one in held.items] == [
        ("q1", "given in 2 sessions", "memdir trace q1"),
        ("q2", "given in 0 sessions", "memdir trace q2"),
    ]
    assert held.items[0].date == "2026-09-20", "when it was withdrawn, not when it was last confirmed"
    reached = figure(section, "reached")
    assert (reached.value, reached.severity, reached.command) == (2, "error", "memdir trace q1")


def test_where_nothing_is_withheld_the_command_shows_so() -> None:
    section = quarantine(facts())
    assert figure(section, "held").command == "memdir list --status quarantined"
    assert (figure(section, "reached").value, figure(section, "reached").severity) == (0, "info")


def test_how_many_sessions_were_reached_is_not_known_without_a_log() -> None:
    assert figure(quarantine(facts(withheld("q1"))), "reached").value is None
    assert figure(quarantine(facts(withheld("q1"), reads=Reads(since=LOG))), "reached").value == 0
    assert figure(quarantine(facts(reads=Reads(since=LOG))), "reached").value == 0


@pytest.mark.parametrize(
    ("section", "name", "row", "worse"),
    [
        (quarantine, "held", "quarantined", True),
        (forgets, "attempts", "returns", True),
        (forgets, "month", "forgotten", False),
        (refusals, "secrets", "secrets", True),
    ],
)
def test_numbers_are_told_beside_those_of_the_month_before(
    section: Callable[[Facts], Section], name: str, row: str, worse: bool
) -> None:
    told = months({row: 0}, {row: 1})
    told = facts(withheld("q1"), trend=told.trend) if section is quarantine else told
    found = figure(section(told), name)
    assert (found.value, found.before, found.worse) == (1, 0, worse)


def test_what_was_forgotten_and_lies_in_a_file_again_is_an_error() -> None:
    fired = (
        Fired("project", "M732", "forgotten-returned", "error", 2),
        Fired("project", "M731", "archived", "warning", 5),
    )
    returned = figure(forgets(facts(fired=fired)), "returned")
    assert (returned.value, returned.severity) == (2, "error")
    assert figure(forgets(facts(fired=None)), "returned").value is None


def test_memories_are_counted_in_memories_and_not_otherwise() -> None:
    told = facts(happened=(event("quarantined"),), fired=())
    units = {one.name: one.unit for section in (quarantine(told), forgets(told)) for one in section.figures}
    assert units == {
        "held": "",
        "reached": "sessions",
        "incidents": "memories",
        "returned": "memories",
        "attempts": "times",
        "month": "memories",
        "kept": "tombstones",
    }


def chill(one: Known, why: Cold) -> Chill:
    return Chill(one.record, why, "", "")


def test_what_is_cold_is_told_once_with_the_reason_and_how_to_put_it_away() -> None:
    one = known(project(id="a"))
    past = known(project(id="a", revision=0, folder="history", status="superseded"))
    told = facts(one, past, known(project(id="b")), cold=(chill(one, "source-gone"),))
    (item,) = figure(archive(told), "candidates").items
    assert (item.id, item.note, item.command) == ("a", "source-gone", "memdir archive a")
    assert figure(archive(facts(cold=(), reads=Reads(since=LOG))), "candidates").command == "memdir archive --cold 365d"


@pytest.mark.parametrize(("begun", "told"), [(0, 1), (-1, None)])
def test_nothing_counts_as_unused_before_the_log_is_a_year_old(begun: int, told: int | None) -> None:
    one = known(project(id="a"))
    since: dict[Layer, str] = {"project": days_before(NOW, COLD + begun)}
    found = facts(one, cold=(chill(one, "unused"),), reads=Reads(since=since))
    assert figure(archive(found), "candidates").value == told


def test_what_is_in_the_archive_can_be_taken_back() -> None:
    archived = figure(archive(facts(known(project(folder="archive", status="archived", id="a")))), "archived")
    assert (archived.value, archived.severity, archived.command) == (1, "info", "memdir restore a")
    assert figure(archive(facts()), "archived").command == "memdir list --status archived"
