"""What a read that fed an agent is remembered by: who was shown, who was kept back and why, never a text."""

from __future__ import annotations

from memdir_cli.domain.access import NAMED, Passed, Shown, access, given, of_resolution
from memdir_cli.domain.resolve import judge, resolve
from tests.records import project, runtime, task, user


def test_it_tells_of_the_moment_of_the_runtime_and_of_all_that_was_given() -> None:
    here = runtime(session="s1", task="T1")
    read = access("context", here, (), budget=800, query="bundler", characters=120)
    assert (read.verb, read.at, read.session, read.task) == ("context", here.now, "s1", "T1")
    assert (read.budget, read.query, read.characters) == (800, "bundler", 120)
    assert (read.shown, read.passed, read.kept_back) == ((), (), {})


def test_a_shown_memory_is_told_by_its_revision_its_status_of_now_and_its_age() -> None:
    due = project(id="due", revision=3, review_after="2026-09-10", verified_at="2026-09-11T09:30:00Z")
    read = access("show", runtime(), [judge(due, runtime())])
    assert read.shown == (Shown("project", "due", 3, "stale", "3 days"),)


def test_of_each_rule_and_memdir_the_first_are_named_and_all_are_counted() -> None:
    many = [(user(id=f"u{n}"), "budget") for n in range(NAMED + 2)]
    few = [(user(id="other"), "status"), (project(id="p"), "budget")]
    read = access("context", runtime(), (), [*many, *few])
    expected = [Passed("user", f"u{n}", "budget") for n in range(NAMED)]
    assert read.passed == (*expected, Passed("user", "other", "status"), Passed("project", "p", "budget"))
    assert read.kept_back == {"user": NAMED + 3, "project": 1}


def test_who_asks_for_a_key_was_shown_the_winner_and_nothing_else() -> None:
    records = [user(id="mine"), project(id="ours"), task("T2", id="elsewhere")]
    read = of_resolution("get", runtime(), resolve(records, runtime()))
    assert [one.id for one in read.shown] == ["ours"]
    assert [(one.id, one.rule) for one in read.passed] == [("mine", "level"), ("elsewhere", "task")]


def test_where_nobody_wins_nothing_was_shown() -> None:
    records = [project(id="a", value="npm"), project(id="b", value="pnpm")]
    read = of_resolution("get", runtime(), resolve(records, runtime()))
    assert read.shown == ()
    assert {(one.id, one.rule) for one in read.passed} == {("a", "equal"), ("b", "equal")}


def test_a_line_of_a_log_that_is_no_list_of_memories_gave_nothing() -> None:
    assert list(given({"shown": [{"id": "a"}, "scrawl", {"id": "b"}]})) == [{"id": "a"}, {"id": "b"}]
    assert [list(given(line)) for line in ({}, {"shown": "a"}, {"shown": {"id": "a"}})] == [[], [], []]
