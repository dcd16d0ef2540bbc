"""Scope, memdir and lifetime of a statement: given, or asked for, and never guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.errors import UsageError
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

HERE = "github.com/acme/legacy-dashboard"
TASK = {"MEMDIR_TASK": "T9"}


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a memdir."""
    return scene(sandbox)


def made(here: Scene, *args: Any, **keys: Any) -> Memory:
    answer = here.remember(*args, **keys)
    assert answer.memory is not None
    return answer.memory


# without a scope


def test_without_a_scope_nothing_is_written_and_the_choices_are_whole_commands(here: Scene) -> None:
    before = here.files()
    by = replace(AGENT, command_line="")
    answer = here.remember("test_runner", "vitest run", None, by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("needs_scope", 3, "scope-missing")
    assert [(choice.letter, choice.scope, choice.command) for choice in answer.choices] == [
        ("r", "repository", "memdir remember --scope repository test_runner 'vitest run'"),
        ("u", "user", "memdir remember --scope user test_runner 'vitest run'"),
    ]
    assert here.files() == before


def test_a_task_is_a_choice_where_one_runs_and_a_repository_where_it_has_a_memdir(sandbox: Sandbox) -> None:
    here = scene(sandbox, memdir=False)
    answer = here.remember("k", "v", None, AGENT, env=TASK)
    assert [choice.scope for choice in answer.choices] == ["user", "task:T9"]


def test_a_command_that_was_typed_is_given_back_with_the_scope_in_it(here: Scene) -> None:
    by = replace(PERSON, command_line="memdir remember k 'a b' --topic t")
    answer = here.remember("k", "a b", None, by, topic="t")
    assert answer.choices[0].command == "memdir remember --scope repository k 'a b' --topic t"


@pytest.mark.parametrize("level", ["repository", "user", "task"])
def test_the_value_that_exactly_one_record_has_here_is_confirmed_without_a_scope(here: Scene, level: Level) -> None:
    here.remember("k", "v", level, task="T9" if level == "task" else None)
    answer = here.remember("k", "v", None, env=TASK)
    assert (answer.decision, answer.exit_status) == ("confirmed", 0)
    assert len(here.memories()) == 1


def test_a_record_with_another_value_beside_it_does_not_matter(here: Scene) -> None:
    here.remember("k", "v")
    here.remember("k", "w", "user")
    answer = here.remember("k", "v", None, AGENT)
    assert answer.decision == "confirmed"
    assert answer.memory is not None
    assert answer.memory.scope.level == "repository"


def test_two_records_with_the_value_need_a_scope(here: Scene) -> None:
    here.remember("k", "v")
    here.remember("k", "v", "user")
    before = here.files()
    assert here.remember("k", "v", None).decision == "needs_scope"
    assert here.files() == before


def test_another_value_needs_a_scope_even_if_there_is_one_record(here: Scene) -> None:
    here.remember("k", "v")
    before = here.files()
    assert here.remember("k", "w", None).decision == "needs_scope"
    assert here.remember("k", "w", None, explicit=True).decision == "needs_scope"
    assert here.remember("k", none=True, level=None).decision == "needs_scope"
    assert here.files() == before


def test_a_qualified_repetition_needs_a_scope(here: Scene) -> None:
    here.remember("k", "v")
    assert here.remember("k", "v", None, topic="t").decision == "needs_scope"


def test_a_narrow_record_is_confirmed_with_its_qualifiers(here: Scene) -> None:
    here.remember("k", "v", path="src/**", topic="t", environment=(("os", "linux"),), version="^1")
    assert here.remember("k", "v", None, AGENT).decision == "confirmed"
    assert len(here.memories()) == 1


def test_candidates_expired_records_and_those_of_other_repositories_are_not_here(here: Scene) -> None:
    here.remember("candidate", "v", by=AGENT)
    here.remember("gone", "v", expires="2026-09-20")
    other = scene(here.sandbox, "other")
    other.remember("elsewhere", "v", private=True)
    later = here.at("2026-09-21T00:00:00Z")
    for key in ("candidate", "gone", "elsewhere"):
        assert later.remember(key, "v", None, AGENT).decision == "needs_scope"


# the scope that is given


def test_one_key_has_a_memory_at_every_level_and_qualification(here: Scene) -> None:
    for level in ("user", "repository", "task"):
        here.remember("k", "v", level, task="T9" if level == "task" else None)
    here.remember("k", "v", private=True)
    for narrowed in ({"path": "a/**"}, {"topic": "t"}, {"environment": (("os", "linux"),)}, {"version": "^1"}):
        here.remember("k", "v", **narrowed)
    assert len(here.memories()) == 8
    assert len({memory.id for memory in here.memories().values()}) == 8
    assert len({memory.identity.key for memory in here.memories().values()}) == 8


def test_a_private_rule_lies_in_the_users_memdir_and_binds_to_what_git_says(here: Scene) -> None:
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8").replace(HERE, "github.com/evil/claimed"), "utf-8")
    memory = made(here, "k", "v", private=True)
    assert (memory.subject, memory.scope.text) == ("user:42", f"repository:{HERE}")
    assert [path.split("/")[0] for path in here.memories()] == ["user"]


def test_qualifiers_are_kept_in_one_form(here: Scene) -> None:
    one = made(here, "k", "v", environment=(("shell", "zsh"), ("os", "linux")))
    assert one.scope.environment == (("os", "linux"), ("shell", "zsh"))
    answer = here.remember("k", "v", environment=(("os", "linux"), ("shell", "zsh")))
    assert answer.decision == "confirmed"


@pytest.mark.parametrize(
    "wrong",
    [{"path": "../x"}, {"path": "/abs"}, {"path": ""}, {"version": "not a range"}, {"environment": ((" ", "x"),)}],
)
def test_a_qualifier_that_cannot_be_one_is_a_usage_error(here: Scene, wrong: dict[str, Any]) -> None:
    before = here.files()
    with pytest.raises(UsageError):
        here.remember("k", "v", **wrong)
    assert here.files() == before


# tasks


def test_a_task_takes_its_id_from_the_option_or_the_runtime(here: Scene) -> None:
    assert made(here, "a", "v", "task", task="T1").scope.task == "T1"
    assert made(here, "b", "v", "task", env=TASK).scope.task == "T9"
    with pytest.raises(UsageError) as error:
        here.remember("c", "v", "task")
    assert "--scope task:ID" in error.value.hint


def test_a_memory_of_a_task_stays_on_this_machine_and_out_of_the_index(here: Scene) -> None:
    memory = made(here, "reply", "short", "task", task="T9")
    assert (memory.subject, memory.scope.repository) == ("user:42", HERE)
    (path,) = here.memories()
    assert path.startswith("user/local/tasks/")
    assert b"reply" not in here.files()["user/MEMORY.md"]


@pytest.mark.parametrize(
    ("given", "ends"),
    [
        (None, "2026-10-14T09:30:00Z"),
        ("1h", "2026-09-14T10:30:00Z"),
        ("30d", "2026-10-14T09:30:00Z"),
        ("31d", "2026-10-14T09:30:00Z"),
        ("2026-10-13", "2026-10-13"),
        ("2026-10-14", "2026-10-14T09:30:00Z"),
        ("2027-01-01", "2026-10-14T09:30:00Z"),
    ],
)
def test_a_memory_of_a_task_ends_after_thirty_days_at_the_latest(here: Scene, given: str | None, ends: str) -> None:
    assert made(here, "reply", "short", "task", task="T9", expires=given).expires_at == ends


def test_saying_it_again_does_not_make_a_task_live_longer(here: Scene) -> None:
    here.remember("reply", "short", "task", task="T9", expires="1h")
    here.at("2026-09-14T10:00:00Z").remember("reply", "short", "task", task="T9")
    (memory,) = here.memories().values()
    assert memory.expires_at == "2026-09-14T10:30:00Z"


# lifetimes


@pytest.mark.parametrize("option", ["expires", "review_after"])
@pytest.mark.parametrize(
    "when", ["2026-09-13", "2026-09-14T09:30:00Z", "2020-01-01", "0h", "2026-09-14T11:30:00+02:00"]
)
def test_nothing_is_born_expired(here: Scene, option: str, when: str) -> None:
    before = here.files()
    with pytest.raises(UsageError) as error:
        here.remember("k", "v", **{option: when})  # type: ignore[arg-type]
    assert error.value.exit_status == 2
    assert here.files() == before


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("2026-09-14", "2026-09-14"),
        ("2026-09-14T09:30:01Z", "2026-09-14T09:30:01Z"),
        ("2026-09-14T12:00:00+02:00", "2026-09-14T10:00:00Z"),
        ("1h", "2026-09-14T10:30:00Z"),
        ("2026-12-14", "2026-12-14"),
    ],
)
def test_an_end_is_kept_as_it_was_meant(here: Scene, when: str, kept: str) -> None:
    memory = made(here, "k", "v", expires=when, review_after=when)
    assert (memory.expires_at, memory.review_after) == (kept, kept)


def test_the_levels_do_not_touch_each_other(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    here.remember("package_manager", "pnpm", "user", message(1))
    here.remember("package_manager", "npm", "repository", message(2))
    assert here.correct("package_manager", "npm", "user", message(3)).decision == "superseded"
    found = {memory.scope.level: memory for path, memory in here.memories().items() if "/memories/" in path}
    assert (found["user"].value, found["user"].revision) == ("npm", 2)
    assert (found["repository"].value, found["repository"].revision, found["repository"].verified_at) == ("npm", 1, NOW)
