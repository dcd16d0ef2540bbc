"""Precedence against an oracle that decides by throwing records away step by step; and time has no part in it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir_cli.domain.precedence import beats
from memdir_cli.domain.resolve import resolve
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, HERE, private, project, runtime, task, user


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        (task("T1"), project(), "level"),
        (project(), user(authority="policy"), "level"),
        (project(authority="policy"), private(), "class"),
        (private(authority="inferred"), project(path="src/**"), "class"),
        (project(path="src/web/**"), project(path="src/**"), "specificity"),
        (project(path="src/**", authority="inferred"), project(), "specificity"),
        (project(topic="t"), project(), "specificity"),
        (project(environment={"os": "linux"}), project(), "specificity"),
        (project(version="^2"), project(), "specificity"),
        (project(), project(authority="observed"), "authority"),
        (project(topic="T"), project(topic="t", authority="inferred"), "authority"),
        (project(), project(), None),
        (project(topic="t"), project(topic="u", authority="inferred"), None),
        (project(version="^2"), project(version="^3", authority="inferred"), None),
        (project(path="src/**"), project(topic="t", authority="inferred"), None),
    ],
)
def test_one_comes_before_the_other_by_one_rule_and_never_the_other_way(
    one: Record, other: Record, rule: str | None
) -> None:
    assert beats(one.memory, other.memory) == rule
    assert beats(other.memory, one.memory) is None


_LEVEL = {"task": 0, "repository": 1, "user": 2}
_AUTHORITY = {"policy": 0, "user": 1, "observed": 2, "inferred": 3}


def naive(records: Sequence[Record], where: Runtime) -> str:
    """The id of what applies, ``none`` or ``conflict``, said in steps that throw records away."""
    left = [r for r in records if r.memory.status in {"verified", "stale", "conflicted"} and _applies(r, where)]
    if not left:
        return "none"
    best = min(_LEVEL[r.memory.scope.level] for r in left)
    left = [r for r in left if _LEVEL[r.memory.scope.level] == best]
    for chosen in (
        [r for r in left if r.memory.authority == "policy"],
        [r for r in left if r.memory.subject.startswith("user")],
    ):
        if chosen:
            left = chosen
            break
    tops = []
    for r in left:
        if not any(_narrower(o, r) or (_alike(o, r) and _heavier(o, r)) for o in left):
            tops.append(r)
    if any(r.memory.status == "conflicted" for r in tops):
        return "conflict"
    if len({(r.memory.none, r.memory.value) for r in tops}) > 1:
        return "conflict"
    return f"value {tops[0].memory.value}"


def _applies(r: Record, where: Runtime) -> bool:
    s, m = r.memory.scope, r.memory
    if m.subject == "user:42":
        if s.level == "task" and s.task != where.task.value:
            return False
        if s.level != "user" and s.repository != HERE:
            return False
    elif m.subject != f"project:{HERE}":
        return False
    path = where.path.value or ""
    if s.path == "a/**" and path.split("/")[0] != "a":
        return False
    if s.path == "a/b/**" and not (path + "/").startswith("a/b/"):
        return False
    if s.path == "a/*" and not (path.startswith("a/") and path.count("/") == 1):
        return False
    if s.topic and s.topic != where.topic.value:
        return False
    return all(key in where.environment and where.environment[key].value == value for key, value in s.environment)


_DEPTH = {None: 0, "**": 1, "a/**": 2, "a/*": 2, "a/b/**": 3}


def _key(r: Record) -> tuple[int, set[object]]:
    s = r.memory.scope
    return _DEPTH[s.path], {*s.environment, *([s.topic] if s.topic else [])}


def _alike(one: Record, other: Record) -> bool:
    return _key(one) == _key(other)


def _narrower(one: Record, other: Record) -> bool:
    (depth, demands), (other_depth, other_demands) = _key(one), _key(other)
    return depth >= other_depth and demands >= other_demands and not _alike(one, other)


def _heavier(one: Record, other: Record) -> bool:
    return _AUTHORITY[one.memory.authority] < _AUTHORITY[other.memory.authority]


_qualifiers = st.fixed_dictionaries(
    {},
    optional={
        "path": st.sampled_from(["**", "a/**", "a/*", "a/b/**"]),
        "topic": st.sampled_from(["t", "u"]),
        "environment": st.sampled_from([{"os": "linux"}, {"os": "macos"}, {"os": "linux", "gpu": "no"}]),
    },
)
_stamps = st.sampled_from(["2026-01-01T00:00:00Z", "2026-09-13T00:00:00Z"])


@st.composite
def _records(draw: st.DrawFn) -> list[Record]:
    records = []
    for number in range(draw(st.integers(0, 6))):
        make: Any = draw(st.sampled_from(
            [user, private, project, lambda **k: task("T1", **k), lambda **k: task("T2", **k),
             lambda **k: project(repository=ELSEWHERE, **k), lambda **k: private(repository=ELSEWHERE, **k)]
        ))  # fmt: skip
        value = draw(st.sampled_from(["x", "y", "z", None]))
        keys = draw(_qualifiers) | {
            "id": f"id{number}",
            "value": value,
            "none": value is None,
            "authority": draw(st.sampled_from(["policy", "user", "observed", "inferred"])),
            "status": draw(st.sampled_from(["verified", "verified", "stale", "conflicted", "candidate"])),
        }
        records.append(make(**keys))
    return records


_runtimes = st.builds(
    lambda path, topic, os, name: runtime(path=path, topic=topic, environment={"os": os, "gpu": "no"}, task=name),
    st.sampled_from(["", "a", "a/x", "a/b", "a/b/c", "c"]),
    st.sampled_from([None, "t"]),
    st.sampled_from(["linux", "macos"]),
    st.sampled_from([None, "T1"]),
)


@settings(max_examples=500)
@given(_records(), _runtimes)
def test_resolve_agrees_with_elimination_step_by_step(records: list[Record], where: Runtime) -> None:
    resolution = resolve(records, where)
    expected = naive(records, where)
    got = f"value {resolution.winner.memory.value}" if resolution.winner else resolution.verdict
    assert got == expected
    assert sorted(one.judged.memory.id for one in resolution.contenders) == sorted(r.memory.id for r in records)
    assert (resolution.verdict == "conflict") == bool(resolution.opponents)


@settings(max_examples=300)
@given(_records(), _runtimes, st.randoms(use_true_random=False), st.lists(_stamps, min_size=6, max_size=6))
def test_neither_order_nor_time_changes_the_winner(
    records: list[Record], where: Runtime, chance: random.Random, stamps: list[str]
) -> None:
    touched = [
        replace(r, memory=replace(r.memory, updated_at=at, verified_at=at, created_at=at, revision=number + 1))
        for number, (r, at) in enumerate(zip(records, stamps, strict=False))
    ]
    chance.shuffle(touched)
    first, second = resolve(records, where), resolve(touched, where)
    assert [(c.judged.memory.id, c.outcome, c.rule) for c in first.contenders] == [
        (c.judged.memory.id, c.outcome, c.rule) for c in second.contenders
    ]
