"""Which memory applies: tables of winners, of fates, and of what clock and evidence do to a status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.effective import Verdict, Verdicts
from memdir_cli.domain.memory import Evidence, Side
from memdir_cli.domain.resolve import Resolution, resolve, says
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, PROJECT, private, project, record, runtime, task, user


def won(resolution: Resolution) -> str:
    """The winner's id, or the verdict."""
    return resolution.winner.memory.id if resolution.winner else resolution.verdict


def fate(resolution: Resolution, memory_id: str) -> tuple[str, str]:
    """Outcome and rule of one contender."""
    return next((one.outcome, one.rule) for one in resolution.contenders if one.judged.memory.id == memory_id)


T1 = runtime(task="T1")

WINNERS: list[tuple[str, list[Record], Runtime, str]] = [
    ("nothing", [], runtime(), "none"),
    ("user default alone", [user(value="pnpm")], runtime(), "pnpm"),
    ("repository before user", [user(value="pnpm"), project(value="npm")], runtime(), "npm"),
    ("another project", [user(value="pnpm"), project(value="npm")], runtime(project=ELSEWHERE), "pnpm"),
    ("no project", [user(value="pnpm"), project(value="npm")], runtime(project=None, repository=None), "pnpm"),
    ("task before repository", [project(value="npm"), task("T1", value="bun")], T1, "bun"),
    ("another task", [project(value="npm"), task("T2", value="bun")], T1, "npm"),
    ("no task", [project(value="npm"), task("T1", value="bun")], runtime(), "npm"),
    ("task of another repository", [project(value="npm"), task("T1", repository=ELSEWHERE, value="bun")], T1, "npm"),
    ("task made outside", [user(value="npm"), task("T1", repository=None, value="bun")], T1, "npm"),
    ("private before project", [project(value="npm"), private(value="pnpm")], runtime(), "pnpm"),
    ("private elsewhere", [project(value="npm"), private(repository=ELSEWHERE, value="pnpm")], runtime(), "npm"),
    (
        "a cloned config cannot claim a private rule",
        [private(repository=ELSEWHERE, value="pnpm")],
        runtime(project=ELSEWHERE),
        "none",
    ),
    (
        "policy before private",
        [project(value="npm", authority="policy"), private(value="pnpm")],
        runtime(),
        "npm",
    ),
    (
        "policy does not reach over levels",
        [user(value="pnpm", authority="policy"), project(value="npm")],
        runtime(),
        "npm",
    ),
    (
        "private before a narrower project rule",
        [project(value="npm", path="src/**"), private(value="pnpm")],
        runtime(path="src/a.js"),
        "pnpm",
    ),
    (
        "deeper path",
        [project(value="a", path="packages/**"), project(value="b", path="packages/old/**")],
        runtime(path="packages/old/x.js"),
        "b",
    ),
    (
        "literal file",
        [project(value="a", path="src/**"), project(value="b", path="src/a.js")],
        runtime(path="src/a.js"),
        "b",
    ),
    (
        "path outside",
        [project(value="a"), project(value="b", path="packages/old/**")],
        runtime(path="packages/older/x.js"),
        "a",
    ),
    (
        "path unknown",
        [project(value="a"), project(value="b", path="**")],
        runtime(path=None),
        "a",
    ),
    (
        "equal prefix",
        [project(value="a", path="src/*.js"), project(value="b", path="src/**")],
        runtime(path="src/a.js"),
        "conflict",
    ),
    (
        "equal prefix, authority decides",
        [project(value="a", path="src/*.js", authority="observed"), project(value="b", path="src/**")],
        runtime(path="src/a.js"),
        "b",
    ),
    (
        "superset of constraints",
        [project(value="a", topic="release"), project(value="b", topic="release", environment={"os": "linux"})],
        runtime(topic="Release", environment={"os": "linux"}),
        "b",
    ),
    (
        "incomparable constraints",
        [project(value="a", topic="release"), project(value="b", environment={"os": "linux"})],
        runtime(topic="release", environment={"os": "linux"}),
        "conflict",
    ),
    (
        "incomparable, whatever the authority",
        [
            project(value="a", topic="release", authority="observed"),
            project(value="b", environment={"os": "linux"}),
        ],
        runtime(topic="release", environment={"os": "linux"}),
        "conflict",
    ),
    (
        "incomparable, both beaten by one narrower than both",
        [
            project(value="a", topic="release"),
            project(value="b", environment={"os": "linux"}),
            project(value="c", topic="release", environment={"os": "linux"}),
        ],
        runtime(topic="release", environment={"os": "linux"}),
        "c",
    ),
    (
        "path against topic",
        [project(value="a", path="src/**"), project(value="b", topic="release")],
        runtime(path="src/a", topic="release"),
        "conflict",
    ),
    (
        "environment contradicted",
        [project(value="a"), project(value="b", environment={"os": "windows"})],
        runtime(environment={"os": "linux"}),
        "a",
    ),
    ("environment unknown", [project(value="a"), project(value="b", environment={"gpu": "yes"})], runtime(), "a"),
    ("version inside", [project(value="a"), project(value="b", version="^2")], runtime(version="2.3.4"), "b"),
    ("version outside", [project(value="a"), project(value="b", version="^2")], runtime(version="3.0.0"), "a"),
    ("version unknown", [project(value="a"), project(value="b", version="^2")], runtime(), "a"),
    ("version unreadable", [project(value="a"), project(value="b", version="^2")], runtime(version="tip"), "a"),
    ("range unreadable", [project(value="a"), project(value="b", version="wat")], runtime(version="2.0.0"), "a"),
    (
        "another user's",
        [replace(user(value="x"), memory=replace(user(value="x").memory, subject="user:77"))],
        runtime(),
        "none",
    ),
    ("user unknown", [user(value="x")], runtime(user=None), "none"),
    ("a user's memory that a repository brings along", [user(value="x", layer="project")], runtime(), "none"),
    ("a project's memory in the user memdir", [project(value="x", layer="user")], runtime(), "none"),
    ("in the inbox, whatever it says", [user(value="x", folder="inbox")], runtime(), "none"),
    (
        "a conflict holds its level",
        [user(value="pnpm"), project(value=None, status="conflicted")],
        runtime(),
        "conflict",
    ),
    (
        "a conflict that would not win does not",
        [project(value="npm"), user(value=None, status="conflicted")],
        runtime(),
        "npm",
    ),
    (
        "a narrower rule beats a conflict",
        [project(value=None, status="conflicted"), project(value="b", path="src/**")],
        runtime(path="src/a"),
        "b",
    ),
    (
        "an expired conflict holds nothing",
        [user(value="pnpm"), project(value=None, status="conflicted", expires_at="2026-09-01")],
        runtime(),
        "pnpm",
    ),
    ("stale is usable", [user(value="pnpm"), project(value="npm", status="stale")], runtime(), "npm"),
    (
        "equal to the end with one value, of which one is verified",
        [project(value="npm", id="b", path="src/*"), project(value="npm", id="a", path="src/**", status="stale")],
        runtime(path="src/x"),
        "b",
    ),
    (
        "incomparable with one value",
        [project(value="npm", id="b", topic="t"), project(value="npm", id="a", path="src/**")],
        runtime(path="src/x", topic="t"),
        "a",
    ),
    ("bodies differ", [project(id="a", value=None, body="x\n"), project(id="b", value=None, body="y")], runtime(),
     "conflict"),
    ("bodies agree", [project(id="b", value=None, body="x\n"), project(id="a", value=None, body="x")], runtime(), "a"),
    ("none wins as nothing", [user(value="pnpm"), task("T1", value=None, none=True)], T1, "none"),
    ("none against a value", [project(value="a"), project(id="z", value=None, none=True)], runtime(), "conflict"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("records", "where", "expected"), [row[1:] for row in WINNERS], ids=[row[0] for row in WINNERS]
)
def test_what_applies(records: Sequence[Record], where: Runtime, expected: str) -> None:
    assert won(resolve(records, where)) == expected
    assert won(resolve(records[::-1], where)) == expected


@pytest.mark.parametrize("status", ["candidate", "quarantined", "expired", "archived", "superseded"])
def test_what_is_not_usable_falls_through_to_the_next_level(status: str) -> None:
    resolution = resolve([user(value="pnpm"), project(value="npm", status=status)], runtime())
    assert won(resolution) == "pnpm"
    assert fate(resolution, "npm") == ("excluded", "status")


def test_a_none_record_is_named_as_the_winner() -> None:
    resolution = resolve([project(value="npm"), task("T1", id="t", value=None, none=True)], T1)
    assert resolution.verdict == "winner"
    assert resolution.winner is not None
    assert resolution.winner.memory.none
    assert says(resolution.winner.memory) == (True, "")


FATES: list[tuple[list[Record], Runtime, str, str, str]] = [
    ([user(value="pnpm"), project(value="npm")], runtime(), "pnpm", "lost", "level"),
    ([user(value="pnpm"), project(value="npm")], runtime(), "npm", "winner", "level"),
    ([project(value="npm"), private(value="pnpm")], runtime(), "npm", "lost", "class"),
    ([project(value="a"), project(value="b", topic="t")], runtime(topic="t"), "a", "lost", "specificity"),
    ([project(value="a", authority="inferred"), project(value="b")], runtime(), "a", "lost", "authority"),
    ([project(value="x", id="b"), project(value="x", id="a")], runtime(), "b", "lost", "same"),
    ([project(value="a"), project(value="b")], runtime(), "a", "conflict", "equal"),
    ([project(value="a", topic="t"), project(value="b", path="**")], runtime(topic="t"), "a", "conflict",
     "incomparable"),
    ([project(value=None, id="a", status="conflicted")], runtime(), "a", "conflict", "conflicted"),
    ([project(value="a", path="x/**")], runtime(), "a", "excluded", "path"),
    ([project(value="a", topic="t")], runtime(), "a", "excluded", "topic"),
    ([project(value="a", repository=ELSEWHERE)], runtime(), "a", "excluded", "subject"),
    ([private(value="a", repository=ELSEWHERE)], runtime(), "a", "excluded", "repository"),
    ([task("T9", value="a")], runtime(), "a", "excluded", "task"),
    ([user(value="a", folder="inbox")], runtime(), "a", "excluded", "folder"),
    ([user(value="a", layer="project")], runtime(), "a", "excluded", "memdir"),
    ([user(value="a")], runtime(), "a", "winner", "only"),
    ([project(value="x", id="a", topic="t"), project(value="x", id="b", path="a/**"), project(value="y", path="**")],
     runtime(topic="t", path="a/b"), "a", "winner", "same"),
    ([project(value="x", id="a", topic="t"), project(value="x", id="b", path="a/**"), project(value="y", path="**")],
     runtime(topic="t", path="a/b"), "y", "lost", "specificity"),
    ([record(PROJECT, Scope("repository"), value="a")], runtime(), "a", "excluded", "repository"),
]  # fmt: skip


@pytest.mark.parametrize(("records", "where", "memory_id", "outcome", "rule"), FATES)
def test_every_contender_hears_which_rule_decided(
    records: list[Record], where: Runtime, memory_id: str, outcome: str, rule: str
) -> None:
    assert fate(resolve(records, where), memory_id) == (outcome, rule)


REASONS: list[tuple[list[Record], tuple[str, ...], str]] = [
    ([user(value="pnpm"), project(value="npm")], ("npm",), "beaten by `npm`: repository comes before user"),
    ([private(value="pnpm"), project(value="npm")], ("pnpm",), "beaten by `pnpm`: private comes before project"),
    ([project(value="a", path="**"), project(value="b", path="src/**")], ("b",),
     "beaten by `b`: the narrower scope comes first"),
    ([project(value="a", authority="inferred"), project(value="b")], ("b",),
     "beaten by `b`: authority user comes before inferred"),
    ([project(value="a"), project(value="b")], ("b",), "it stands equal to `b` and says something else"),
    ([project(value="a", path="src/*"), project(value="b", topic="t")], ("b",),
     "neither its scope nor that of `b` is the narrower one"),
    ([project(value="a", folder="inbox")], (), "it lies in `inbox/`, from which nothing is served"),
    ([project(value="a", status="candidate")], (), "it is candidate"),
    ([project(value="a", status="candidate", status_reason="gate: nobody said so")], (),
     "it is candidate: nobody said so"),
    ([project(value="a", status="candidate", folder="inbox")], (), "it is candidate"),
]  # fmt: skip


@pytest.mark.parametrize(("records", "by", "reason"), REASONS)
def test_who_does_not_win_hears_by_whom_and_why(records: list[Record], by: tuple[str, ...], reason: str) -> None:
    resolution = resolve(records, runtime(path="src/a", topic="t"))
    one = next(one for one in resolution.contenders if one.judged.memory.id in {"a", "npm", "pnpm"} - set(by))
    assert (one.by, one.reason) == (by, reason)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"value": "npm"}, {"value": None, "body": "\nnpm\n"}, True),
        ({"value": "npm"}, {"value": None, "description": "npm"}, True),
        ({"value": None, "body": " \n", "description": "npm"}, {"value": "npm"}, True),
        ({"value": None, "body": "a\n"}, {"value": None, "body": " a\n"}, False),
        ({"value": ""}, {"value": None, "none": True}, False),
        ({"value": None}, {"value": None, "none": True}, False),
        ({"value": None, "none": True}, {"value": None, "none": True, "body": "why"}, True),
    ],
)
def test_two_that_stand_equal_agree_only_if_they_state_the_same(
    one: dict[str, Any], other: dict[str, Any], *, same: bool
) -> None:
    resolution = resolve([project(id="a", **one), project(id="b", **other)], runtime())
    assert resolution.verdict == ("winner" if same else "conflict")


