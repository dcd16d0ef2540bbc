"""What waits for a person: how much, for how long, the oldest first, and what to type about it."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.health.facts import Facts, Known
from memdir_cli.domain.health.report import Figure, Month, Section
from memdir_cli.domain.health.waiting import candidates, conflicts
from memdir_cli.domain.memory import Side
from tests.domain.health.happened import facts, known
from tests.records import project, user

SIDES = (Side("s1", "npm", "", "user"), Side("s2", "pnpm", "", "user"))
TREND = (Month("2026-08", conflicted=1, candidate=2, conflicts=1), Month("2026-09", conflicts=2))


def conflict(since: str = "", **keys: Any) -> Known:
    """A conflict that is open since then; where no receipt tells, its memory was made on the first of September."""
    return known(project(status="conflicted", value=None, sides=SIDES, **{"id": "c1", **keys}), since=since)


def candidate(created: str = "2026-09-30T08:00:00Z", **keys: Any) -> Known:
    """A candidate that was made then."""
    return known(
        project(folder="inbox", status="candidate", created_at=created, **{"verified_at": "", "id": "w1", **keys})
    )


def figure(section: Section, name: str) -> Figure:
    return next(one for one in section.figures if one.name == name)


def test_conflicts_are_told_the_oldest_first_with_sides_and_days() -> None:
    told = conflicts(
        facts(
            conflict("2026-09-20T08:00:00Z", id="young"),
            conflict("2026-08-20T08:00:00Z", id="old"),
            conflict("2026-09-30T08:00:00Z", id="today"),
            conflict(id="untold"),
        )
    )
    items = [(item.id, item.date, item.note) for item in figure(told, "open").items]
    assert items == [
        ("old", "2026-08-20", "2 sides, open for 41 days"),
        ("untold", "2026-09-01", "2 sides"),
        ("young", "2026-09-20", "2 sides, open for 10 days"),
        ("today", "2026-09-30", "2 sides"),
    ]
    longest = figure(told, "longest")
    assert (longest.value, longest.unit) == (41, "days")
    assert (figure(told, "open").command, longest.command) == ("memdir settle old --keep SIDE-ID",) * 2


@pytest.mark.parametrize(
    ("since", "days", "severity"),
    [
        ("", 0, "warning"),
        ("2026-09-30T00:00:00Z", 0, "warning"),
        ("2026-08-31T23:00:00Z", 30, "warning"),
        ("2026-08-30T23:00:00Z", 31, "error"),
    ],
)
def test_a_conflict_that_nobody_settles_for_a_month_is_grave(since: str, days: int, severity: str) -> None:
    told = conflicts(facts(conflict(since)))
    assert (figure(told, "longest").value, figure(told, "open").severity) == (days, severity)


def test_where_nothing_is_in_conflict_the_list_is_what_to_type() -> None:
    told = conflicts(facts(known()))
    assert [(one.name, one.value) for one in told.figures if one.name != "opened"] == [
        ("open", 0), ("task", 0), ("repository", 0), ("user", 0), ("longest", 0),
    ]  # fmt: skip
    assert (figure(told, "open").command, figure(told, "longest").command) == ("memdir list --status conflicted",) * 2


def test_candidates_are_told_the_oldest_first_with_the_day_and_why_they_wait() -> None:
    reason = "unconfirmed: said by a source of kind agent"
    told = candidates(
        facts(
            candidate("2026-09-28T08:00:00Z", id="b", status_reason=reason),
            candidate("2026-09-20T08:00:00Z", id="a", verified_at="2026-09-29T08:00:00Z"),
        )
    )
    waiting, oldest = figure(told, "waiting"), figure(told, "oldest")
    assert [(item.id, item.date, item.note) for item in waiting.items] == [
        ("a", "2026-09-20", ""), ("b", "2026-09-28", "unconfirmed"),
    ]  # fmt: skip
    assert (waiting.command, oldest.value) == ("memdir confirm a", 10)
    empty = candidates(facts())
    assert (figure(empty, "waiting").command, figure(empty, "oldest").value) == ("memdir list --status candidate", 0)


@pytest.mark.parametrize(
    ("told", "severity"),
    [
        (facts(candidate("2026-09-23T00:00:00Z")), "info"),
        (facts(candidate("2026-09-22T23:59:59Z")), "warning"),
        (facts(candidate("someday")), "info"),
        (facts(*[candidate(id=f"w{n}") for n in range(7)]), "info"),
        (facts(*[candidate(id=f"w{n}") for n in range(8)]), "warning"),
    ],
)
def test_many_candidates_or_one_that_waits_for_over_a_week_are_a_warning(told: Facts, severity: str) -> None:
    assert figure(candidates(told), "waiting").severity == severity


def test_a_candidate_that_does_not_say_since_when_it_waits_counts_as_new() -> None:
    assert figure(candidates(facts(candidate("someday"))), "oldest").value == 0


@pytest.mark.parametrize(
    ("waits", "leaves"),
    [
        (candidate("2026-09-01T18:00:00Z"), True),
        (candidate("2026-09-01T18:00:01Z"), False),
        # a memory that was verified once is no proposal that passes
        (candidate("2026-09-01T18:00:00Z", verified_at="2026-09-02T08:00:00Z"), False),
    ],
)
def test_within_a_week_before_a_candidate_goes_it_is_told(waits: Known, *, leaves: bool) -> None:
    told = candidates(facts(waits, kept_for={"project": "36d"}))
    assert figure(told, "leaving").value == (1 if leaves else 0)
    assert figure(candidates(facts(waits, kept_for={"user": "36d"})), "leaving").value == 0, "each memdir has its own"


def test_what_got_more_since_last_month_is_worse() -> None:
    told = facts(
        conflict("2026-09-20T08:00:00Z"), conflict("2026-09-20T08:00:00Z", id="c2"), candidate(), candidate(id="w2"),
        candidate(id="w3"), trend=TREND,
    )  # fmt: skip
    figures = [*conflicts(told).figures, *candidates(told).figures]
    compared = {one.name: (one.before, one.value, one.worse) for one in figures if one.before is not None}
    assert compared == {"open": (1, 2, True), "opened": (1, 2, True), "waiting": (2, 3, True)}


def test_conflicts_are_counted_by_their_level() -> None:
    told = conflicts(facts(conflict(), known(user(status="conflicted", sides=SIDES)), conflict(id="c2")))
    assert [(name, figure(told, name).value) for name in ("task", "repository", "user")] == [
        ("task", 0), ("repository", 2), ("user", 1),
    ]  # fmt: skip
