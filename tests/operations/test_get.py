"""get and explain over real memdirs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain import access as accessing
from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.runtime import Fact, Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.errors import UsageError
from memdir_cli.operations.explain import explain
from memdir_cli.operations.get import get
from memdir_cli.operations.refresh import refresh
from memdir_cli.storage import access
from memdir_cli.storage.store import Store
from tests.operations.reading_place import Place, founded
from tests.sandbox import Sandbox

KEYS = {"value", "id", "revision", "status", "scope", "source", "age", "warnings"}


@pytest.fixture
def place(sandbox: Sandbox) -> Place:
    """A repository with a memdir."""
    return founded(sandbox)


def test_the_story_of_two_repositories(sandbox: Sandbox) -> None:
    legacy, fresh = founded(sandbox, "legacy-dashboard"), founded(sandbox, "fresh")
    legacy.say("package_manager", "pnpm", "user")
    legacy.say("package_manager", "npm", "repository")
    assert get(legacy.open(), "package_manager").value == "npm"
    assert get(fresh.open(), "package_manager").value == "pnpm"
    legacy.say("package_manager", None, "task", task="T1", none=True)
    inside = get(legacy.open(env={"MEMDIR_TASK": "T1"}), "package_manager")
    assert (inside.exit_status, inside.value, inside.reason) == (1, None, "none")
    legacy.say("package_manager", "npm", "user", explicit=True, message="later")
    assert get(fresh.open(), "package_manager").value == "npm"
    assert get(legacy.open(), "package_manager").winner != get(fresh.open(), "package_manager").winner


def test_a_value_comes_with_everything_that_explains_it(place: Place) -> None:
    place.say("node", "22", "repository", now="2026-09-01T08:00:00Z")
    answer = get(place.open(), "NODE")
    document = answer.document()
    assert answer.exit_status == 0
    assert document.keys() >= KEYS
    assert (document["value"], document["status"], document["revision"]) == ("22", "verified", 1)
    assert document["scope"] == "repository:github.com/acme/app"
    assert document["age"] == "13 days"
    assert document["sourceLabel"] == "user, claimed by agent (session:s1/message:node-22)"
    assert document["warnings"] == []
    json.dumps(document)


def test_a_memory_without_value_gives_its_body(place: Place) -> None:
    place.say("howto", None, "repository", body="# Steps\n\nrun it\n")
    assert get(place.open(), "howto").value == "# Steps\n\nrun it"


def test_a_conflict_gives_no_value_anywhere(place: Place) -> None:
    place.say("quotes", "single ones", "repository")
    place.say("quotes", "double ones", "repository")
    answer = get(place.open(), "quotes")
    told = json.dumps(answer.document())
    assert (answer.exit_status, answer.value) == (3, None)
    assert "single" not in told
    assert "double" not in told
    assert answer.document()["status"] == "conflicted"
    told = json.dumps(explain(place.open(), "quotes").document())
    assert "single ones" in told
    assert "double ones" in told


def test_rivals_of_which_neither_is_narrower_leave_it_to_a_person(place: Place) -> None:
    place.say("lint", "biome", "repository", path="src/**")
    place.say("lint", "eslint", "repository", topic="release")
    runtime = place.at("src/a.ts").runtime
    both = replace(place.open(), runtime=replace(runtime, topic=Fact("release", "option --topic")))
    answer = get(both, "lint")
    assert (answer.exit_status, answer.value, answer.hint) == (3, None, "memdir explain lint")
    assert [one.outcome for one in explain(both, "lint").contenders] == ["conflict", "conflict"]


def test_an_unknown_key_names_the_nearest_one_in_sight(place: Place) -> None:
    place.say("package_manager", "npm", "repository")
    place.say("package_mangler", "x", "task", task="T1")
    answer = get(place.open(), "package_mangr")
    assert (answer.exit_status, answer.reason, answer.nearest) == (1, "not_found", "package_manager")
    assert get(place.open(), "zebra").nearest == ""


def test_a_candidate_is_not_served_but_named(place: Place) -> None:
    made = place.say("orm", "prisma", "repository", kind="agent")
    assert made.memory is not None
    answer = get(place.open(), "orm")
    assert (answer.exit_status, answer.value, answer.reason) == (1, None, "not_found")
    assert f"memdir confirm {made.memory.id}" in answer.hint
    assert "prisma" not in json.dumps(answer.document())


def test_what_does_not_apply_here_is_told_apart_from_what_is_unknown(place: Place) -> None:
    place.say("formatter", "eslint", "repository", path="packages/old/**")
    answer = get(place.open(), "formatter")
    assert (answer.exit_status, answer.reason) == (1, "not_applicable")
    assert get(place.at("packages/old/a.js"), "formatter").value == "eslint"
    assert get(place.at("packages/older/a.js"), "formatter").reason == "not_applicable"


def test_another_users_memory_does_not_exist(place: Place) -> None:
    place.say("commit_style", "conventional", "user")
    stranger = place.open(env={"MEMDIR_USER": "someone-else"})
    assert get(stranger, "commit_style").reason == "not_found"
    assert get(stranger, "commit_stile").nearest == ""
    assert explain(stranger, "commit_style").document()["contenders"] == []
    assert explain(stranger, "commit_style").exit_status == 1


def test_a_level_can_be_asked_for(place: Place) -> None:
    place.say("package_manager", "pnpm", "user")
    place.say("package_manager", "npm", "repository")
    assert get(place.open(), "package_manager", "user").value == "pnpm"
    assert get(place.open(), "package_manager", "task").reason == "not_found"


def test_a_level_that_says_nothing_names_neither_candidate_nor_neighbour(place: Place) -> None:
    place.say("linter", "biome", "repository")
    answer = get(place.open(), "linter", "user")
    assert (answer.exit_status, answer.reason, answer.hint) == (1, "not_found", "memdir explain linter")
    assert "at level user" in answer.message


def test_a_key_of_the_past_points_at_its_history(place: Place) -> None:
    place.say("linter", "biome", "repository", expires="2026-09-15")
    later = place.open(now="2026-09-20T00:00:00Z")
    refresh(later)
    answer = get(later, "linter")
    assert (answer.exit_status, answer.value, answer.hint) == (1, None, "memdir history linter")


def test_the_clock_decides_while_reading_and_writes_nothing(place: Place) -> None:
    place.say("registry", "public", "user")
    made = place.say("registry", "mirror", "repository", expires="2026-09-14T12:00:00Z")
    before = (place.top / ".memdir/memories/registry.md").read_bytes()
    assert get(place.open(now="2026-09-14T11:59:59Z"), "registry").value == "mirror"
    assert get(place.open(now="2026-09-14T12:00:01Z"), "registry").value == "public"
    assert (place.top / ".memdir/memories/registry.md").read_bytes() == before
    assert made.memory is not None
    fates = {
        one.judged.memory.id: one.reason
        for one in explain(place.open(now="2026-10-01T00:00:00Z"), "registry").contenders
    }
    assert "it ended 2026-09-14T12:00:00Z" in fates[made.memory.id]


def test_a_stale_value_is_served_with_its_reason(place: Place) -> None:
    place.say("node", "22", "repository", review_after="2026-12-14")
    answer = get(place.open(now="2026-12-15T00:00:00Z"), "node")
    assert (answer.value, answer.exit_status) == ("22", 0)
    assert [one.code for one in answer.warnings] == ["stale"]
    assert answer.warnings[0].message.startswith("stale: verify first: it was to be reviewed after 2026-12-14")
    assert answer.document()["status"] == "stale"


def test_a_removed_script_is_never_served_as_verified(place: Place) -> None:
    made = place.say("test_command", "npm run test", "repository")
    assert made.memory is not None
    evidence = Evidence("package.json#scripts.test", "v1:00")
    place.change(made.memory.id, depends_on=(evidence,))
    seen = {evidence: Verdict("removed", "`package.json#scripts.test` is gone")}
    answer = get(place.open(), "test_command", verdicts=seen)
    assert answer.document()["status"] == "stale"
    (place.top / "package.json").write_text('{"scripts": {"other": "x"}}', encoding="utf-8")
    looked = get(place.open(), "test_command").document()
    assert looked["status"] == "stale"
    assert "evidence-removed" in str(looked["statusReason"])


def test_a_file_that_no_receipt_names_is_served_with_a_warning(place: Place) -> None:
    made = place.say("node", "22", "repository")
    assert made.memory is not None
    place.change(made.memory.id, value="24")
    answer = get(place.open(), "node")
    assert answer.value == "24"
    assert [one.code for one in answer.warnings] == ["unattributed"]
    assert "verify first" in answer.warnings[0].message
    assert [one.code for one in explain(place.open(), "node").warnings] == ["unattributed"]


def test_a_repository_cannot_bring_a_users_memory_along(place: Place) -> None:
    made = place.say("danger", "rm -rf /", "repository")
    assert made.memory is not None
    user = place.open().runtime.user.value
    place.change(made.memory.id, subject=f"user:{user}")
    answer = get(place.open(), "danger")
    assert (answer.value, answer.reason) == (None, "not_applicable")
    assert explain(place.open(), "danger").contenders[0].rule == "memdir"


def test_get_reads_no_file_of_another_key(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.say("node", "22", "repository")

    def whole(*_: object) -> None:
        raise AssertionError("a snapshot of everything was taken")

    monkeypatch.setattr(Store, "snapshot", whole)
    assert get(place.open(), "node").value == "22"


def test_explain_names_what_waits_is_quarantined_or_ended(place: Place) -> None:
    place.say("orm", "prisma", "repository")
    place.say("orm", "drizzle", "repository", kind="agent")
    poisoned = place.say("orm", "evil words", "user")
    ended = place.say("orm", "old", "task", task="T1")
    assert poisoned.memory is not None
    assert ended.memory is not None
    place.change(poisoned.memory.id, status="quarantined", status_reason="injected: by a web page")
    place.change(ended.memory.id, status="expired", status_reason="expired: the task is done")
    answer = explain(place.open(), "orm")
    fates = [(one.judged.effective.status, one.outcome, one.rule) for one in answer.contenders]
    assert fates[0] == ("verified", "winner", "only")
    assert sorted(fates[1:]) == [
        ("candidate", "excluded", "status"),
        ("expired", "excluded", "task"),
        ("quarantined", "excluded", "status"),
    ]
    told = json.dumps(answer.document())
    assert "evil words" not in told
    assert "by a web page" in told


def test_explain_does_not_count_revisions_as_contenders(place: Place) -> None:
    place.say("orm", "prisma", "repository")
    place.say("orm", "drizzle", "repository", explicit=True)
    answer = explain(place.open(), "orm")
    assert len(answer.contenders) == 1
    winner = answer.document()["winner"]
    assert isinstance(winner, dict)
    assert winner["value"] == "drizzle"
    assert winner.keys() >= {"id", "scope", "status", "outcome", "reason"}


def test_ignored_memory_is_not_even_read(place: Place) -> None:
    place.say("node", "22", "repository")
    answer = get(place.open(), "node", ignored=True)
    assert (answer.exit_status, answer.value, answer.document()["ignored"]) == (1, None, True)
    told = explain(place.open(), "node", ignored=True)
    assert (told.exit_status, told.document()["contenders"], told.document()["ignored"]) == (0, [], True)


def test_what_is_no_key_is_wrong_usage(place: Place) -> None:
    with pytest.raises(UsageError):
        get(place.open(), "a key with spaces")


def test_reads_that_feed_an_agent_are_logged_without_content(place: Place) -> None:
    made = place.say("node", "secretvalue", "repository")
    place.say("node", "othervalue", "user")
    assert made.memory is not None
    get(place.open(env={"MEMDIR_SESSION": "s9", "MEMDIR_TASK": "T1"}), "node")
    get(place.open(), "node", feeds=False)
    user_line, project_line = (json.loads(line) for line in place.accesses())
    assert project_line == {
        "at": "2026-09-14T09:30:00Z",
        "verb": "get",
        "session": "s9",
        "task": "T1",
        "shown": [{"id": made.memory.id, "revision": 1, "status": "verified", "age": "today"}],
        "candidates": 1,
    }
    assert list(user_line["excluded"]) == ["level"]
    assert "value" not in "".join(place.accesses())


def test_a_memdir_that_cannot_be_written_is_read_in_silence(place: Place) -> None:
    place.say("node", "22", "repository")
    local = place.top / ".memdir/local"
    (local / "access").write_text("a file where a folder should be", encoding="utf-8")
    assert get(place.open(), "node").value == "22"


def test_a_read_that_looked_at_nothing_leaves_no_line(place: Place) -> None:
    get(place.open(), "nothing")
    assert place.accesses() == []


def test_of_many_that_were_kept_back_a_few_ids_are_logged(tmp_path: Path) -> None:
    memories = [Memory(f"id{number}", "user:42", "port", Scope("user"), "verified") for number in range(200)]
    kept_back = [(Record(memory, f"memories/{memory.id}.md", "", "user"), "level") for memory in memories]
    read = accessing.access("context", Runtime("2026-09-14T09:30:00Z"), (), kept_back)
    roots = [tmp_path / layer for layer in ("user", "project")]
    for root in roots:
        root.mkdir()
    access.note([Store(str(roots[0]), "user"), Store(str(roots[1]), "project")], read)
    (logged,) = access.read(str(roots[0]))
    assert isinstance(logged["excluded"], dict)
    assert logged["excluded"]["level"] == [f"id{number}" for number in range(accessing.NAMED)]
    assert logged["candidates"] == 200
    assert list(access.read(str(roots[1]))) == []
    assert "session" not in logged
