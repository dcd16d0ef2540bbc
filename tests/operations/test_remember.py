"""remember: each row of the write table on real files, and everything that is refused before it."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import Kind
from memdir_cli.domain.statement import Provenance
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

HERE = "github.com/acme/legacy-dashboard"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository whose user believes what is proven only."""
    return scene(sandbox)


@pytest.fixture
def lenient(sandbox: Sandbox) -> Scene:
    """A repository whose user accepts what agents claim."""
    return scene(sandbox, claims=True)


# created


def test_a_rule_of_the_repository_lies_in_its_memdir(here: Scene) -> None:
    answer = here.remember("package_manager", "npm", body="Keep the lockfile.\n")
    assert (answer.decision, answer.exit_status, answer.warnings) == ("created", 0, ())
    memory = here.memories()[".memdir/memories/package_manager.md"]
    assert answer.memory == memory
    assert answer.path == str(here.memdir / "memories/package_manager.md")
    assert (memory.subject, memory.scope.text) == (f"project:{HERE}", f"repository:{HERE}")
    assert (memory.value, memory.body, memory.status, memory.revision) == ("npm", "Keep the lockfile.\n", "verified", 1)
    assert (memory.type, memory.authority, memory.name) == ("project-rule", "user", "package_manager")
    assert memory.created_at == memory.updated_at == memory.verified_at == NOW
    (source,) = memory.source
    assert (source.kind, source.attested, source.said) == ("user", "tty", PERSON.command_line)
    assert b"(memories/package_manager.md)" in here.files()[".memdir/MEMORY.md"]
    assert here.events() == ["created"]


def test_a_preference_of_the_user_lies_in_no_repository(here: Scene) -> None:
    answer = here.remember("package_manager", "pnpm", "user")
    (path,) = here.memories()
    assert path == "user/memories/package_manager.md"
    assert answer.memory is not None
    assert (answer.memory.subject, answer.memory.type) == ("user:42", "preference")
    assert here.user_memdir.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("level", "type_", "given", "stored"),
    [
        ("repository", None, PERSON, "project-rule"),
        ("user", None, PERSON, "preference"),
        ("task", None, PERSON, "temporary"),
        ("repository", None, Provenance("tool"), "fact"),
        ("repository", None, Provenance("file"), "fact"),
        ("repository", None, AGENT, "project-rule"),
        ("user", "decision", PERSON, "decision"),
        ("repository", "fact", PERSON, "fact"),
    ],
)
def test_a_type_that_is_left_out_follows_from_level_and_source(
    here: Scene, level: Level, type_: Any, given: Provenance, stored: str
) -> None:
    answer = here.remember("k", "v", level, given, type=type_, task="T9")
    assert answer.memory is not None
    assert answer.memory.type == stored


@pytest.mark.parametrize("kind", ["agent", "tool", "url", "file", "import"])
def test_every_other_source_makes_a_candidate(here: Scene, kind: Kind) -> None:
    answer = here.remember("port", "8080", by=Provenance(kind, said="seen in the log"))
    assert (answer.decision, answer.exit_status) == ("created", 0)
    assert answer.reason == "unconfirmed"
    assert [caution.code for caution in answer.warnings] == ["candidate"]
    assert here.names() == [".memdir/inbox/port"]
    assert b"port" not in here.files()[".memdir/MEMORY.md"]


def test_unproven_words_make_a_candidate_with_the_way_to_proof(here: Scene) -> None:
    answer = here.remember("package_manager", "npm", by=CLAIM)
    assert (answer.decision, answer.exit_status, answer.reason) == ("created", 0, "unproven")
    assert "memdir confirm" in answer.hint
    assert here.names() == [".memdir/inbox/package_manager"]


def test_accepted_claims_are_served_as_claims(lenient: Scene) -> None:
    answer = lenient.remember("package_manager", "npm", by=CLAIM)
    assert answer.memory is not None
    assert answer.memory.status == "verified"
    assert [(source.kind, source.attested) for source in answer.memory.source] == [("user", "claimed")]


def test_a_project_may_forbid_claims_again_but_never_allow_them(lenient: Scene) -> None:
    config = lenient.memdir / "config.yaml"
    original = config.read_text("utf-8")
    config.write_text(original + "gate: {attestation: proven}\n", "utf-8")
    answer = lenient.remember("a", "1", by=CLAIM)
    assert answer.memory is not None
    assert answer.memory.status == "candidate"
    config.write_text(original + "gate: {attestation: claimed}\n", "utf-8")
    (lenient.user_memdir / "config.yaml").write_text("", "utf-8")
    answer = lenient.remember("b", "1", by=CLAIM)
    assert answer.memory is not None
    assert answer.memory.status == "candidate"


