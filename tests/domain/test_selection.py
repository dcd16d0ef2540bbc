"""What an agent may be given: one entry a key, what another path would bring in, and in which order."""

from __future__ import annotations

import pytest

from memdir_cli.domain.resolve import judge
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.selection import Scores, Selection, select
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, private, project, runtime, task, user


def chosen(records: list[Record], where: Runtime | None = None, scores: Scores | None = None) -> Selection:
    """The selection among records in a runtime (at the repository's root by default)."""
    place = where or runtime()
    return select([judge(record, place) for record in records], scores)


def told(selection: Selection) -> list[str]:
    """Each entry as ``id``, ``?id`` in conflict, with its condition."""
    return [" ".join(["?" * entry.conflict + entry.judged.memory.id, *entry.when]) for entry in selection.entries]


CASES: list[tuple[str, list[Record], Runtime, list[str]]] = [
    ("the winner alone", [user(value="pnpm"), project(value="npm")], runtime(), ["npm"]),
    ("a conflict", [project(value="a"), project(value="b"), user(value="c")], runtime(), ["?a"]),
    ("a candidate never", [project(value="a", status="candidate")], runtime(), []),
    ("expired never", [project(value="a", expires_at="2026-09-13")], runtime(), []),
    ("none is told", [project(id="n", value=None, none=True)], runtime(), ["n"]),
    (
        "a path that does not hold now",
        [project(value="a"), project(value="b", path="packages/old/**")],
        runtime(),
        ["a", "b path packages/old/**"],
    ),
    (
        "a path that holds now",
        [project(value="a"), project(value="b", path="packages/old/**")],
        runtime(path="packages/old/x"),
        ["b"],
    ),
    ("a path outside any repository", [user(value="a", path="src/**")], runtime(path=None), ["a path src/**"]),
    ("a path that matches nothing", [user(value="a", path="../src/**")], runtime(), []),
    ("a topic", [project(value="a", topic="release")], runtime(), ["a topic release"]),
    (
        "path and topic",
        [project(value="a", topic="t", path="src/**")],
        runtime(),
        ["a path src/** and topic t".replace(" and ", " ")],
    ),
    (
        "only the topic is missing",
        [project(value="a", topic="t", path="src/**")],
        runtime(path="src/x"),
        ["a topic t"],
    ),
    (
        "a topic that does not hold now",
        [project(value="a"), project(value="b", topic="t")],
        runtime(),
        ["a", "b topic t"],
    ),
    (
        "what holds now, wherever one goes, is a rival there too",
        [project(value="a", topic="u"), project(value="b", path="src/**")],
        runtime(topic="u"),
        ["a", "?b path src/**"],
    ),
    ("another environment never", [project(value="a", environment={"os": "macos"})], runtime(), []),
    (
        "another environment never, whatever the path",
        [project(value="a", path="src/**", environment={"os": "macos"})],
        runtime(environment={"os": "linux"}),
        [],
    ),
    ("another version never", [project(value="a", version="^2")], runtime(version="3.0.0"), []),
    ("another repository never", [private(value="a", repository=ELSEWHERE, path="src/**")], runtime(), []),
    ("another task never", [task("T2", value="a")], runtime(task="T1"), []),
    (
        "what a higher level would still beat is not offered",
        [project(value="a"), user(value="b", path="src/**")],
        runtime(),
        ["a"],
    ),
    (
        "of one condition only the first",
        [user(value="a", path="src/**"), project(value="b", path="src/**")],
        runtime(),
        ["b path src/**"],
    ),
    (
        "a wider path that comes first inside a narrower one",
        [user(value="a", path="src/deep/**"), project(value="b", path="src/**")],
        runtime(),
        ["b path src/**"],
    ),
    (
        "what holds only where we stand is no rival elsewhere",
        [project(value="a", path="web/**"), user(value="b", path="src/**")],
        runtime(path="web/x"),
        ["a", "b path src/**"],
    ),
    (
        "a conflict under a condition",
        [project(value="a", path="src/**"), project(value="b", path="src/**")],
        runtime(),
        ["?a path src/**"],
    ),
    (
        "a conflicted record under a condition",
        [project(id="c", value=None, status="conflicted", topic="t")],
        runtime(),
        ["?c topic t"],
    ),
    (
        "two conditions of which neither brings the other",
        [project(value="a", topic="t"), project(value="b", path="src/**")],
        runtime(),
        ["b path src/**", "a topic t"],
    ),
    (
        "another topic than the one that holds now",
        [project(value="a", topic="t"), project(value="b", topic="u")],
        runtime(topic="u"),
        ["b", "a topic t"],
    ),
    (
        "order: now before when, then level, policy, name",
        [
            user(value="z", predicate="a"),
            project(value="y", predicate="b"),
            project(value="x", predicate="c", authority="policy"),
            task("T1", value="w", predicate="d"),
            task("T1", value="v", predicate="a0", topic="t"),
        ],
        runtime(task="T1"),
        ["w", "x", "y", "z", "v topic t"],
    ),
]


