"""Two versions of a memory of which each says something of its own: what is taken whole, and what the sides are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain import conflict
from memdir_cli.domain.content import voices
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import EVIDENCE_DIFFERS
from memdir_cli.domain.source import Authority
from memdir_cli.domain.status import Status
from tests.domain.test_merging import BASE, PNPM, YARN, both_ways, conflicted, made, probed, said, settled
from tests.domain.test_merging_ends import HEARD, over, values


@pytest.mark.parametrize("status", ["quarantined", "conflicted", "archived", "stale"])
def test_evidence_that_differs_makes_no_status_better(status: Status) -> None:
    why = "code: why"
    mine = probed("a", "b", status=status, status_reason=why, revision=2)
    yours = probed("a", "c", status=status, status_reason=why, revision=2)
    if status == "conflicted":
        mine, yours = (replace(one, depends_on=it.depends_on) for one, it in ((PNPM, mine), (YARN, yours)))
        why = conflict.REASON
    merged = both_ways(probed("a"), mine, yours)
    assert (merged.status, merged.status_reason) == (status, why)


@pytest.mark.parametrize(
    "other", [over(YARN), replace(PNPM, status="candidate", status_reason="unproven: x"), conflicted("npm", "bun")]
)
def test_evidence_that_differs_is_told_also_where_the_other_side_does_not_stand(other: Memory) -> None:
    mine = replace(PNPM, depends_on=probed("a", "b").depends_on)
    yours = replace(other, depends_on=probed("a", "c").depends_on)
    base = conflicted("npm", "pnpm", "bun") if other.sides else BASE
    merged = both_ways(replace(base, depends_on=probed("a").depends_on), mine, yours)
    if merged.status == "stale":
        assert merged.status_reason == EVIDENCE_DIFFERS
    else:
        assert merged.status == "conflicted"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "both"),
    [
        (None, "inferred", "user", "user"),
        (None, "user", "policy", "policy"),
        ("inferred", "user", "inferred", "user"),
        # one side took it back, perhaps for good reason
        ("user", "inferred", "user", "inferred"),
        ("observed", "user", "policy", "policy"),
    ],
)
def test_authority_is_that_of_the_side_that_changed_it_and_the_higher_of_two(
    base: Authority | None, ours: Authority, theirs: Authority, both: Authority
) -> None:
    common = replace(BASE, authority=base) if base else None
    mine = replace(HEARD, authority=ours, created_at="2026-08-01T08:00:00Z")
    yours = replace(BASE, authority=theirs, source=(said(1), said(7)))
    assert both_ways(common, mine, yours).authority == both


@pytest.mark.parametrize(
    "change",
    [
        {"value": None, "none": True, "description": "package_manager: nothing applies"},
        {"type": "decision"},
        {"description": "Install with npm"},
        {"value": None, "body": "\n\nRun npm ci.\r\n"},
        {"body": "\n\nWhy.\n\n"},
    ],
)
def test_what_one_side_says_is_taken_to_the_byte_beside_one_that_was_only_heard_again(change: dict[str, Any]) -> None:
    mine = replace(BASE, revision=2, **change)
    merged = both_ways(BASE, mine, HEARD)
    assert replace(merged, source=mine.source) == mine
    assert merged.source == HEARD.source


def test_the_same_change_on_both_sides_is_no_conflict_beside_another_that_one_made() -> None:
    merged = both_ways(BASE, replace(PNPM, body="Why.\n"), replace(PNPM, source=(said(5),)))
    assert (merged.status, merged.value, merged.body) == ("verified", "pnpm", "Why.\n")


def test_beside_an_end_that_had_not_seen_it_stands_what_nobody_let_go_of() -> None:
    merged = both_ways(BASE, conflicted("npm", "pnpm"), over(YARN))
    assert (values(merged), merged.sides) == ({"pnpm"}, ())
    # what was settled meanwhile stands, though the other side let go of it
    merged = both_ways(conflicted("npm", "pnpm"), settled("npm", 3), over(replace(YARN, revision=3)))
    assert (merged.status, merged.value) == ("verified", "npm")


def sided(*sides: tuple[str, str, Authority]) -> Memory:
    """A conflict of these ids, values and authorities."""
    (one, value, first), (other, rival, second) = sides
    newcomer = made(rival, authority=second, source=(said(2),))
    memory = conflict.open_conflict(made(value, authority=first), newcomer, (one, other), "2026-09-02T08:00:00Z")
    return replace(memory, revision=2)


def test_no_two_sides_share_an_id_and_none_lacks_one() -> None:
    same = both_ways(
        BASE, sided(("s1", "a", "user"), ("s2", "b", "user")), sided(("s1", "a", "user"), ("s2", "c", "user"))
    )
    alone = both_ways(made("a"), conflicted("a", "b"), settled("c", 2))
    new = both_ways(BASE, PNPM, YARN)
    for merged, count in ((same, 3), (alone, 2), (new, 2)):
        ids = {side.id for side in merged.sides}
        assert len(ids) == len(merged.sides) == count
        assert "" not in ids
    assert {side.id for side in same.sides if side.value == "a"} == {"s1"}
    assert {side.id for side in alone.sides if side.value == "b"} == {"side-b"}


def test_a_side_that_both_have_is_told_with_the_higher_authority() -> None:
    mine, yours = sided(("s1", "a", "inferred"), ("s2", "b", "user")), sided(("s1", "a", "user"), ("s3", "c", "user"))
    merged = both_ways(BASE, mine, yours)
    assert {side.value: side.authority for side in merged.sides} == {"a": "user", "b": "user", "c": "user"}
    assert {content.value for content in voices(merged)} == {"a", "b", "c"}


def test_of_two_pasts_that_are_over_nothing_is_lost() -> None:
    merged = both_ways(None, over(YARN, revision=3), PNPM)
    assert (merged.status, values(merged)) == ("expired", {"pnpm", "yarn"})