def test_one_whose_sides_disagree_agrees_with_nobody() -> None:
    told: dict[str, Any] = {"value": None, "description": "the package manager"}
    resolution = resolve([project(id="a", status="conflicted", **told), project(id="b", **told)], runtime())
    assert resolution.verdict == "conflict"
    assert {one.memory.id for one in resolution.opponents} == {"a", "b"}


GONE = Evidence("package.json#scripts.test", "v1:0")
APART = replace(runtime(), project_here=False)


@pytest.mark.parametrize(
    ("one", "where", "status"),
    [
        (project(depends_on=(GONE,)), runtime(), "stale"),
        (project(depends_on=(GONE,), path="src/**"), runtime(path="lib/a"), "stale"),
        (project(depends_on=(GONE,)), runtime(project=ELSEWHERE), "verified"),
        (project(depends_on=(GONE,)), APART, "verified"),
        (private(depends_on=(GONE,)), APART, "stale"),
        (private(depends_on=(GONE,), repository=ELSEWHERE), runtime(), "verified"),
    ],
)
def test_evidence_counts_only_where_the_memory_belongs(one: Record, where: Runtime, status: str) -> None:
    (judged,) = resolve([one], where, {GONE: Verdict("removed", "it is gone")}).contenders
    assert judged.judged.effective.status == status