def test_a_memory_may_say_that_nothing_applies(here: Scene) -> None:
    answer = here.remember("package_manager", none=True)
    assert answer.memory is not None
    assert (answer.memory.none, answer.memory.value) == (True, None)
    assert answer.memory.description == "package_manager: nothing applies"


@pytest.mark.parametrize(
    "value", ["", " ", "no", "0755", "- x", "a: b", "x # y", "two\nlines", "日本語", "`q`", "\t", "'", '"\\']
)
def test_a_value_is_kept_character_for_character(here: Scene, value: str) -> None:
    here.remember("k", value)
    (memory,) = here.memories().values()
    assert memory.value == value


# confirmed


def test_a_repeated_statement_adds_no_second_record(lenient: Scene) -> None:
    lenient.remember("package_manager", "npm", by=message(1))
    answer = lenient.at("2026-09-15T09:30:00Z").remember("package_manager", "npm", by=message(2))
    assert (answer.decision, answer.exit_status) == ("confirmed", 0)
    (memory,) = lenient.memories().values()
    assert memory.revision == 1
    assert [source.ref for source in memory.source] == ["session:s1/message:m1", "session:s1/message:m2"]
    assert memory.verified_at == "2026-09-15T09:30:00Z"
    assert memory.updated_at == NOW
    assert lenient.events() == ["created", "confirmed"]


def test_an_agents_repetition_adds_its_source_and_moves_no_date(here: Scene) -> None:
    here.remember("package_manager", "npm")
    here.at("2026-09-15T09:30:00Z").remember("package_manager", "npm", by=AGENT)
    (memory,) = here.memories().values()
    assert [source.kind for source in memory.source] == ["user", "agent"]
    assert (memory.verified_at, memory.authority) == (NOW, "user")


def test_a_repeated_candidate_stays_one_file(here: Scene) -> None:
    first = here.remember("port", "8080", by=AGENT)
    again = here.remember("port", "8080", by=Provenance("tool", said="log"))
    assert first.memory is not None
    assert again.memory is not None
    assert again.memory.id == first.memory.id
    assert here.names() == [".memdir/inbox/port"]


def test_more_than_a_repetition_is_told_not_dropped_in_silence(here: Scene) -> None:
    here.remember("package_manager", "npm")
    asked: tuple[dict[str, Any], ...] = (
        {"description": "other"},
        {"body": "other\n"},
        {"expires": "30d"},
        {"review_after": "30d"},
    )
    for more in asked:
        answer = here.remember("package_manager", "npm", **more)
        assert answer.decision == "confirmed"
        assert "details-kept" in {caution.code for caution in answer.warnings}
    (memory,) = here.memories().values()
    assert (memory.expires_at, memory.body, memory.revision) == ("", "", 1)


# superseded, conflicted, needs_decision


def test_replace_supersedes_and_keeps_the_old_revision(here: Scene) -> None:
    here.remember("package_manager", "npm")
    answer = here.remember("package_manager", "pnpm", explicit=True)
    assert (answer.decision, answer.exit_status) == ("superseded", 0)
    assert answer.previous is not None
    assert (answer.previous.value, answer.previous.revision) == ("npm", 1)
    assert here.names() == [".memdir/history/package_manager", ".memdir/memories/package_manager"]


def test_two_claims_of_equal_weight_stand_against_each_other_in_one_file(lenient: Scene) -> None:
    lenient.remember("package_manager", "npm", by=message(1))
    answer = lenient.remember("package_manager", "pnpm", by=message(2))
    assert (answer.decision, answer.exit_status, answer.reason) == ("conflicted", 3, "sides-disagree")
    (memory,) = lenient.memories().values()
    assert memory.status == "conflicted"
    assert [side.value for side in memory.sides] == ["npm", "pnpm"]
    assert all(side.id in answer.hint for side in memory.sides)
    assert b"conflict: ask" in lenient.files()[".memdir/MEMORY.md"]
    third = lenient.remember("package_manager", "yarn", by=message(3))
    assert third.decision == "conflicted"
    again = lenient.remember("package_manager", "npm", by=message(4))
    assert (again.decision, again.exit_status) == ("conflicted", 3)
    (memory,) = lenient.memories().values()
    assert [side.value for side in memory.sides] == ["npm", "pnpm", "yarn"]


