"""How old what is in use is, what the report cannot know, and its first three sentences."""

from __future__ import annotations

import pytest

from memdir_cli.domain.health import assembling
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import facts, known
from tests.records import project, user


@pytest.mark.parametrize(
    ("verified", "age"),
    [
        ("2026-08-31", "up to 30 days"),
        ("2026-08-30", "31 to 90 days"),
        ("2026-07-02", "31 to 90 days"),
        ("2026-07-01", "91 to 180 days"),
        ("2025-09-30", "181 to 365 days"),
        ("2025-09-29", "over a year"),
    ],
)
def test_a_day_belongs_to_the_age_that_names_it(verified: str, age: str) -> None:
    counted = assembling.counts(facts(known(project(verified_at=verified))))["age"]
    assert {name for name, number in counted.items() if number} == {age}


@pytest.mark.parametrize(
    ("since", "young"),
    [
        ({"project": "2026-07-02T18:00:01Z"}, True),
        ({"project": "2026-07-02T18:00:00Z"}, False),
        ({"user": "2026-01-01T00:00:00Z", "project": "2026-09-01T00:00:00Z"}, False),
    ],
)
def test_ninety_days_of_reads_are_enough_in_the_log_that_is_the_older(since: dict[Layer, str], *, young: bool) -> None:
    unknown = assembling.report(facts(reads=Reads(since=since))).unknown
    assert any("younger than 90 days" in sentence for sentence in unknown) == young


def test_of_a_time_that_is_over_it_is_said_what_tells_of_it() -> None:
    unknown = assembling.report(facts(past=True)).unknown
    assert unknown[0].startswith("That time is over: its state is put together from the receipts")
    assert not any("That time is over" in sentence for sentence in assembling.report(facts()).unknown)


def test_the_worst_section_says_how_it_is() -> None:
    assert assembling.report(facts(known())).opening.how.startswith("In good order: ")
    made = assembling.report(facts(known(project(status="stale")), known(user(id="u"))))
    assert made.opening.how == "Needs a look: 2 memories may be given to agents, 1 of them stale."


def test_of_much_that_got_worse_three_are_named_and_the_rest_counted() -> None:
    before = Month("2026-08", verified=1, stale=0, candidate=0, conflicts=0, corrections=0, forgotten=0, returns=0)
    now = Month("2026-09", conflicts=1, corrections=1, returns=1)
    memories = [known(project(status="stale")), known(project(folder="inbox", status="candidate"))]
    worse = assembling.report(facts(*memories, trend=(before, now))).opening.worse
    assert worse.count("→") == 3
    assert worse.endswith(" and 2 more.")
    fewer = assembling.report(facts(trend=(before, now))).opening.worse
    assert fewer.count("→") == 3
    assert "more" not in fewer
