"""quarantine and release: out of everybody's reach in one transaction, and back byte for byte."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain import seal
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance, Qualification
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.context import context
from memdir_cli.operations.explain import explain
from memdir_cli.operations.get import get
from memdir_cli.operations.narrow import narrow
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.release import release
from memdir_cli.operations.search import search
from memdir_cli.operations.show import show
from tests.operations.quarantine_place import LATER, WHY, back, codes, poisoned, standing, take
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    return poisoned(sandbox)


def test_no_search_finds_anything_of_it(here: Scene) -> None:
    memory = standing(here)
    reject_candidate(here)
    answer = take(here)
    assert (answer.decision, answer.exit_status, answer.reason) == ("quarantined", 0, "quarantined")
    assert answer.path == str(here.memdir / f"quarantine/rule~{memory.id}.md")
    assert [path for path, text in here.files().items() if b"zebra" in text] == []
    assert here.names() == [".memdir/memories/linter", ".memdir/quarantine/rule"]
    assert here.events()[-1] == "quarantined"
    assert codes(here) == []


def reject_candidate(here: Scene) -> None:
    """Away with what an agent proposed beside it, which is a memory of its own."""
    from memdir_cli.operations.reject import reject

    (waiting,) = (one.id for path, one in here.memories().items() if "/inbox/" in path)
    reject(here.open(), waiting, PERSON)


def test_the_header_keeps_what_memdir_must_know(here: Scene) -> None:
    memory = standing(here)
    take(here, memory.id, reason="  it gives\norders  ")
    (kept,) = (one for path, one in here.memories().items() if "/quarantine/" in path)
    assert (kept.id, kept.revision, kept.identity.key) == (memory.id, memory.revision, memory.identity.key)
    assert (kept.status, kept.status_reason) == ("quarantined", "quarantined: it gives orders")
    assert (kept.authority, kept.created_at, kept.verified_at) == (
        memory.authority,
        memory.created_at,
        memory.verified_at,
    )
    assert seal.plain(kept) == ()
    assert (kept.value, kept.description, kept.source, kept.supersedes) == (None, "", (), "")


def test_nobody_is_given_it(here: Scene) -> None:
    memory = standing(here)
    take(here, memory.id)
    place = here.open()
    assert (get(place, "rule").value, get(place, "rule").exit_status) == (None, 1)
    assert "zebra" not in context(place).text
    assert "zebra" not in json.dumps(search(place, "zebra").document()).replace('"zebra"', "")
    assert "zebra" not in str(here.files()[".memdir/MEMORY.md"])
    told = explain(place, "rule")
    assert {one.judged.memory.id: one.reason for one in told.contenders}[memory.id] == f"it is quarantined: {WHY}"
    listed = here.sandbox.run("list", "--all", cwd=here.top).stdout
    assert (
        f"rule\t(withheld)\trepository:github.com/acme/legacy-dashboard\tquarantined\t2026-09-14\t{memory.id}" in listed
    )
    history = here.sandbox.run("history", "rule", "--json", cwd=here.top).stdout
    assert "zebra two" not in history
    assert "in quarantine" in get(place, "rule").message or "candidate" in get(place, "rule").message


def test_a_person_may_open_it(here: Scene) -> None:
    memory = standing(here)
    take(here, memory.id)
    closed: Any = show(here.open(), memory.id).document()
    assert (closed["value"], closed["body"], closed.get("description"), closed["withheld"]) == (None, "", None, True)
    opened: Any = show(here.open(), memory.id, quarantined=True).document()
    assert (opened["value"], opened["body"], opened["description"]) == ("zebra two", "zebra text\n", "rule: zebra two")
    assert (opened["status"], opened["storedStatus"]) == ("quarantined", "verified")
    assert [one["code"] for one in opened["warnings"]] == ["quarantined"]
    assert opened["source"][0]["said"] == "zebra again"


def test_it_comes_back_byte_for_byte(here: Scene) -> None:
    path = here.memdir / "memories/rule.md"
    head, fence, body = path.read_bytes().rpartition(b"---\n")
    edited = head.replace(b"\nvalue:", b"\n# a comment\nowner: us\nvalue:").replace(b"\n", b"\r\n")
    path.write_bytes(edited + fence + body)
    memory = standing(here)
    before = here.files()
    take(here, memory.id)
    answer = back(here.at(LATER), memory.id)
    assert (answer.decision, answer.exit_status, answer.memory and answer.memory.value) == ("released", 0, "zebra two")
    after = here.files()
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert {path for path in changed if "/receipts/" not in path} == set()
    assert here.events()[-2:] == ["quarantined", "released"]
    assert get(here.open(), "rule").value == "zebra two"
    assert [one.code for one in get(here.open(), "rule").warnings] == []


@pytest.mark.parametrize("status", ["candidate", "stale", "conflicted", "expired", "archived"])
def test_whatever_it_was_it_is_again(sandbox: Sandbox, status: str) -> None:
    here = scene(sandbox, claims=True)
    here.remember("rule", "zebra", by=AGENT if status == "candidate" else message(1), review_after="2026-09-20")
    if status == "conflicted":
        here.remember("rule", "yak", by=message(2))
    if status == "stale":
        from memdir_cli.operations.refresh import refresh

        refresh(here.at("2026-10-01T09:30:00Z").open())
    if status == "expired":
        from memdir_cli.operations.expire import expire

        expire(here.open(), "rule", PERSON)
    ((path, memory),) = here.memories().items()
    if status == "archived":
        text = (here.top / path).read_text("utf-8").replace("status: verified", "status: archived\nstatusReason: cold")
        (here.memdir / "archive").mkdir(exist_ok=True)
        (here.memdir / f"archive/rule~{memory.id}.md").write_text(text, "utf-8")
        (here.top / path).unlink()
        ((path, memory),) = here.memories().items()
    assert memory.status == status
    before = (here.top / path).read_bytes()
    take(here, memory.id)
    assert [path for path, text in here.files().items() if b"zebra" in text] == []
    assert back(here, memory.id).decision == "released"
    assert here.memories() == {path: memory}
    assert (here.top / path).read_bytes() == before


@pytest.mark.parametrize(("level", "env"), [("user", {}), ("task", {"MEMDIR_TASK": "T1"})])
def test_memories_of_the_user_too(here: Scene, level: Level, env: dict[str, str]) -> None:
    here.remember("own", "zebra own", level, by=message(9, "zebra"), env=env)
    place = here.open(env=env)
    (path,) = (path for path, one in here.memories().items() if one.predicate == "own")
    before = here.files()[path]
    assert quarantine(place, "own", WHY, AGENT).decision == "quarantined"
    assert get(here.open(env=env), "own").value is None
    assert [path for path, text in here.files().items() if b"zebra own" in text] == []
    memory_id = next(one.id for one in here.memories().values() if one.predicate == "own")
    assert release(here.open(env=env), memory_id, PERSON).decision == "released"
    assert here.files()[path] == before


def test_full_words_and_older_sources_are_sealed_too(here: Scene) -> None:
    for number in range(25):
        here.remember("linter", "biome", by=message(number, f"zebra {number}"))
    here.remember("linter", "biome", by=Provenance("user", said="zebra " * 90, session="s" * 40, message="m99"))
    before = here.files()
    assert len([path for path, text in before.items() if b"zebra" in text and "linter" in path]) == 2
    assert any(b"zebra zebra" in text for path, text in before.items() if "/local/sources/" in path)
    memory = standing(here, "linter")
    take(here, memory.id)
    held = [path for path, text in here.files().items() if b"zebra" in text and "rule" not in path]
    assert held == [".memdir/MEMORY.md"], "the other memory's line"
    sources = here.memdir / f"local/sources/{memory.id}.jsonl"
    assert list(json.loads(sources.read_text("utf-8"))) == ["sealed", "at"]
    back(here, memory.id)
    after = here.files()
    assert {path: text for path, text in after.items() if "/receipts/" not in path} == {
        path: text for path, text in before.items() if "/receipts/" not in path
    }


class TestNobodyWritesIt:
    """Until a person has decided, nothing is written under an identity that is in quarantine."""

    @pytest.fixture
    def here(self, sandbox: Sandbox) -> Scene:
        found = scene(sandbox, claims=True)
        found.remember("rule", "zebra", by=message(1))
        found.remember("rule", "yak", by=AGENT)
        take(found, standing(found).id)
        return found

    @pytest.mark.parametrize("by", [PERSON, CLAIM, AGENT, Provenance("tool")])
    @pytest.mark.parametrize("value", ["zebra", "something else"])
    def test_nobody_says_it(self, here: Scene, by: Provenance, value: str) -> None:
        before = here.files()
        answer = here.remember("rule", value, by=by)
        assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, "quarantined")
        assert "memdir release" in answer.hint
        assert here.files() == before

    def test_nobody_corrects_confirms_or_narrows_it(self, here: Scene) -> None:
        before = here.files()
        (waiting,) = (one.id for path, one in here.memories().items() if "/inbox/" in path)
        assert here.correct("rule", "new").reason == "quarantined"
        assert here.confirm(waiting).reason == "quarantined"
        assert here.files() == before
        here.remember("wide", "zebra", by=PERSON)
        here.remember("wide", "zebra", by=PERSON, topic="tests")
        inner = next(one.id for one in here.memories().values() if one.scope.topic)
        take(here, inner)
        answer = narrow(here.open(), "wide", Qualification(topic="tests"), PERSON)
        assert answer.reason == "quarantined"

    def test_another_scope_is_another_memory(self, here: Scene) -> None:
        assert here.remember("rule", "zebra", by=PERSON, topic="tests").decision == "created"
        assert here.remember("rule", "zebra", "user", by=PERSON).decision == "created"

    def test_a_file_there_that_cannot_be_read_may_be_it(self, here: Scene) -> None:
        (path,) = (here.memdir / "quarantine").iterdir()
        path.write_text("---\nid: x\nid: y\n---\n", "utf-8")
        assert here.remember("rule", "new", by=PERSON).reason == "quarantined"
        assert here.remember("other", "new", by=PERSON).decision == "created"

    def test_after_the_release_everybody_may(self, here: Scene) -> None:
        (memory_id,) = (one.id for path, one in here.memories().items() if "/quarantine/" in path)
        back(here, memory_id)
        assert here.correct("rule", "new", by=PERSON).decision == "superseded"


class TestWho:
    """Anybody may take a memory out; only a user's word brings it back."""

    @pytest.mark.parametrize("by", [AGENT, CLAIM, PERSON, Provenance("tool")])
    def test_everybody_takes_out(self, here: Scene, by: Provenance) -> None:
        assert take(here, standing(here).id, by).decision == "quarantined"

    @pytest.mark.parametrize(
        ("by", "reason"), [(AGENT, "user-word-needed"), (Provenance("user"), "words-missing"), (CLAIM, "unproven")]
    )
    def test_only_a_users_proven_word_brings_back(self, here: Scene, by: Provenance, reason: str) -> None:
        memory = standing(here)
        take(here, memory.id)
        (here.user_memdir / "config.yaml").write_text('user: "42"\n', "utf-8")
        before = here.files()
        answer = back(here, memory.id, by)
        assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
        assert here.files() == before

    def test_a_claim_stands_in_the_receipt_as_an_agents(self, here: Scene) -> None:
        take(here, standing(here).id, Provenance("user", said="take it out"))
        (line,) = (json.loads(line) for path, text in here.files().items() if ".memdir/receipts/" in path
                   for line in text.splitlines() if b'"quarantined"' in line)  # fmt: skip
        assert line["actor"] in {"user", "agent"}
        assert "zebra" not in json.dumps(line)

    def test_a_reason_is_needed_and_holds_no_secret(self, here: Scene) -> None:
        before = here.files()
        with pytest.raises(UsageError):
            take(here, standing(here).id, reason="  ")
        answer = take(here, standing(here).id, reason="it holds ghp_" + "a1B2" * 9)
        assert (answer.exit_status, answer.reason) == (4, "secret")
        assert here.files() == before


