"""settle: one side of a conflict becomes the value, by a user's word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import UsageError
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

TOMORROW = "2026-09-15T09:30:00Z"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository in which two claims of equal weight stand against each other."""
    found = scene(sandbox, claims=True)
    found.remember("package_manager", "npm", by=message(1), body="Keep the lockfile.\n")
    found.remember("package_manager", "pnpm", by=message(2), body="It is faster.\n")
    return found


def conflict(here: Scene) -> Memory:
    return here.memories()[".memdir/memories/package_manager.md"]


@pytest.mark.parametrize(("at", "value", "text"), [(0, "npm", "Keep the lockfile.\n"), (1, "pnpm", "It is faster.\n")])
def test_the_side_that_is_kept_is_served_and_the_other_goes_to_history(
    here: Scene, at: int, value: str, text: str
) -> None:
    before = conflict(here)
    kept, lost = before.sides[at], before.sides[1 - at]
    answer = here.at(TOMORROW).settle("package_manager", kept.id)
    assert (answer.decision, answer.exit_status) == ("settled", 0)
    memory = conflict(here)
    assert (memory.value, memory.body, memory.status, memory.sides) == (value, text, "verified", ())
    assert (memory.id, memory.revision, memory.verified_at) == (before.id, before.revision + 1, TOMORROW)
    ((path, old),) = ((path, one) for path, one in here.memories().items() if "/history/" in path)
    assert (old.value, old.id, old.superseded_by) == (lost.value, lost.id, memory.ref)
    assert lost.id in path
    assert here.events() == ["created", "conflicted", "settled"]
    index = here.files()[".memdir/MEMORY.md"]
    assert b"conflict: ask" not in index
    assert f"`{value}`".encode() in index


def test_a_unique_prefix_of_a_side_will_do_in_any_case(here: Scene) -> None:
    side = conflict(here).sides[0]
    other = conflict(here).sides[1].id
    size = next(n for n in range(1, 14) if side.id[:n] != other[:n])
    assert here.settle("package_manager", side.id[:size].upper()).decision == "settled"


@pytest.mark.parametrize("keep", ["", "nothing", "npm"])
def test_what_is_no_side_is_told_with_the_sides(here: Scene, keep: str) -> None:
    before = here.files()
    with pytest.raises(UsageError) as error:
        here.settle("package_manager", keep)
    assert error.value.code == "unknown-side"
    assert all(side.id in error.value.hint for side in conflict(here).sides)
    assert here.files() == before


def test_what_is_no_conflict_is_not_settled(here: Scene) -> None:
    here.remember("lint", "eslint")
    with pytest.raises(UsageError) as error:
        here.settle("lint", "x")
    assert error.value.code == "wrong-status"


@pytest.mark.parametrize(
    ("by", "reason"), [(AGENT, "user-word-needed"), (Provenance("user"), "words-missing"), (CLAIM, "unproven")]
)
def test_only_a_users_proven_word_settles(here: Scene, by: Provenance, reason: str) -> None:
    (here.user_memdir / "config.yaml").write_text("", "utf-8")
    before = here.files()
    answer = here.settle("package_manager", conflict(here).sides[0].id, by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
    assert here.files() == before


def test_of_three_sides_both_losers_go_to_history(here: Scene) -> None:
    here.remember("package_manager", "yarn", by=message(3))
    here.settle("package_manager", conflict(here).sides[2].id)
    assert conflict(here).value == "yarn"
    assert sorted(one.value or "" for path, one in here.memories().items() if "/history/" in path) == ["npm", "pnpm"]


def test_a_conflict_of_policies_is_settled_by_a_setter_only(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "policy: {setters: ['42']}\n", "utf-8")
    here.remember("license", "MIT", policy=True, by=message(1))
    here.remember("license", "Apache-2.0", policy=True, by=message(2))
    (memory,) = here.memories().values()
    assert memory.status == "conflicted"
    other = replace(here, sandbox=replace(here.sandbox, environ={**here.sandbox.environ, "MEMDIR_USER": "7"}))
    before = here.files()
    answer = other.settle("license", memory.sides[0].id)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "policy-record")
    assert here.files() == before
    answer = here.settle("license", memory.sides[0].id)
    assert answer.memory is not None
    assert (answer.memory.value, answer.memory.authority) == ("MIT", "policy")


def test_that_nothing_applies_is_a_side_like_any_other(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    here.remember("package_manager", none=True, by=message(1), body="Vendored, nothing to install.\n")
    here.remember("package_manager", "npm", by=message(2))
    here.settle("package_manager", conflict(here).sides[0].id)
    memory = conflict(here)
    assert (memory.none, memory.value, memory.body) == (True, None, "Vendored, nothing to install.\n")
    assert memory.verified_at == NOW


def test_the_person_who_settles_is_a_source(here: Scene) -> None:
    here.settle("package_manager", conflict(here).sides[0].id, PERSON)
    assert [source.attested for source in conflict(here).source] == ["claimed", "tty"]
