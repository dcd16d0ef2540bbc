"""narrow: a memory holds where a user says, and nowhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.runtime import Fact
from memdir_cli.domain.statement import Provenance, Qualification
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.check import check
from memdir_cli.operations.get import get
from memdir_cli.operations.history import history
from memdir_cli.operations.narrow import narrow
from memdir_cli.operations.refresh import refresh
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

TOMORROW = "2026-09-15T09:30:00Z"
WEB = Qualification(path="packages/web/**")
WEB_STEM = sha256(b"path=packages/web/**").hexdigest()[:8]
STEM_OF_WINDOWS = sha256(b"environment.os=windows").hexdigest()[:8]


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with one wide rule."""
    found = scene(sandbox, claims=True)
    found.remember("linter", "biome", by=message(1), body="Fast.\n", description="Lint with biome")
    return found


def only(here: Scene, ref: str, given: Qualification = WEB, by: Provenance = PERSON, **more: Any) -> WriteAnswer:
    return narrow(here.open(), ref, given, by, **more)


def value(here: Scene, path: str = "", key: str = "linter", env: dict[str, str] | None = None) -> tuple[int, Any]:
    """Exit status and value of ``get`` for work at ``path``."""
    place = here.open()
    environment = {**place.runtime.environment, **{name: Fact(text) for name, text in (env or {}).items()}}
    runtime = replace(place.runtime, path=Fact(path), environment=environment)
    answer = get(replace(place, runtime=runtime), key)
    return answer.exit_status, answer.value


def one(here: Scene, start: str) -> Memory:
    (memory,) = (memory for path, memory in here.memories().items() if path.startswith(f".memdir/{start}"))
    return memory


def clean(here: Scene) -> bool:
    answer = check(here.open())
    assert [finding.text for finding in answer.findings] == []
    return answer.exit_status == 0


def test_the_wide_value_answers_inside_only(here: Scene) -> None:
    wide = one(here, "memories/")
    answer = only(here.at(TOMORROW), "linter")
    assert (answer.decision, answer.exit_status, answer.reason) == ("narrowed", 0, "")
    found = one(here, "memories/")
    assert (found.value, found.body, found.description) == ("biome", "Fast.\n", "Lint with biome")
    assert (found.scope.path, found.status, found.revision, found.authority) == (WEB.path, "verified", 1, "user")
    assert (found.supersedes, found.id != wide.id) == (wide.ref, True)
    assert (found.created_at, found.verified_at) == (TOMORROW, TOMORROW)
    assert [source.attested for source in found.source] == ["claimed", "tty"]
    past = one(here, "history/")
    assert (past.id, past.status, past.superseded_by) == (wide.id, "superseded", found.ref)
    assert past.status_reason == f"superseded: narrowed to {found.ref}"
    assert value(here, "packages/web/a.ts") == (0, "biome")
    assert value(here, "packages/api/a.ts") == (1, None)
    assert value(here, "") == (1, None)
    assert here.events() == ["created", "narrowed", "created"]
    assert clean(here)


def test_history_and_answer_link_both(here: Scene) -> None:
    wide = one(here, "memories/")
    answer = only(here, "linter")
    assert answer.previous is not None
    assert answer.memory is not None
    assert answer.previous.ref == wide.ref
    told: Any = history(here.open(), "linter").document()["revisions"]
    assert [(one["id"], one.get("supersededBy"), one.get("supersedes")) for one in told] == [
        (wide.id, answer.memory.ref, None),
        (answer.memory.id, None, wide.ref),
    ]


def test_what_stands_in_the_file_besides_goes_along(here: Scene) -> None:
    path = here.memdir / "memories/linter.md"
    path.write_text(
        path.read_text("utf-8").replace("\nvalue:", "\n# asked in review\nowner: web team\nvalue:"), "utf-8"
    )
    only(here, "linter")
    (text,) = (file.read_text("utf-8") for file in (here.memdir / "memories").iterdir())
    assert "\n# asked in review\nowner: web team\n" in text