@pytest.mark.parametrize(("records", "where", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_an_agent_is_given(records: list[Record], where: Runtime, expected: list[str]) -> None:
    assert told(chosen(records, where)) == expected
    assert told(chosen(records[::-1], where)) == expected


@pytest.mark.parametrize("path", [None, "src/**"])
def test_what_is_never_given_changes_nothing_of_what_is(path: str | None) -> None:
    one, waiting = project(value="a", path=path), project(value="b", folder="inbox", status="candidate")
    assert chosen([one, waiting]).entries == chosen([one]).entries != ()


def test_what_was_passed_over_says_by_which_rule() -> None:
    selection = chosen([user(value="a"), project(value="b"), project(value="c", version="^2")])
    assert {(record.memory.id, rule) for record, rule in selection.passed} == {("a", "level"), ("c", "version")}


def test_what_fits_the_question_ranks_inside_equal_precedence_only() -> None:
    records = [
        project(value="jest", predicate="test_runner"),
        project(value="npm", predicate="package_manager"),
        project(value="x", predicate="license", authority="policy"),
        user(value="zsh", predicate="shell"),
        project(value="far", predicate="far", path="src/**"),
    ]
    best = {(record.layer, record.path): 9.0 for record in records[3:]}
    scores = {**best, (records[1].layer, records[1].path): 0.5}
    assert told(chosen(records, scores=scores)) == ["x", "npm", "jest", "zsh", "far path src/**"]
    assert told(chosen(records)) == ["x", "npm", "jest", "zsh", "far path src/**"]
    assert told(chosen(records, scores={(records[0].layer, records[0].path): 0.5}))[:3] == ["x", "jest", "npm"]


def test_need_what_was_corrected_or_is_open_then_rules_then_facts_then_the_newest_word() -> None:
    newer = "2026-09-10T00:00:00Z"
    records = [
        project(value="fact", predicate="a", verified_at=newer),
        project(value="rule", predicate="b", type="project-rule"),
        project(value="newer", predicate="c", type="decision", verified_at=newer),
        project(value=None, id="open", predicate="d", status="conflicted"),
        project(value="corrected", predicate="e", supersedes="x@1"),
        project(value="never", predicate="f", type="preference", verified_at=""),
        project(value="odd", predicate="g", type="project-rule", verified_at="some day"),
    ]
    expected = ["?open", "corrected", "newer", "rule", "never", "odd", "fact"]
    assert told(chosen(records)) == told(chosen(records[::-1])) == expected


def test_what_fits_goes_before_what_is_needed() -> None:
    records = [
        project(value="fact", predicate="a"),
        project(value="corrected", predicate="e", supersedes="x@1"),
    ]
    assert told(chosen(records, scores={(records[0].layer, records[0].path): 0.1})) == ["fact", "corrected"]
