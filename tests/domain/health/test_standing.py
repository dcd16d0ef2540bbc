"""What stands: where it comes from, when somebody should look again, what speaks against it."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.health.facts import Facts, Known, Look
from memdir_cli.domain.health.report import Figure, Month, Section
from memdir_cli.domain.health.standing import overdue, sources, stale
from tests.domain.health.happened import facts, known
from tests.records import project

CHANGED, SAME = Look("package.json#scripts.test", "changed"), Look("exists:a", "same")
AWAY, BROKEN = Look("b.json", "unknown"), Look("c.json", "unreadable")


def doubted(reason: str, **keys: Any) -> Known:
    """A memory of which its file says that it is stale."""
    return known(project(status="stale", status_reason=reason, **keys), since="2026-09-20T08:00:00Z")


def figure(section: Section, name: str) -> Figure:
    return next(one for one in section.figures if one.name == name)


def notes(section: Section, name: str) -> list[tuple[str, str]]:
    """Id and note of each memory that a number counts."""
    return [(item.id, item.note) for item in figure(section, name).items]


def test_a_memory_that_no_receipt_supports_is_told_with_what_is_not_supported() -> None:
    one = known(project(id="a"), unattributed="authority")
    assert notes(sources(facts(one)), "unattributed") == [("a", "authority")]
    assert figure(sources(facts(one, looked=False)), "unattributed").value is None


def test_what_is_due_is_told_with_why_and_the_longest_unconfirmed_first() -> None:
    told = overdue(
        facts(
            known(project(id="b", predicate="a", review_after="2026-09-10")),
            known(project(id="a", predicate="b", verified_at="2026-08-01", review_after="2026-09-10")),
            known(project(id="c", predicate="c", expires_at="next week")),
        )
    )
    assert notes(told, "due") == [("a", "review-due"), ("b", "review-due"), ("c", "time-unreadable")]


@pytest.mark.parametrize(
    ("keys", "old"),
    [
        ({"verified_at": "2026-03-14"}, ["200 days"]),
        ({"verified_at": "2026-03-14", "expires_at": "2027-01-01"}, []),
        ({"verified_at": "2026-03-14", "review_after": "2027-01-01"}, []),
        ({"verified_at": "someday"}, []),
        ({"verified_at": ""}, []),
    ],
)
def test_what_nobody_confirmed_for_long_and_has_no_date_is_told_with_its_days(
    keys: dict[str, Any], old: list[str]
) -> None:
    assert [note for _, note in notes(overdue(facts(known(project(**keys)))), "old")] == old


@pytest.mark.parametrize(
    ("verified", "longest"),
    [
        ([], 0),
        (["2026-09-30"], 0),
        (["", "someday"], 0),
        (["2026-09-20", "2026-08-31", "2026-09-29"], 30),
    ],
)
def test_the_longest_without_a_word_is_that_of_one_that_may_be_given(verified: list[str], longest: int) -> None:
    memories = [known(project(id=str(n), verified_at=day)) for n, day in enumerate(verified)]
    waiting = known(project(folder="inbox", status="candidate", verified_at="2025-01-01"))
    assert figure(overdue(facts(*memories, waiting)), "longest").value == longest


@pytest.mark.parametrize(
    ("doubtful", "served", "severity"),
    [(1, 1, "warning"), (2, 2, "warning"), (3, 3, "error"), (3, 9, "warning"), (4, 9, "error")],
)
def test_more_than_a_third_is_grave_and_a_few_never(doubtful: int, served: int, severity: str) -> None:
    memories = [
        known(project(id=str(n), status="stale" if n < doubtful else "verified", review_after="2027-01-01"))
        for n in range(served)
    ]
    assert figure(stale(facts(*memories)), "stale").severity == severity


def test_the_stale_are_told_with_what_speaks_against_them_and_since_when() -> None:
    told = stale(
        facts(
            doubted("evidence-changed: x", id="a", predicate="a"),
            known(
                project(id="b", predicate="b", status="stale", status_reason="evidence-changed: x"),
                looks=(CHANGED, SAME, Look("d", "removed")),
            ),
            trend=(Month("2026-08", stale=1), Month("2026-09")),
        )
    )
    assert notes(told, "stale") == [
        ("a", "evidence-changed"),
        ("b", "changed: package.json#scripts.test; removed: d"),
    ]
    counted = figure(told, "stale")
    assert [item.date for item in counted.items] == ["2026-09-20", "2026-09-01"]
    assert (counted.before, counted.worse) == (1, True)
    assert figure(stale(facts()), "stale").command == "memdir list --status stale"


def test_the_stale_are_counted_by_what_speaks_against_them_and_named_once() -> None:
    reasons = ["evidence-changed: x", "evidence-changed: x", "evidence-removed: x", "evidence-moved: x",
               "source-unavailable: x", "review-due: x", "age-limit: x", "date-ahead: x", "by hand"]  # fmt: skip
    told = stale(facts(*[doubted(reason, id=str(n)) for n, reason in enumerate(reasons)]))
    numbers = {one.name: one.value for one in told.figures}
    assert {name: numbers[name] for name in ("stale", "changed", "removed", "moved", "source", "dates")} == {
        "stale": 9, "changed": 2, "removed": 1, "moved": 1, "source": 1, "dates": 3,
    }  # fmt: skip
    assert [one.name for one in told.figures if one.items] == ["stale"]


def test_a_file_that_does_not_say_so_yet_is_one_among_the_memories() -> None:
    told = stale(
        facts(
            known(project(id="due", review_after="2026-09-10")),
            known(project(id="over", expires_at="2026-09-10")),
            known(project(id="fine")),
            known(project(id="written", status="stale")),
            known(project(id="waiting", folder="inbox", status="candidate", expires_at="2026-09-10")),
        )
    )
    assert {item.id for item in figure(told, "unwritten").items} == {"due", "over"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("unseen", [("a", "b.json; c.json"), ("c", "b.json")]),
        ("unreadable", [("a", "b.json; c.json"), ("b", "c.json")]),
    ],
)
def test_evidence_that_tells_nothing_is_named(name: str, told: list[tuple[str, str]]) -> None:
    given: Facts = facts(
        known(project(id="a"), looks=(AWAY, SAME, BROKEN)),
        known(project(id="b"), looks=(SAME, BROKEN)),
        known(project(id="c"), looks=(AWAY,)),
        known(project(id="d"), looks=(SAME, CHANGED)),
    )
    assert notes(stale(given), name) == told