def test_the_wide_file_that_comes_back_is_not_believed(here: Scene) -> None:
    path = here.memdir / "memories/linter.md"
    before = path.read_bytes()
    only(here, "linter")
    path.write_bytes(before)
    place = here.open()
    answer = get(replace(place, runtime=replace(place.runtime, path=Fact("src"))), "linter")
    assert [caution.code for caution in answer.warnings] == ["unattributed"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Qualification(), "not-narrower"),
        (Qualification(path="**/../x"), "usage"),
        (Qualification(version="one"), "usage"),
        (Qualification(environment=((" ", "x"),)), "usage"),
    ],
)
def test_what_is_no_narrower_place_changes_nothing(here: Scene, given: Qualification, code: str) -> None:
    before = here.files()
    with pytest.raises(UsageError) as error:
        only(here, "linter", given)
    assert error.value.code == code
    assert here.files() == before


def test_it_is_never_widened(here: Scene) -> None:
    only(here, "linter")
    before = here.files()
    for given in (Qualification(path="packages/**"), Qualification(path="src/**"), WEB):
        with pytest.raises(UsageError) as error:
            only(here, "linter", given)
        assert error.value.code == "not-narrower"
    assert here.files() == before
    assert only(here, "linter", Qualification(path="packages/web/src")).decision == "narrowed"
    assert value(here, "packages/web/a.ts") == (1, None)


@pytest.mark.parametrize(
    ("by", "reason"), [(AGENT, "user-word-needed"), (Provenance("user"), "words-missing"), (CLAIM, "unproven")]
)
def test_only_a_users_proven_word_narrows(here: Scene, by: Provenance, reason: str) -> None:
    (here.user_memdir / "config.yaml").write_text("", "utf-8")
    before = here.files()
    answer = only(here, "linter", by=by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
    assert here.files() == before


def test_the_same_value_inside_is_confirmed_and_the_wide_one_ends(here: Scene) -> None:
    here.remember("linter", "biome", by=message(2), path=WEB.path)
    wide = one(here, "memories/linter.md")
    inner = one(here, "memories/linter--")
    with pytest.raises(PersonNeededError) as error:
        only(here, "linter")
    assert f"{inner.id}  verified  {inner.scope.text} path={WEB.path}" in error.value.hint
    answer = only(here, wide.id)
    found = one(here, "memories/")
    assert (answer.decision, found.id, found.revision) == ("confirmed", inner.id, 1)
    assert one(here, "history/").superseded_by == found.ref
    assert value(here, "src") == (1, None)
    assert clean(here)


def test_another_value_inside_makes_a_conflict_there_and_the_wide_one_ends(here: Scene) -> None:
    wide = one(here, "memories/linter.md")
    here.remember("linter", "eslint", by=message(2), path=WEB.path)
    answer = only(here, wide.id, by=message(3))
    assert (answer.decision, answer.exit_status, answer.reason) == ("conflicted", 3, "sides-disagree")
    assert "settle" in answer.hint
    found = one(here, "memories/")
    assert [side.value for side in found.sides] == ["eslint", "biome"]
    assert value(here, "packages/web/a.ts") == (3, None)
    assert value(here, "src") == (1, None)
    assert (one(here, "history/").id, one(here, "history/").superseded_by) == (wide.id, found.ref)
    assert clean(here)


def test_a_person_is_asked_before_another_value_is_replaced(here: Scene) -> None:
    wide = one(here, "memories/linter.md")
    here.remember("linter", "eslint", by=message(2), path=WEB.path)
    before = here.files()
    answer = only(here, wide.id)
    assert (answer.decision, answer.reason, answer.memory and answer.memory.value) == (
        "conflicted",
        "ask-person",
        "eslint",
    )
    assert here.files() == before
    assert only(here, wide.id, replacing=7).decision == "revision_conflict"
    assert here.files() == before
    answer = only(here, wide.id, replacing=1)
    assert (answer.decision, answer.memory and answer.memory.revision) == ("narrowed", 2)
    assert value(here, "packages/web/a.ts") == (0, "biome")
    assert here.names() == [
        ".memdir/history/linter",
        ".memdir/history/linter--" + WEB_STEM,
        ".memdir/memories/linter--" + WEB_STEM,
    ]
    assert clean(here)


def test_against_a_policy_the_narrower_one_waits(here: Scene) -> None:
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "policy: {setters: ['42']}\n", "utf-8")
    wide = one(here, "memories/linter.md")
    here.remember("linter", "eslint", policy=True, by=message(2), path=WEB.path)
    answer = only(here, wide.id)
    assert (answer.decision, answer.exit_status, answer.reason) == ("needs_decision", 3, "lower-authority")
    waiting = one(here, "inbox/")
    assert (waiting.value, waiting.status, waiting.rival) == ("biome", "candidate", one(here, "memories/").ref)
    assert (value(here, "packages/web/a.ts"), value(here, "src")) == ((0, "eslint"), (1, None))