def test_an_excluded_one_hears_what_is_there_instead() -> None:
    resolution = resolve([project(value="a", path="x/**", version="^2")], runtime(path="y/z", version=None))
    reason = resolution.contenders[0].reason
    assert reason == (
        "it asks for path `x/**`, and this is `y/z`; it asks for project version `^2`, which is not known here"
    )


def test_sides_are_settled_by_name() -> None:
    sides = (Side("s1", "a", "", "user"), Side("s2", "b", "", "user"))
    resolution = resolve([project(id="c", value=None, status="conflicted", sides=sides)], runtime())
    assert (resolution.verdict, resolution.winner) == ("conflict", None)
    assert "memdir settle c --keep" in resolution.contenders[0].reason


@pytest.mark.parametrize(
    ("keys", "now", "status", "code"),
    [
        ({"expires_at": "2026-09-14T09:30:00Z"}, "2026-09-14T09:29:59Z", "verified", ""),
        ({"expires_at": "2026-09-14T09:30:00Z"}, "2026-09-14T09:30:00Z", "expired", "expired"),
        ({"expires_at": "2026-03-01"}, "2026-03-01T23:59:59Z", "verified", ""),
        ({"expires_at": "2026-03-01"}, "2026-03-02T00:00:00Z", "expired", "expired"),
        ({"expires_at": "2026-03-01T12:00:00+02:00"}, "2026-03-01T10:00:00Z", "expired", "expired"),
        ({"review_after": "2026-03-01"}, "2026-03-01T12:00:00Z", "verified", ""),
        ({"review_after": "2026-03-01"}, "2026-03-02T00:00:00Z", "stale", "review-due"),
        ({"review_after": "2026-03-01", "expires_at": "2026-03-01"}, "2026-04-01T00:00:00Z", "expired", "expired"),
        ({"review_after": "2026-03-01", "status": "conflicted"}, "2026-04-01T00:00:00Z", "conflicted", ""),
        ({"expires_at": "2026-03-01", "status": "quarantined"}, "2026-04-01T00:00:00Z", "quarantined", ""),
        (
            {"review_after": "2026-03-01", "status": "stale", "status_reason": "evidence: x"},
            "2026-04-01T00:00:00Z",
            "stale",
            "evidence",
        ),
        ({"expires_at": "next week"}, "2026-04-01T00:00:00Z", "stale", "time-unreadable"),
    ],
)
def test_the_clock_makes_a_status_worse_and_never_better(
    keys: dict[str, Any], now: str, status: str, code: str
) -> None:
    resolution = resolve([project(**keys)], runtime(now=now))
    effective = resolution.contenders[0].judged.effective
    assert effective.status == status
    assert effective.reason.partition(":")[0] == code


@pytest.mark.parametrize(
    ("kind", "status"),
    [("same", "verified"), ("unknown", "verified"), ("unreadable", "verified"), ("changed", "stale"),
     ("removed", "stale"), ("moved", "stale")],
)  # fmt: skip
def test_evidence_makes_stale_only_where_it_speaks_against_the_memory(kind: Any, status: str) -> None:
    evidence = Evidence("package.json#scripts.test", "v1:0")
    verdicts: Verdicts = {evidence: Verdict(kind, "script `test` is gone")}
    resolution = resolve([project(depends_on=(evidence,))], runtime(), verdicts)
    assert resolution.winner is not None
    assert resolution.winner.effective.status == status
    if status == "stale":
        assert resolution.winner.effective.sentence == "script `test` is gone"
        assert resolution.winner.effective.reason.startswith(f"evidence-{kind}: ")
