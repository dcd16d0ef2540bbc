"""Three: the keys in which two sides cannot contradict each other, and the evidence of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.three import Three, dated, evidence, first
from tests.domain.test_merging import BASE, probed

LATER = "2026-09-05T08:00:00Z"


def both(base: Memory | None, ours: Memory, theirs: Memory) -> Memory:
    """The keys of both sides, whichever is one's own."""
    found = dated(Three(base, ours, theirs))
    assert dated(Three(base, theirs, ours)) == found
    return found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("predicate", "Package_Manager"), ("name", "How we install"), ("review_after", "2026-12-14"),
        ("expires_at", "2026-12-14"), ("supersedes", "one@3"), ("superseded_by", "two@1"), ("rival", "two@1"),
    ],
)  # fmt: skip
def test_a_key_is_that_of_the_side_that_changed_it_also_where_it_is_the_younger_one(key: str, value: str) -> None:
    keys: dict[str, Any] = {key: value}
    changed = replace(BASE, created_at=LATER, **keys)
    assert getattr(both(BASE, BASE, changed), key) == value
    assert both(BASE, BASE, changed).created_at == BASE.created_at
    none: dict[str, Any] = {key: ""}
    if key not in {"predicate", "name"}:
        assert getattr(both(changed, changed, replace(changed, **none)), key) == "", "also where it was taken out"


@pytest.mark.parametrize("key", ["updated_at", "verified_at", "review_after", "expires_at"])
def test_of_two_times_the_later_one_counts_by_what_it_means(key: str) -> None:
    west: dict[str, Any] = {key: "2026-09-05T23:00:00-05:00"}
    utc: dict[str, Any] = {key: "2026-09-06T01:00:00Z"}
    assert getattr(both(None, replace(BASE, **west), replace(BASE, **utc)), key) == west[key]


def test_the_id_that_stays_is_that_of_the_side_that_was_there_first() -> None:
    older, younger = replace(BASE, id="z", created_at="2026-08-01T08:00:00Z"), replace(BASE, id="a")
    assert first(Three(None, older, younger)) is first(Three(None, younger, older)) is older


A, B = Evidence("a", "v1:1", "x"), Evidence("a", "v1:2", "y")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "kept", "differs"),
    [
        (None, probed("a"), BASE, probed("a").depends_on, True),
        (None, probed("a"), probed("a"), probed("a").depends_on, False),
        (BASE, probed("a"), BASE, probed("a").depends_on, False),
        (probed("a"), BASE, probed("a"), (), False),
        # looked at anew by one, and by both: the later look counts
        (replace(BASE, depends_on=(A,)), replace(BASE, depends_on=(B,)), replace(BASE, depends_on=(A,)), (B,), False),
        (None, replace(BASE, depends_on=(A,), verified_at=LATER), replace(BASE, depends_on=(B,)), (A,), False),
    ],
)
def test_evidence_of_both_sides(
    base: Memory | None, ours: Memory, theirs: Memory, kept: tuple[Evidence, ...], *, differs: bool
) -> None:
    for three in (Three(base, ours, theirs), Three(base, theirs, ours)):
        assert evidence(three) == (kept, differs)


def test_two_looks_of_one_second_are_told_alike_on_every_machine() -> None:
    one, other = replace(BASE, depends_on=(A,)), replace(BASE, depends_on=(B,))
    assert evidence(Three(None, one, other)) == evidence(Three(None, other, one))
