"""What a person should look at, in which order, and what may be typed about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.memory import Side
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.review import SAMPLE, ReviewAnswer, correction, sample, statements, waiting
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, NOW, private, project, runtime, task, user

SIDES = (Side("s1", "npm", "", "user"), Side("s2", None, "by hand\nand slowly", "user"))
OPEN = project(id="open", value=None, status="conflicted", sides=SIDES)
CANDIDATE = project(id="new", status="candidate", folder="inbox")


def reviewed(*records: Record, unsupported: str = "") -> list[tuple[str, str, str]]:
    judged = [(judge(one, runtime(task="T1")), unsupported) for one in records]
    return [(one.memory.id, one.why, one.reason) for one in waiting(judged)]


@pytest.mark.parametrize(
    ("record", "unsupported", "told"),
    [
        (project(id="a"), "", None),
        (CANDIDATE, "", ("candidate", "it waits for a user's word")),
        (project(id="a", status="candidate", status_reason="rival: beside b", folder="inbox"), "status",
         ("candidate", "beside b")),
        (OPEN, "no-receipt", ("conflicted", "its sides contradict each other")),
        (project(id="a", status="stale", status_reason="evidence: gone", source=()), "odd", ("unattributed", "odd")),
        (project(id="a", status="stale", status_reason="evidence: gone", source=()), "",
         ("source-less", "nobody is named who said it")),
        (project(id="a", status="stale", status_reason="evidence: gone"), "", ("stale", "gone")),
        (project(id="a", status="stale"), "", ("stale", "it is to be verified")),
        (project(id="a", review_after="2026-09-01"), "", ("stale", "it was to be reviewed after 2026-09-01")),
        (project(id="a", status="quarantined"), "status", None),
        (project(id="a", expires_at="2026-09-01"), "status", None),
        (project(id="a", status="candidate", repository=ELSEWHERE), "", None),
    ],
)  # fmt: skip
def test_what_waits_says_why(record: Record, unsupported: str, told: tuple[str, str] | None) -> None:
    assert [found[1:] for found in reviewed(record, unsupported=unsupported)] == ([told] if told else [])


def test_what_is_served_and_doubtful_stands_after_what_cannot_be_served() -> None:
    def stale(id_: str, **keys: Any) -> Record:
        return project(id=id_, status="stale", **keys)

    records = [
        stale("c", predicate="b"), stale("b", predicate="a"), stale("a", predicate="b"),
        stale("old", updated_at="2026-08-01T00:00:00Z"),
        stale("first", updated_at="", created_at="2026-07-01T00:00:00Z"), project(id="none", source=()),
        CANDIDATE, OPEN,
    ]  # fmt: skip
    expected = ["open", "new", "none", "first", "old", "b", "a", "c"]
    assert [found[0] for found in reviewed(*records)] == [found[0] for found in reviewed(*records[::-1])] == expected


@pytest.mark.parametrize(
    ("record", "commands"),
    [
        (OPEN, {
            "keep s1": "memdir settle open --keep s1", "keep s2": "memdir settle open --keep s2",
            "narrow s1": "memdir narrow s1 --path GLOB", "narrow s2": "memdir narrow s2 --path GLOB",
            "correct": "memdir correct package_manager VALUE --scope repository",
        }),
        (CANDIDATE, {
            "accept": "memdir confirm new", "narrow": "memdir narrow new --path GLOB",
            "correct": "memdir correct package_manager VALUE --scope repository", "reject": "memdir reject new",
        }),
        (project(id="a", status="stale"), {
            "accept": "memdir confirm a", "narrow": "memdir narrow a --path GLOB",
            "correct": "memdir correct package_manager VALUE --scope repository", "reject": "memdir expire a",
        }),
    ],
)  # fmt: skip
def test_every_command_for_an_entry_can_be_typed(record: Record, commands: dict[str, str]) -> None:
    (entry,) = waiting([(judge(record, runtime()), "")])
    assert entry.commands() == commands
    told: dict[str, Any] = dict(ReviewAnswer(NOW, (entry,)).document())
    (document,) = told["entries"]
    assert document["commands"] == [{"action": name, "command": command} for name, command in commands.items()]
    assert (document["id"], document["why"]) == (record.memory.id, entry.why)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (user(), "--scope user"),
        (task("T 1"), "--scope 'task:T 1'"),
        (private(), "--scope repository --private"),
        (project(path="src/**", topic="code review", version=">=2"),
         "--scope repository --path 'src/**' --topic 'code review' --for-version '>=2'"),
        (project(environment={"os": "linux", "shell": "zsh"}),
         "--scope repository --env os=linux --env shell=zsh"),
    ],
)  # fmt: skip
def test_a_correction_names_the_same_place(record: Record, words: str) -> None:
    assert correction(record.memory) == f"memdir correct package_manager VALUE {words}"
    odd = replace(record.memory, predicate="it's")
    assert correction(odd).startswith("memdir correct 'it'\"'\"'s' VALUE ")


def test_of_what_waits_the_oldest_stands_first_by_its_last_change() -> None:
    changed = [("a", "2026-09-03T08:00:00Z", ""), ("b", "2026-09-01T08:00:00Z", "2026-09-04T08:00:00Z"),
               ("c", "2026-09-02T08:00:00Z", "")]  # fmt: skip
    waits = [replace(CANDIDATE.memory, id=id_, created_at=made, updated_at=at) for id_, made, at in changed]
    assert [id_ for id_, _, _ in reviewed(*(replace(CANDIDATE, memory=memory) for memory in waits))] == ["c", "a", "b"]


def test_what_is_said_stands_on_one_line() -> None:
    assert list(statements(OPEN.memory)) == [(SIDES[0], "npm"), (SIDES[1], "(nothing applies)")]
    assert list(statements(project(value="a \n b\x1b").memory)) == [(None, "a b\\x1b")]
    assert list(statements(project(value=None, none=True).memory)) == [(None, "(nothing applies)")]


def test_a_check_up_looks_at_ten_others_every_day_and_the_same_all_day() -> None:
    judged = [judge(project(id=f"id{number}"), runtime()) for number in range(40)]

    def drawn(now: str, order: int = 1) -> list[str]:
        return [one.judged.memory.id for one in sample(judged[::order], (), now)]

    today = drawn("2026-09-14T00:00:00Z")
    assert len(set(today)) == SAMPLE == 10
    assert drawn("2026-09-14T23:59:59Z", -1) == today
    assert drawn("2026-09-15T00:00:00Z") != today


@pytest.mark.parametrize(
    ("keys", "past", "deletion"),
    [
        ({}, 0, "`memdir forget a`; what git keeps it lists"),
        ({}, 2, "`memdir forget a` with 2 in history; what git keeps it lists"),
        ({"expires_at": "2026-12-01"}, 0,
         "it ends by itself on 2026-12-01; `memdir forget a`; what git keeps it lists"),
    ],
)  # fmt: skip
def test_a_check_up_says_how_each_would_be_deleted(keys: dict[str, Any], past: int, deletion: str) -> None:
    one = project(id="a", topic="t", **keys)
    history = [one.memory] * past + [user(id="b").memory]
    found = sample([judge(one, runtime())], history, NOW)
    told: dict[str, Any] = dict(ReviewAnswer(NOW, sample=found).document())
    (document,) = told["sample"]
    assert (document["deletion"], document["conditions"]) == (deletion, ["topic t"])
    assert (document["confirmed"], document["age"]) == ("2026-09-01T08:00:00Z", "13 days")
    (never,) = sample([judge(project(id="a", verified_at=""), runtime())], (), NOW)
    assert (never.document(NOW)["confirmed"], never.document(NOW)["age"]) == (None, None)


def test_where_memory_is_ignored_nothing_is_reviewed() -> None:
    assert ReviewAnswer(NOW, ignored=True, sample=()).document() == {"ignored": True}
    assert ReviewAnswer(NOW, sample=()).document() == {"sample": []}
    assert ReviewAnswer(NOW).document() == {"entries": []}