def test_a_person_at_the_terminal_is_asked_before_anything_is_written(here: Scene) -> None:
    here.remember("package_manager", "npm")
    before = here.files()
    answer = here.remember("package_manager", "pnpm")
    assert (answer.decision, answer.exit_status, answer.reason) == ("conflicted", 3, "ask-person")
    assert here.files() == before


@pytest.mark.parametrize("by", [AGENT, CLAIM, Provenance("tool", said="log")])
def test_a_weaker_newcomer_waits_and_the_record_stays(here: Scene, by: Provenance) -> None:
    here.remember("package_manager", "npm")
    standing = here.files()[".memdir/memories/package_manager.md"]
    for explicit in (False, True):
        answer = here.remember("package_manager", "pnpm", by=by, explicit=explicit)
        assert (answer.decision, answer.exit_status, answer.reason) == ("needs_decision", 3, "lower-authority")
        assert answer.memory is not None
        assert answer.previous is not None
        assert answer.memory.rival == answer.previous.ref
    assert here.files()[".memdir/memories/package_manager.md"] == standing
    assert here.names() == [".memdir/inbox/package_manager", ".memdir/memories/package_manager"]


def test_what_the_clock_has_ended_stands_against_nobody(here: Scene) -> None:
    here.remember("freeze", "no deploys", expires="2026-09-20")
    later = here.at("2026-09-21T00:00:00Z")
    waiting = later.remember("freeze", "deploy again", by=AGENT)
    assert (waiting.decision, waiting.exit_status) == ("created", 0)
    answer = later.remember("freeze", "deploy again")
    assert answer.decision == "superseded"
    assert answer.memory is not None
    assert answer.memory.expires_at == ""
    assert here.names() == [".memdir/history/freeze", ".memdir/memories/freeze"], "the candidate is absorbed"


# a late result


@pytest.mark.parametrize("by", [PERSON, AGENT, CLAIM])
@pytest.mark.parametrize("value", ["npm", "pnpm", "yarn"])
def test_a_late_result_writes_nothing_and_is_shown_what_stands(here: Scene, by: Provenance, value: str) -> None:
    here.remember("package_manager", "npm")
    here.correct("package_manager", "pnpm")
    before = here.files()
    answer = here.remember("package_manager", value, by=by, if_revision=1)
    assert (answer.decision, answer.exit_status) == ("revision_conflict", 5)
    assert answer.memory is not None
    assert (answer.memory.value, answer.memory.revision) == ("pnpm", 2)
    assert here.files() == before


def test_the_current_revision_may_be_built_on_and_zero_means_none(here: Scene) -> None:
    assert here.remember("k", "1", if_revision=0).decision == "created"
    assert here.remember("k", "2", explicit=True, if_revision=1).decision == "superseded"
    before = here.files()
    assert here.remember("k", "3", if_revision=0).decision == "revision_conflict"
    assert here.remember("other", "3", if_revision=1).decision == "revision_conflict"
    assert here.files() == before


# refused


def test_a_user_without_words_is_refused_off_a_terminal(here: Scene) -> None:
    before = here.files()
    answer = here.remember("k", "v", by=Provenance("user", session="s1", message="m1"))
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "words-missing")
    assert here.files() == before


@pytest.mark.parametrize("kind", ["agent", "url", "import", "tool", "file"])
@pytest.mark.parametrize("type_", ["preference", "decision", "project-rule"])
def test_nobody_but_the_user_instructs_everywhere(here: Scene, kind: Kind, type_: Any) -> None:
    before = here.files()
    answer = here.remember("k", "v", "user", Provenance(kind, said="x"), type=type_)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "user-level")
    assert here.files() == before


@pytest.mark.parametrize("setters", [["42"], ["user:42"]])
def test_policy_is_given_by_its_setters(here: Scene, setters: list[str]) -> None:
    refused = here.remember("license", "MIT only", policy=True)
    assert (refused.decision, refused.exit_status, refused.reason) == ("refused", 4, "policy-setter")
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + f"policy: {{setters: [{', '.join(setters)}]}}\n", "utf-8")
    assert here.remember("license", "MIT only", policy=True, by=CLAIM).reason == "policy-setter"
    answer = here.remember("license", "MIT only", policy=True)
    assert answer.memory is not None
    assert answer.memory.authority == "policy"
    other = {"MEMDIR_USER": "7"}
    stated: tuple[dict[str, Any], ...] = (
        {"value": "any"},
        {"value": "MIT only", "description": "what it says is not mine"},
    )
    for statement in stated:
        answer = here.remember("license", explicit=True, env=other, **statement)
        assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "policy-record")
    waiting = here.remember("license", "any", env=other)
    assert (waiting.decision, waiting.exit_status) == ("needs_decision", 3)
