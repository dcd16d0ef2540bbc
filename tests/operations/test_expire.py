"""expire: a user ends a memory, with or without a link to what holds in its place."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.expire import expire
from memdir_cli.operations.get import get
from memdir_cli.operations.history import history
from memdir_cli.operations.refresh import refresh
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, scene
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with two rules."""
    found = scene(sandbox)
    found.remember("build", "make", by=PERSON)
    found.remember("bundler", "rollup", by=PERSON)
    return found


def end(here: Scene, ref: str, by: Provenance = PERSON, **more: Any) -> WriteAnswer:
    return expire(here.open(), ref, by, **more)


def test_it_goes_to_history_with_a_reason_and_the_users_word(here: Scene) -> None:
    (before,) = (memory for memory in here.memories().values() if memory.predicate == "build")
    answer = end(here, "build")
    assert (answer.decision, answer.exit_status, answer.reason) == ("expired", 0, "expired")
    path = f".memdir/history/build~{before.id}@1.md"
    past = here.memories()[path]
    assert answer.path.endswith(path)
    assert (past.id, past.revision, past.status) == (before.id, 1, "expired")
    assert past.status_reason == "expired: a user ended it"
    assert (past.value, past.updated_at, past.verified_at) == ("make", before.updated_at, before.verified_at)
    assert past.source[0] == before.source[0]
    assert b"build" not in here.files()[".memdir/MEMORY.md"]
    assert here.events()[-1] == "expired"
    assert get(here.open(), "build").document()["value"] is None


def test_with_a_link_it_is_superseded(here: Scene) -> None:
    answer = end(here, "build", superseded_by="bundler")
    assert (answer.decision, answer.reason) == ("expired", "superseded")
    (heir,) = (memory for memory in here.memories().values() if memory.predicate == "bundler")
    (past,) = (memory for memory in here.memories().values() if memory.predicate == "build")
    assert (past.status, past.superseded_by) == ("superseded", heir.ref)
    assert past.status_reason == f"superseded: by {heir.ref} (`bundler`)"
    assert heir.status == "verified"
    assert [one["supersededBy"] for one in history(here.open(), "build").document()["revisions"]] == [heir.ref]  # type: ignore[attr-defined]


def test_a_key_that_ended_can_be_said_anew(here: Scene) -> None:
    end(here, "build")
    answer = here.remember("build", "bazel")
    assert (answer.decision, answer.memory and answer.memory.revision) == ("created", 1)
    end(here, "build")
    assert here.names().count(".memdir/history/build") == 2


def test_it_answers_a_verification_that_failed(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', encoding="utf-8")
    here.remember("dev", "npm run dev")
    (here.top / "package.json").write_text('{"scripts": {}}', encoding="utf-8")
    assert [change.after for change in refresh(here.open()).changed] == ["stale"]
    refused = here.confirm("dev")
    assert (refused.exit_status, refused.reason) == (4, "evidence-missing")
    assert "memdir expire" in refused.hint
    assert end(here, "dev").exit_status == 0
    assert refresh(here.open()).changed == ()


@pytest.mark.parametrize(
    ("by", "reason"),
    [(AGENT, "user-word-needed"), (CLAIM, "unproven"), (Provenance("user"), "words-missing")],
)
def test_only_a_users_proven_word_ends(here: Scene, by: Provenance, reason: str) -> None:
    before = here.files()
    answer = end(here, "build", by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
    assert here.files() == before


@pytest.mark.parametrize("heir", ["build", "nothing_like_it"])
def test_a_link_names_another_memory(here: Scene, heir: str) -> None:
    before = here.files()
    with pytest.raises(UsageError):
        end(here, "build", superseded_by=heir)
    assert here.files() == before


def test_what_waits_or_has_ended_cannot_end(here: Scene) -> None:
    here.remember("port", "8080", by=AGENT)
    for ref in ("port", "never_heard_of"):
        with pytest.raises(UsageError):
            end(here, ref)
    end(here, "build")
    with pytest.raises(UsageError):
        end(here, "build")


def test_a_key_at_two_levels_needs_one_to_be_named(here: Scene) -> None:
    here.remember("build", "ninja", "user")
    with pytest.raises(PersonNeededError):
        end(here, "build")
    assert end(here, "build", scope="user").exit_status == 0
    assert end(here, "build").exit_status == 0


def test_policy_is_ended_by_its_setters_only(here: Scene) -> None:
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + 'policy:\n  setters: ["42"]\n', encoding="utf-8")
    assert here.remember("licence", "MIT", policy=True).exit_status == 0
    config.write_text(config.read_text("utf-8").replace('["42"]', '["7"]'), encoding="utf-8")
    answer = end(here, "licence")
    assert (answer.exit_status, answer.reason) == (4, "policy-record")
