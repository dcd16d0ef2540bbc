"""What the receipts must have said before a file is believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memdir_cli.domain.attribution import Claim, unsupported

MADE = Claim("2026-09-01T08:00:00Z", "verified", "user", "content-1", frozenset({"s1"}))
STALE = replace(MADE, at="2026-09-02T08:00:00Z", status="stale")
CORRECTED = Claim("2026-09-03T08:00:00Z", "verified", "user", "content-2", frozenset({"s1", "s2"}))


@pytest.mark.parametrize(
    ("found", "recorded", "lacks"),
    [
        (MADE, [], "no-receipt"),
        (MADE, [MADE], ""),
        # a person may be more cautious than the receipts, never bolder
        (replace(MADE, status="stale"), [MADE], ""),
        (replace(MADE, status="verified"), [MADE, STALE], "status"),
        (replace(MADE, status="verified"), [replace(MADE, status="candidate")], "status"),
        (replace(MADE, status="verified"), [replace(MADE, status="quarantined")], "status"),
        (CORRECTED, [MADE, STALE, CORRECTED], ""),
        (replace(MADE, authority="policy"), [MADE], "authority"),
        (replace(MADE, authority="inferred"), [MADE], "authority"),
        (replace(MADE, sources=frozenset({"s1", "forged"})), [MADE], "source"),
        (replace(MADE, sources=frozenset()), [MADE], ""),
        (replace(MADE, content="edited"), [MADE], "content"),
        # a revert to what memdir once wrote is supported
        (replace(MADE, content="content-1"), [MADE, CORRECTED], ""),
        # sources of several receipts together support a merged file
        (CORRECTED, [MADE, replace(CORRECTED, sources=frozenset({"s2"}))], ""),
    ],
)
def test_a_file_claims_no_more_than_the_receipts_support(found: Claim, recorded: Sequence[Claim], lacks: str) -> None:
    assert unsupported(found, recorded) == lacks


def test_the_latest_receipt_speaks_for_the_status_in_whatever_order_a_merge_left_them() -> None:
    assert unsupported(MADE, [STALE, MADE]) == "status"
    assert unsupported(CORRECTED, [CORRECTED, STALE, MADE]) == ""


def test_of_one_second_the_last_receipt_counts() -> None:
    quarantined = replace(MADE, status="quarantined")
    assert unsupported(MADE, [MADE, quarantined]) == "status"
    assert unsupported(MADE, [quarantined, MADE]) == ""


def test_what_happened_to_an_earlier_revision_says_nothing_of_a_later_one() -> None:
    ended = replace(MADE, at="2026-09-09T08:00:00Z", status="expired")
    assert unsupported(replace(CORRECTED, revision=2), [MADE, replace(CORRECTED, revision=2), ended]) == ""
    assert unsupported(MADE, [MADE, replace(CORRECTED, revision=2), ended]) == "status"
    # no revision of its own is recorded: then the highest one that is
    assert unsupported(replace(CORRECTED, revision=3), [MADE, replace(ended, revision=2)]) == "status"


def test_an_older_revision_does_not_bring_back_what_happened_to_a_newer_one() -> None:
    assert unsupported(MADE, [MADE, replace(CORRECTED, revision=2, status="quarantined")]) == "status"


def test_another_branch_with_a_revision_of_the_same_number_says_nothing_of_this_one() -> None:
    theirs = replace(MADE, at="2026-09-09T08:00:00Z", content="content-3", status="expired")
    assert unsupported(MADE, [MADE, theirs]) == ""
