"""correct: a user's word replaces what stood; nobody else's does."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.source import Kind
from memdir_cli.domain.statement import Provenance
from tests.operations.writing_place import CLAIM, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

TOMORROW = "2026-09-15T09:30:00Z"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository in which npm was said at the terminal."""
    found = scene(sandbox)
    found.remember("package_manager", "npm", body="Keep the lockfile.\n", type="decision")
    return found


def test_a_correction_makes_a_new_revision_and_keeps_the_old_one(here: Scene) -> None:
    answer = here.at(TOMORROW).correct("package_manager", "pnpm")
    assert (answer.decision, answer.exit_status) == ("superseded", 0)
    new = here.memories()[".memdir/memories/package_manager.md"]
    (old,) = (memory for path, memory in here.memories().items() if "/history/" in path)
    assert (new.value, new.revision, new.supersedes, new.updated_at) == ("pnpm", 2, f"{new.id}@1", TOMORROW)
    assert (new.type, new.body, new.created_at) == ("decision", "Keep the lockfile.\n", NOW)
    assert (old.value, old.revision, old.status, old.superseded_by) == ("npm", 1, "superseded", new.ref)
    assert answer.previous is not None
    assert (answer.previous.ref, answer.previous.value) == (old.ref, "npm")
    assert here.events() == ["created", "superseded"]


def test_a_correction_says_what_its_text_still_says_of_the_old_value(here: Scene) -> None:
    here.correct("package_manager", "npm", body="Use npm ci.\n")
    answer = here.correct("package_manager", "pnpm")
    assert "old-value-in-body" in {caution.code for caution in answer.warnings}


@pytest.mark.parametrize(
    ("details", "changed"),
    [
        ({}, False),
        ({"description": "package_manager: npm"}, False),
        ({"description": "npm ci only"}, True),
        ({"body": "Other.\n"}, True),
        ({"type": "project-rule"}, True),
        ({"expires": "2027-01-01"}, True),
        ({"review_after": "30d"}, True),
    ],
)
def test_the_same_value_is_confirmed_unless_its_details_are_corrected(
    here: Scene, details: dict[str, Any], *, changed: bool
) -> None:
    answer = here.correct("package_manager", "npm", **details)
    assert answer.decision == ("superseded" if changed else "confirmed")
    assert answer.memory is not None
    assert answer.memory.revision == (2 if changed else 1)


def test_there_may_be_nothing_to_correct(here: Scene) -> None:
    answer = here.correct("lint", "eslint")
    assert (answer.decision, answer.exit_status) == ("created", 0)
    assert [caution.code for caution in answer.warnings] == ["no-record"]


def test_a_value_may_be_corrected_to_nothing_and_back(here: Scene) -> None:
    assert here.correct("package_manager", none=True).decision == "superseded"
    answer = here.correct("package_manager", "pnpm")
    assert answer.memory is not None
    assert (answer.memory.value, answer.memory.none, answer.memory.revision) == ("pnpm", False, 3)
    assert len([path for path in here.memories() if "/history/" in path]) == 2


def test_without_a_scope_the_keys_only_record_is_meant(here: Scene) -> None:
    answer = here.correct("package_manager", "pnpm", None)
    assert answer.decision == "superseded"
    assert answer.memory is not None
    assert answer.memory.scope.level == "repository"


def test_without_a_scope_several_records_or_none_need_one(here: Scene) -> None:
    here.remember("package_manager", "pnpm", "user")
    before = here.files()
    for key in ("package_manager", "lint"):
        answer = here.correct(key, "yarn", None)
        assert (answer.decision, answer.exit_status) == ("needs_scope", 3)
        assert [choice.scope for choice in answer.choices] == ["repository", "user"]
    assert here.files() == before


@pytest.mark.parametrize("kind", ["agent", "tool", "url", "file", "import"])
def test_nobody_but_a_user_corrects(here: Scene, kind: Kind) -> None:
    before = here.files()
    answer = here.correct("package_manager", "pnpm", by=Provenance(kind, said="pnpm"))
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "user-word-needed")
    assert "--said" in answer.hint
    assert here.files() == before


def test_an_unproven_correction_is_refused_and_its_value_waits(here: Scene) -> None:
    standing = here.files()[".memdir/memories/package_manager.md"]
    answer = here.correct("package_manager", "pnpm", by=CLAIM)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "unproven")
    assert "--transcript" in answer.hint
    assert answer.memory is not None
    assert (answer.memory.value, answer.memory.status) == ("pnpm", "candidate")
    assert here.files()[".memdir/memories/package_manager.md"] == standing
    assert here.names() == [".memdir/inbox/package_manager", ".memdir/memories/package_manager"]
    again = here.correct("package_manager", "pnpm", by=message(2))
    assert (again.decision, again.memory and again.memory.id) == ("refused", answer.memory.id)
    assert len(here.memories()) == 2


def test_an_unproven_correction_of_nothing_waits_too(here: Scene) -> None:
    answer = here.correct("lint", "eslint", by=CLAIM)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "unproven")
    assert ".memdir/inbox/lint" in here.names()


def test_a_late_correction_is_told_so_before_anything_else(here: Scene) -> None:
    here.correct("package_manager", "pnpm")
    before = here.files()
    for by in (PERSON, CLAIM):
        answer = here.correct("package_manager", "yarn", by=by, if_revision=1)
        assert (answer.decision, answer.exit_status) == ("revision_conflict", 5)
    assert here.files() == before


def test_a_correction_ends_a_conflict(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    here.remember("package_manager", "npm", by=message(1))
    here.remember("package_manager", "pnpm", by=message(2))
    answer = here.correct("package_manager", "yarn", by=message(3))
    assert (answer.decision, answer.exit_status) == ("superseded", 0)
    values: dict[str, list[str]] = {"memories": [], "history": []}
    for path, memory in here.memories().items():
        values[path.split("/")[1]].append(memory.value or "")
    assert values["memories"] == ["yarn"]
    assert sorted(values["history"]) == ["npm", "pnpm"]


def test_twenty_corrections_make_a_chain_without_a_gap(here: Scene) -> None:
    for number in range(20):
        assert here.correct("package_manager", f"v{number}", if_revision=number + 1).decision == "superseded"
    chain = sorted(here.memories().values(), key=lambda memory: memory.revision)
    assert [memory.revision for memory in chain] == list(range(1, 22))
    assert len({memory.id for memory in chain}) == 1
    assert [memory.supersedes for memory in chain[1:]] == [memory.ref for memory in chain[:-1]]
    assert [memory.superseded_by for memory in chain[:-1]] == [memory.ref for memory in chain[1:]]


def test_an_end_of_today_outlives_a_correction(here: Scene) -> None:
    here.remember("freeze", "no deploys", expires="2026-09-14")
    answer = here.correct("freeze", "no deploys at all")
    assert answer.memory is not None
    assert answer.memory.expires_at == "2026-09-14"