def test_a_policy_is_narrowed_by_its_setters_only(here: Scene) -> None:
    config = here.memdir / "config.yaml"
    settings = config.read_text("utf-8")
    config.write_text(settings + "policy: {setters: ['42']}\n", "utf-8")
    here.remember("licence", "MIT", policy=True)
    config.write_text(settings + "policy: {setters: ['7']}\n", "utf-8")
    before = here.files()
    answer = only(here, "licence")
    assert (answer.exit_status, answer.reason) == (4, "policy-record")
    assert here.files() == before
    config.write_text(settings + "policy: {setters: ['42']}\n", "utf-8")
    answer = only(here, "licence")
    assert (answer.decision, answer.memory and answer.memory.authority) == ("narrowed", "policy")


def test_a_candidate_is_taken_in_where_it_holds(here: Scene) -> None:
    waiting = here.remember("shell", "pwsh", by=AGENT)
    assert waiting.memory is not None
    answer = only(here, "shell", Qualification(environment=(("os", "windows"),)))
    assert (answer.decision, answer.exit_status) == ("narrowed", 0)
    found = one(here, "memories/shell")
    assert (found.status, found.status_reason, found.authority, found.supersedes) == ("verified", "", "user", "")
    assert [source.kind for source in found.source] == ["agent", "user"]
    assert [name for name in here.names() if "shell" in name] == [f".memdir/memories/shell--{STEM_OF_WINDOWS}"]
    assert value(here, key="shell", env={"os": "windows"}) == (0, "pwsh")
    assert value(here, key="shell", env={"os": "linux"}) == (1, None)
    assert clean(here)


def test_a_candidate_whose_evidence_is_gone_is_not_taken_in(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {}}', "utf-8")
    here.remember("dev", "npm run dev", by=AGENT)
    before = here.files()
    answer = only(here, "dev")
    assert (answer.exit_status, answer.reason) == (4, "evidence-missing")
    assert here.files() == before