def test_what_is_named_wrongly_stays(here: Scene) -> None:
    memory = standing(here)
    before = here.files()
    for ref, kind in (("never_heard_of", UsageError), ("", UsageError)):
        with pytest.raises(kind):
            take(here, ref)
    here.remember("linter", "mine", "user", by=message(5))
    with pytest.raises(PersonNeededError):
        take(here, "linter")
    assert {path for path in here.files() if path not in before} <= {path for path in here.files() if "user/" in path}
    take(here, memory.id)
    with pytest.raises(UsageError) as error:
        take(here, memory.id)
    assert error.value.code == "wrong-status"
    with pytest.raises(UsageError):
        back(here, "linter")


def test_what_says_the_same_elsewhere_is_named(here: Scene) -> None:
    answer = narrow(here.open(), standing(here).id, Qualification(topic="tests"), PERSON)
    wide = answer.previous
    assert wide is not None
    assert answer.memory is not None
    taken = take(here, answer.memory.id)
    assert [(one.code, wide.id in one.message) for one in taken.warnings] == [("says-the-same", True)]
    assert take(here, wide.id).decision == "quarantined"
    assert [path for path, text in here.files().items() if b"zebra two" in text] == []


def test_where_another_stands_by_now_a_user_decides(here: Scene) -> None:
    memory = standing(here)
    take(here, memory.id)
    # another clone may have said it anew meanwhile
    text = (here.memdir / "memories/linter.md").read_text("utf-8")
    other = text.replace("predicate: linter", "predicate: rule").replace("name: linter", "name: rule")
    other = other.replace(standing(here, "linter").id, "zzzzzzzzzzzzz")
    (here.memdir / "memories/rule.md").write_text(other, "utf-8")
    before = here.files()
    answer = back(here, memory.id)
    assert (answer.decision, answer.exit_status, answer.reason) == ("needs_decision", 3, "rival")
    assert here.files() == before
    # what is not in quarantine may be changed, but for what is
    assert here.remember("rule", "biome", by=PERSON).decision == "confirmed"
    assert here.remember("rule", "zebra two", by=message(2)).reason in {"quarantined", "sides-disagree"}


