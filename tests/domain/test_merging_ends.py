"""Two versions of a memory of which one is over, doubted or older: the status, the reason and the revision of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain import conflict
from memdir_cli.domain.content import voices
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.status import Status
from tests.domain.test_merging import BASE, PNPM, YARN, both_ways, conflicted, made, probed, said

HEARD = replace(BASE, source=(said(1), said(4)))


def over(memory: Memory, status: Status = "expired", **keys: object) -> Memory:
    return replace(memory, status=status, status_reason=f"code: {status}", **keys)  # type: ignore[arg-type]


def values(memory: Memory) -> set[str | None]:
    return {content.value for content in voices(memory)}


def test_an_end_of_new_words_reaches_what_was_only_heard_again() -> None:
    merged = both_ways(BASE, over(YARN), HEARD)
    assert (merged.status, merged.status_reason, values(merged)) == ("expired", "code: expired", {"yarn"})


def test_an_end_without_a_common_past_reaches_what_is_older_and_nothing_else() -> None:
    assert both_ways(None, over(YARN, revision=3), PNPM).status == "expired"
    assert both_ways(None, over(YARN, revision=2), PNPM).status == "verified"
    assert both_ways(BASE, over(YARN, revision=3), PNPM).status == "verified", "where the past is known it says who saw"


def test_an_end_of_the_same_words_reaches_them_whatever_was_said_before() -> None:
    for base in (None, made("bun")):
        merged = both_ways(base, over(PNPM), replace(PNPM, source=(said(5),)))
        assert (merged.status, merged.value, merged.source) == ("expired", "pnpm", (said(2), said(5)))


@pytest.mark.parametrize("reason", ["source-unavailable: gone", "unconfirmed: x"])
def test_what_only_one_side_doubts_stands(reason: str) -> None:
    doubted = replace(BASE, status="candidate", status_reason=reason)
    merged = both_ways(None, doubted, HEARD)
    assert (merged.status, merged.status_reason) == ("verified", "")


def test_a_quarantine_of_two_values_keeps_its_own_reason() -> None:
    merged = both_ways(BASE, over(YARN, "quarantined"), PNPM)
    assert (merged.status, merged.status_reason, values(merged)) == (
        "quarantined", "code: quarantined", {"pnpm", "yarn"},
    )  # fmt: skip


def test_of_two_reasons_for_one_status_the_one_that_was_moved_is_told() -> None:
    old, one, other = (
        replace(BASE, status="stale", status_reason=f"code: {why}", source=(said(day),))
        for day, why in enumerate(("old", "a", "b"), 1)
    )
    assert both_ways(BASE, one, other).status_reason == "code: b"
    assert both_ways(old, one, replace(old, source=(said(7),))).status_reason == "code: a"


def test_what_one_side_renamed_or_linked_stays_so() -> None:
    merged = both_ways(BASE, replace(PNPM, name="How we install"), HEARD)
    assert (merged.name, merged.value) == ("How we install", "pnpm")
    gone = over(BASE, "superseded", superseded_by="two@1")
    assert both_ways(BASE, gone, HEARD).superseded_by == "two@1"


def test_texts_above_the_sides_of_both_stay_in_one_order() -> None:
    mine, yours = conflicted("a", "b"), conflicted("a", "c")
    mine, yours = replace(mine, body=f"Ask.\n{mine.body}"), replace(yours, body=f"Be careful.\n{yours.body}")
    merged = both_ways(made("a"), mine, yours)
    assert conflict.above_sides(merged) == "Ask.\nBe careful.\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "revision"),
    [
        (BASE, replace(BASE, revision=3, source=(said(5),)), YARN, 4),
        (BASE, replace(YARN, revision=3), HEARD, 3),
        (None, over(YARN, revision=3), PNPM, 4),
        (None, over(YARN), over(PNPM), 2),
        (None, over(YARN, "superseded"), over(PNPM, "expired", revision=1), 3),
        (None, probed("a", "b"), probed("b", "a", source=(said(5),)), 1),
        (None, probed("a"), probed("a", "b", source=(said(5),)), 1),
    ],
)
def test_a_revision_moves_only_where_nobody_has_said_all_of_it(
    base: Memory | None, ours: Memory, theirs: Memory, revision: int
) -> None:
    assert both_ways(base, ours, theirs).revision == revision
