"""Effective status: the worse of what is stored and what clock and evidence say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.effective import Effective, Verdict, VerdictKind, effective
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.source import Source
from memdir_cli.domain.status import CAUTION, STATUSES, Status
from tests.records import NOW, project

BUILD = Evidence("package.json#scripts.build", "v1:0", "tsc")
RULES = Evidence("docs/rules.md", "v1:1")
CHANGED = Verdict("changed", "`x` has changed")
ABSENT = Verdict("unknown", "`docs/rules.md` is not here", absent=True)
FILE = (Source("file", "docs/rules.md"),)


def memory(**keys: Any) -> Memory:
    return project(**{"verified_at": "2026-09-01T08:00:00Z", **keys}).memory


@pytest.mark.parametrize(
    ("keys", "status", "reason"),
    [
        ({}, "verified", ""),
        ({"expires_at": "2026-09-13"}, "expired", "expired: it ended 2026-09-13"),
        ({"expires_at": "2026-09-14"}, "verified", ""),
        ({"review_after": "2026-09-13"}, "stale", "review-due: it was to be reviewed after 2026-09-13"),
        ({"review_after": "2026-09-14T09:30:00Z"}, "stale", "review-due: it was to be reviewed after "),
        ({"review_after": "2026-09-14T09:30:01Z"}, "verified", ""),
        ({"review_after": "2026-09-13", "expires_at": "2026-09-13"}, "expired", "expired: "),
        ({"expires_at": "someday"}, "stale", "time-unreadable: its `expiresAt` cannot be read"),
        ({"review_after": "someday"}, "stale", "time-unreadable: its `reviewAfter` cannot be read"),
        ({"status": "candidate", "status_reason": "x: y", "expires_at": "2026-09-13"}, "expired", "expired: "),
        ({"status": "quarantined", "status_reason": "x: y", "expires_at": "2026-09-13"}, "quarantined", "x: y"),
        ({"status": "stale", "status_reason": "x: y", "review_after": "2026-09-13"}, "stale", "x: y"),
    ],
)
def test_the_clock(keys: dict[str, Any], status: Status, reason: str) -> None:
    found = effective(memory(**keys), NOW)
    assert found.status == status
    assert found.reason.startswith(reason)
    assert bool(found.reason) == bool(reason)


@pytest.mark.parametrize(
    ("verified", "status", "code"),
    [
        ("2026-08-15T09:30:01Z", "verified", ""),
        ("2026-08-15T09:30:00Z", "stale", "age-limit"),
        ("2026-08-15", "stale", "age-limit"),
        ("2026-09-15T09:30:00Z", "verified", ""),
        ("2026-09-15T09:30:01Z", "stale", "date-ahead"),
        ("long ago", "stale", "age-limit"),
        ("", "verified", ""),
    ],
)
def test_an_age_limit(verified: str, status: Status, code: str) -> None:
    found = effective(memory(type="fact", verified_at=verified), NOW, limits={"fact": "30d"})
    assert (found.status, found.reason.partition(":")[0]) == (status, code)
    assert effective(memory(type="decision", verified_at=verified), NOW, limits={"fact": "30d"}).status == "verified"


def test_an_age_limit_names_the_day() -> None:
    found = effective(memory(type="fact", verified_at="2026-08-14T23:59:59Z"), NOW, limits={"fact": "30d"})
    assert found.sentence == "it was verified on 2026-08-14, and is to be every 30d"


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", ""),
        ("review-due: it was due", "it was due"),
        ("suspicious: from mail: ask", "from mail: ask"),
        # as people write it by hand
        ("doubted", "doubted"),
        ("we doubt it", "we doubt it"),
        ("the team says: ask", "the team says: ask"),
    ],
)
def test_a_reason_is_told_without_its_code_and_otherwise_whole(reason: str, sentence: str) -> None:
    assert Effective("stale", reason).sentence == sentence


@pytest.mark.parametrize("kind", ["same", "unknown", "unreadable"])
def test_what_proves_nothing_moves_nothing(kind: VerdictKind) -> None:
    assert effective(memory(depends_on=(BUILD,)), NOW, {BUILD: Verdict(kind, "words")}) == Effective("verified")


@pytest.mark.parametrize("kind", ["changed", "removed", "moved"])
def test_evidence_against_a_memory_makes_it_stale(kind: VerdictKind) -> None:
    found = effective(memory(depends_on=(RULES, BUILD)), NOW, {BUILD: Verdict(kind, "look at it")})
    assert found == Effective("stale", f"evidence-{kind}: look at it")
    assert found.sentence == "look at it"
    plain = effective(memory(depends_on=(BUILD,)), NOW, {BUILD: Verdict(kind)})
    assert plain.sentence == f"`package.json#scripts.build` was {kind}"


@pytest.mark.parametrize(
    ("probe", "verdict", "source", "status", "code"),
    [
        ("docs/rules.md", ABSENT, FILE, "candidate", "source-unavailable"),
        ("docs/rules.md#/a", ABSENT, FILE, "candidate", "source-unavailable"),
        ("exists:docs/rules.md", Verdict("removed", "gone"), FILE, "candidate", "source-unavailable"),
        ("docs/rules.md#/a", Verdict("removed", "gone"), FILE, "stale", "evidence-removed"),
        ("docs/rules.md", CHANGED, FILE, "stale", "source-unavailable"),
        ("docs/rules.md", Verdict("moved", "elsewhere"), FILE, "stale", "evidence-moved"),
        ("exists:docs/rules.md", Verdict("moved", "elsewhere"), FILE, "stale", "evidence-moved"),
        ("exists:docs/rules.md", Verdict("unknown", "never seen"), FILE, "verified", ""),
        ("docs/rules.md", Verdict("unknown", "never seen"), FILE, "verified", ""),
        ("docs/rules.md", ABSENT, (Source("user", "docs/rules.md"),), "verified", ""),
        ("docs/rules.md", ABSENT, (Source("file", "docs/other.md"),), "verified", ""),
        ("docs/rules.md", CHANGED, (), "stale", "evidence-changed"),
    ],
)
def test_the_file_from_which_a_memory_was_taken(
    probe: str, verdict: Verdict, source: tuple[Source, ...], status: Status, code: str
) -> None:
    evidence = Evidence(probe, "v1:1")
    found = effective(memory(depends_on=(evidence,), source=source), NOW, {evidence: verdict})
    assert (found.status, found.reason.partition(":")[0]) == (status, code)


def test_of_two_signs_the_more_cautious_one_counts() -> None:
    both = memory(depends_on=(BUILD, RULES), source=FILE, review_after="2026-09-01")
    assert effective(both, NOW, {BUILD: CHANGED, RULES: ABSENT}).status == "candidate"
    assert effective(both, NOW, {BUILD: CHANGED}).reason.startswith("review-due"), "of equal ones the first"


@given(
    st.sampled_from(STATUSES),
    st.sampled_from(["same", "changed", "removed", "moved", "unknown", "unreadable"]),
    st.booleans(),
    st.sampled_from(["", "2026-09-13", "2026-09-14", "2027-01-01"]),
    st.sampled_from(["", "2026-09-13", "2027-01-01"]),
)
def test_nothing_ever_makes_a_status_better(
    stored: Status, kind: VerdictKind, absent: bool, expires: str, review: str
) -> None:
    one = memory(
        status=stored, status_reason="x: y", depends_on=(RULES,), source=FILE, expires_at=expires, review_after=review
    )
    found = effective(one, NOW, {RULES: Verdict(kind, absent=absent)}, {"fact": "1d"})
    assert CAUTION.index(found.status) <= CAUTION.index(stored)
    assert found.reason or found.status == "verified"
