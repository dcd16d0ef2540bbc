"""reject: a candidate goes, and who proposes it once more is told so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.statement import Provenance, Qualification
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.check import check
from memdir_cli.operations.narrow import narrow
from memdir_cli.operations.reject import reject
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

TOMORROW = "2026-09-15T09:30:00Z"
ENTRY = Provenance("import", said="use jest", session="s1", message="m1")


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository in which an agent has proposed something."""
    found = scene(sandbox)
    found.remember("test_runner", "jest", by=AGENT)
    return found


def drop(here: Scene, ref: str = "test_runner", by: Provenance = PERSON, **more: Any) -> WriteAnswer:
    return reject(here.open(), ref, by, **more)


def receipts(here: Scene) -> list[dict[str, Any]]:
    lines = [line for path, text in here.files().items() if "/receipts/" in path for line in text.splitlines()]
    return [event for line in lines for event in json.loads(line)["events"]]


def test_the_candidate_goes_and_its_digests_stay(here: Scene) -> None:
    (waiting,) = here.memories().values()
    answer = drop(here)
    assert (answer.decision, answer.exit_status, answer.status, answer.path) == ("rejected", 0, None, "")
    assert answer.memory == waiting
    assert here.names() == []
    created, rejected = receipts(here)
    assert (rejected["kind"], rejected["id"], rejected["status"]) == ("rejected", waiting.id, "candidate")
    assert (rejected["content"], rejected["sources"]) == (created["content"], created["sources"])
    assert "jest" not in json.dumps(rejected)
    assert [finding.text for finding in check(here.open()).findings] == []


@pytest.mark.parametrize("by", [AGENT, Provenance("tool"), Provenance("agent", session="s7", message="m7")])
def test_who_proposes_the_same_again_is_answered_plainly(here: Scene, by: Provenance) -> None:
    drop(here, reason="we left jest for good")
    before = here.files()
    # what a tool says is a fact, and a fact is not what was rejected
    answer = here.at(TOMORROW).remember("test_runner", "jest", by=by, type="project-rule")
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "rejected")
    assert answer.message == "A user did not want this for `test_runner` on 2026-09-14: we left jest for good"
    assert "--from user" in answer.hint
    assert here.files() == before


def test_without_a_reason_the_day_is_told(here: Scene) -> None:
    drop(here)
    answer = here.remember("test_runner", "jest", by=AGENT)
    assert answer.message == "A user did not want this for `test_runner` on 2026-09-14."


def test_the_reason_stays_on_this_machine(here: Scene) -> None:
    drop(here, reason="we left jest for good")
    holding = [path for path, content in here.files().items() if b"left jest" in content]
    assert len(holding) == 1
    assert holding[0].startswith(".memdir/local/sources/")
    assert "/local/" in (here.memdir / ".gitignore").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("key", "value", "more"),
    [
        ("test_runner", "vitest", {}),
        ("runner", "jest", {}),
        ("test_runner", "jest", {"topic": "legacy"}),
        ("test_runner", "jest", {"body": "For the old packages.\n"}),
    ],
)
def test_another_proposal_waits_as_ever(here: Scene, key: str, value: str, more: Any) -> None:
    drop(here)
    assert here.remember(key, value, by=AGENT, **more).decision == "created"


def test_an_imported_entry_is_known_again_whatever_is_made_of_it(here: Scene) -> None:
    waiting = here.remember("mocks", "jest.mock", by=ENTRY)
    assert waiting.memory is not None
    drop(here, waiting.memory.id)
    assert here.remember("mocks", "vi.mock", by=ENTRY).reason == "rejected"
    other = Provenance("import", said="use jest", session="s1", message="m2")
    assert here.remember("mocks", "vi.mock", by=other).decision == "created"


def test_a_user_may_say_it_after_all(here: Scene) -> None:
    drop(here)
    assert here.remember("test_runner", "jest", by=PERSON).decision == "created"
    assert here.remember("test_runner", "jest", by=AGENT).decision == "confirmed"


def test_what_a_user_is_said_to_have_said_waits_again(here: Scene) -> None:
    drop(here)
    answer = here.remember("test_runner", "jest", by=CLAIM)
    assert (answer.decision, answer.memory and answer.memory.status) == ("created", "candidate")


def test_a_rival_that_was_rejected_is_not_proposed_again(sandbox: Sandbox) -> None:
    here = scene(sandbox)
    here.remember("test_runner", "vitest", by=PERSON)
    assert here.remember("test_runner", "jest", by=AGENT).decision == "needs_decision"
    drop(here)
    assert here.remember("test_runner", "jest", by=AGENT).reason == "rejected"
    assert here.names() == [".memdir/memories/test_runner"]


def test_a_candidate_that_was_narrowed_is_not_proposed_widely_again(here: Scene) -> None:
    answer = narrow(here.open(), "test_runner", Qualification(path="legacy/**"), PERSON)
    assert answer.memory is not None
    again = here.remember("test_runner", "jest", by=AGENT)
    assert (again.reason, answer.memory.ref in again.message) == ("rejected", True)
    assert here.names() == [path for path in here.names() if "/memories/" in path]


@pytest.mark.parametrize(
    ("by", "reason"),
    [(AGENT, "user-word-needed"), (CLAIM, "unproven"), (Provenance("user"), "words-missing")],
)
def test_only_a_users_proven_word_rejects(here: Scene, by: Provenance, reason: str) -> None:
    before = here.files()
    answer = drop(here, by=by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
    assert here.files() == before


def test_only_what_waits_is_rejected(here: Scene) -> None:
    here.remember("linter", "ruff", by=PERSON)
    for ref, code in (("linter", "wrong-status"), ("never_heard_of", "unknown-ref")):
        with pytest.raises(UsageError) as error:
            drop(here, ref)
        assert error.value.code == code


def test_of_several_candidates_one_is_named(here: Scene) -> None:
    here.remember("test_runner", "vitest", by=AGENT)
    with pytest.raises(PersonNeededError) as error:
        drop(here)
    ids: Any = error.value.facts["ids"]
    assert drop(here, ids[0]).decision == "rejected"
    assert drop(here).decision == "rejected"


def test_in_the_user_memdir_too(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=False)
    here.remember("editor", "helix", "user", by=message(1))
    assert drop(here, "editor", reason="no").decision == "rejected"
    assert [path for path in here.memories() if path.startswith("user/")] == []
    assert Path(here.user_memdir / "local/sources").is_dir()