def test_the_caches_hold_nothing_of_it(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    for number in range(110):
        here.remember(f"key{number}", f"value {number}", by=PERSON)
    here.remember("rule", "zebra", by=message(1))
    for path in (here.memdir / "memories").iterdir():
        os.utime(path, (1_600_000_000, 1_600_000_000))
    here.remember("key0", "value 0", by=PERSON)
    memory = standing(here)
    take(here, memory.id)
    held = [path for path in here.memdir.rglob("*") if path.is_file() and b"zebra" in path.read_bytes()]
    assert held == []


def test_a_memory_of_a_megabyte_is_sealed_too(sandbox: Sandbox) -> None:
    here = scene(sandbox)
    text = "".join(f"{os.urandom(24).hex()}\n" for _ in range(18_000))
    here.remember("rule", None, by=PERSON, body=text)
    memory = standing(here)
    assert take(here).decision == "quarantined"
    assert codes(here) == []
    assert back(here, memory.id).decision == "released"
    assert standing(here).body == text


def test_forgetting_takes_it_out_of_quarantine_too(here: Scene) -> None:
    memory = standing(here)
    take(here, memory.id)
    done = here.sandbox.run("forget", memory.id, "--yes", "--json", cwd=here.top)
    assert done.exit == 0, done.stderr
    assert [path for path in here.memories() if memory.id in path] == []


def test_the_commands_say_the_same(here: Scene, run: Callable[..., Any]) -> None:
    memory = standing(here)
    done = run("quarantine", memory.id, "--reason", WHY, "--json", cwd=here.top)
    assert (done.exit, done.json["decision"], done.json["id"], done.json["status"]) == (
        0,
        "quarantined",
        memory.id,
        "quarantined",
    )
    assert (done.json["value"], done.json["previous"], "zebra" in done.stdout) == (None, None, False)
    assert Path(done.json["path"]).name == f"rule~{memory.id}.md"
    refused = run("quarantine", memory.id, cwd=here.top)
    assert (refused.exit, "--reason is missing" in refused.stderr) == (2, True)
    assert run("quarantine", "--reason", "x", cwd=here.top).exit == 2
    said = ("--from", "user", "--said", "it is fine", "--session", "s1", "--message", "m9")
    done = run("release", memory.id, *said, "--json", cwd=here.top)
    assert (done.exit, done.json["decision"], done.json["status"], done.json["value"]) == (
        0,
        "released",
        "verified",
        "zebra two",
    )
    listed = run("quarantine", "--source", "session:s1", "--reason", WHY, cwd=here.top)
    assert listed.stdout.startswith("quarantined rule [repository:github.com/acme/legacy-dashboard]")