def test_what_is_stale_stays_so(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', "utf-8")
    here.remember("dev", "npm run dev")
    (here.top / "package.json").write_text('{"scripts": {"dev": "webpack"}}', "utf-8")
    refresh(here.open())
    answer = only(here, "dev", Qualification(topic="reviews"))
    assert [caution.code for caution in answer.warnings] == ["stale"]
    found = one(here, "memories/dev")
    assert (found.status, found.status_reason.split(":")[0]) == ("stale", "evidence-changed")


def test_evidence_is_that_of_the_narrower_place(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', "utf-8")
    (here.top / "packages/web").mkdir(parents=True)
    (here.top / "packages/web/package.json").write_text('{"scripts": {"dev": "next"}}', "utf-8")
    here.remember("dev", "npm run dev", depends_on=("exists:README.md",))
    only(here, "dev")
    assert sorted(evidence.probe for evidence in one(here, "memories/dev").depends_on) == [
        "exists:README.md",
        "packages/web/package.json#scripts.dev",
    ]
    assert clean(here)


def test_evidence_stays_where_the_narrower_place_has_none(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', "utf-8")
    here.remember("dev", "npm run dev")
    only(here, "dev")
    assert [evidence.probe for evidence in one(here, "memories/dev").depends_on] == ["package.json#scripts.dev"]


def test_what_has_expired_or_ended_cannot_be_narrowed(here: Scene) -> None:
    here.remember("mirror", "cache.example", expires="1h")
    with pytest.raises(UsageError) as error:
        only(here.at(TOMORROW), "mirror")
    assert error.value.code == "expired"
    with pytest.raises(UsageError) as error:
        only(here, "never_heard_of")
    assert error.value.code == "unknown-ref"


def test_a_secret_in_a_topic_is_refused(here: Scene) -> None:
    before = here.files()
    answer = only(here, "linter", Qualification(topic="ghp_" + "a1B2" * 9))
    assert (answer.exit_status, answer.reason) == (4, "secret")
    assert "ghp_" not in json.dumps([answer.message, answer.hint])
    assert here.files() == before


@pytest.mark.parametrize("level", ["user", "task"])
def test_a_memory_of_the_user_is_narrowed_in_place(here: Scene, level: Any) -> None:
    here.remember("editor", "helix", level, task="T1")
    env = {"MEMDIR_TASK": "T1"}
    answer = narrow(here.open(env=env), "editor", Qualification(topic="notes"), PERSON)
    assert answer.memory is not None
    assert (answer.decision, answer.memory.scope.level, answer.memory.scope.topic) == ("narrowed", level, "notes")
    assert len([name for name in here.names() if "editor" in name and "history" not in name]) == 1


class TestSides:
    """Each side of a conflict narrowed to where it holds."""

    @pytest.fixture
    def here(self, sandbox: Sandbox) -> Scene:
        found = scene(sandbox, claims=True)
        found.remember("shell", "pwsh", by=message(1), body="PowerShell 7.\n")
        found.remember("shell", "bash", by=message(2), body="Login shell.\n")
        return found

    def test_the_other_side_stands_alone(self, here: Scene) -> None:
        before = one(here, "memories/")
        windows, rest = before.sides
        answer = only(here, windows.id, Qualification(environment=(("os", "windows"),)))
        assert (answer.decision, answer.exit_status) == ("narrowed", 0)
        left = one(here, "memories/shell.md")
        assert (left.id, left.revision, left.status, left.value) == (before.id, before.revision + 1, "verified", "bash")
        assert (left.body, left.supersedes, left.sides) == ("Login shell.\n", before.ref, ())
        assert left.source == rest.source
        found = one(here, f"memories/shell--{STEM_OF_WINDOWS}")
        assert (found.value, found.body, found.supersedes) == (
            "pwsh",
            "PowerShell 7.\n",
            f"{windows.id}@{before.revision}",
        )
        past = one(here, "history/")
        assert (past.id, past.value, past.superseded_by) == (windows.id, "pwsh", found.ref)
        assert value(here, key="shell", env={"os": "windows"}) == (0, "pwsh")
        assert value(here, key="shell", env={"os": "linux"}) == (0, "bash")
        assert [caution.code for caution in answer.warnings] == ["left-of-conflict"]
        assert left.id in answer.warnings[0].message
        assert clean(here)

    def test_each_side_where_it_holds(self, here: Scene) -> None:
        before = one(here, "memories/")
        only(here, before.sides[0].id, Qualification(environment=(("os", "windows"),)))
        answer = only(here, before.id, Qualification(environment=(("os", "linux"),)))
        assert answer.decision == "narrowed"
        for system, expected in (("windows", (0, "pwsh")), ("linux", (0, "bash")), ("macos", (1, None))):
            assert value(here, key="shell", env={"os": system}) == expected
        assert clean(here)

    def test_of_three_sides_two_still_disagree(self, here: Scene) -> None:
        here.remember("shell", "fish", by=message(3), body="Friendly.\n")
        before = one(here, "memories/")
        answer = only(here, before.sides[1].id[:12], Qualification(topic="login"))
        left = one(here, "memories/shell.md")
        assert (left.status, [side.value for side in left.sides]) == ("conflicted", ["pwsh", "fish"])
        assert left.revision == before.revision + 1
        assert ("Login shell." in left.body, "PowerShell 7." in left.body, "Friendly." in left.body) == (
            False,
            True,
            True,
        )
        assert value(here, key="shell") == (3, None)
        assert [caution.code for caution in answer.warnings] == ["left-of-conflict"]
        assert clean(here)

    def test_the_conflict_as_a_whole_is_not_narrowed(self, here: Scene) -> None:
        before = here.files()
        with pytest.raises(UsageError) as error:
            only(here, "shell")
        assert error.value.code == "in-conflict"
        assert all(side.id in error.value.hint for side in one(here, "memories/").sides)
        assert here.files() == before

    def test_a_prefix_of_several_sides_names_none(self, here: Scene) -> None:
        ids = [side.id for side in one(here, "memories/").sides]
        file = here.memdir / "memories/shell.md"
        file.write_bytes(file.read_bytes().replace(ids[1].encode(), (ids[0][:6] + ids[1][6:]).encode()))
        with pytest.raises(PersonNeededError) as error:
            only(here, ids[0][:6])
        assert ids[0] in error.value.hint
