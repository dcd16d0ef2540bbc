"""review: what waits for a person and how it may be answered, and ten memories for a check-up."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.cli.app import load
from memdir_cli.domain.review import SAMPLE, ReviewAnswer
from memdir_cli.operations.review import review
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

LATER = "2026-10-01T09:30:00Z"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository in which there is one memory of every kind that waits, and one that does not."""
    found = scene(sandbox, claims=True)
    found.remember("linter", "biome", by=PERSON)
    found.remember("test_runner", "jest", by=AGENT)
    found.remember("indent", "tabs", by=message(1))
    found.remember("indent", "spaces", by=message(2))
    found.remember("node", "22", by=PERSON, review_after="2026-09-20")
    found.remember("port", "8080", by=PERSON)
    found.remember("host", "localhost", by=PERSON)
    edited = found.memdir / "memories/port.md"
    edited.write_text(edited.read_text("utf-8").replace('value: "8080"', 'value: "9090"'), "utf-8")
    return found


def reviewed(here: Scene, **more: Any) -> ReviewAnswer:
    return review(here.at(LATER).open(), **more)


def sourceless(here: Scene, key: str) -> None:
    """A memory whose sources a hand took away."""
    path = here.memdir / f"memories/{key}.md"
    head, _, rest = path.read_text("utf-8").partition("source:\n")
    lines = rest.splitlines(keepends=True)
    kept = next(at for at, line in enumerate(lines) if not line.startswith(" "))
    path.write_text(head + "".join(lines[kept:]), "utf-8")


def test_everything_that_waits_is_listed_with_its_reason(here: Scene) -> None:
    sourceless(here, "host")
    found = [(entry.why, entry.memory.predicate) for entry in reviewed(here).entries]
    assert found == [
        ("conflicted", "indent"),
        ("candidate", "test_runner"),
        ("unattributed", "port"),
        ("source-less", "host"),
        ("stale", "node"),
    ]
    assert all(entry.reason for entry in reviewed(here).entries)


def test_a_scope_narrows_it(here: Scene) -> None:
    here.remember("editor", "helix", "user", by=message(7), review_after="2026-09-20")
    assert [entry.memory.predicate for entry in reviewed(here, level="user").entries] == ["editor"]


def test_what_is_another_places_does_not_wait_here(here: Scene) -> None:
    other = scene(here.sandbox, "other")
    assert reviewed(other).entries == ()


def test_the_document_holds_the_commands_that_answer_it(here: Scene) -> None:
    document: Any = reviewed(here).document()
    by_key = {one["predicate"]: one for one in document["entries"]}
    waiting = by_key["test_runner"]
    memory_id = waiting["id"]
    assert waiting["commands"] == [
        {"action": "accept", "command": f"memdir confirm {memory_id}"},
        {"action": "narrow", "command": f"memdir narrow {memory_id} --path GLOB"},
        {"action": "correct", "command": "memdir correct test_runner VALUE --scope repository"},
        {"action": "reject", "command": f"memdir reject {memory_id}"},
    ]
    assert (waiting["why"], waiting["value"], waiting["source"][0]["kind"]) == ("candidate", "jest", "agent")
    assert by_key["node"]["commands"][-1] == {"action": "reject", "command": f"memdir expire {by_key['node']['id']}"}
    sides = [side["id"] for side in by_key["indent"]["sides"]]
    assert [one["command"] for one in by_key["indent"]["commands"][:2]] == [
        f"memdir settle {by_key['indent']['id']} --keep {side}" for side in sides
    ]


def test_every_command_can_be_typed(here: Scene) -> None:
    here.remember("rule", "x", by=AGENT, path="a b/**", topic="it's", environment=(("os", "linux"),), version=">=1 <3")
    here.remember("own", "y", by=AGENT, private=True, type="fact")
    for entry in reviewed(here).entries:
        for command in entry.commands().values():
            _, verb, *words = shlex.split(command)
            load(verb).make_context(verb, words)


def test_a_correction_names_the_identity_that_is_meant(here: Scene) -> None:
    here.remember("rule", "x", by=AGENT, path="a b/**", topic="it's", environment=(("os", "linux"),), version=">=1 <3")
    (entry,) = (entry for entry in reviewed(here).entries if entry.memory.predicate == "rule")
    _, _, *words = shlex.split(entry.commands()["correct"].replace(" VALUE ", " new "))
    done = here.sandbox.run("correct", *words, "--from", "user", "--said", "x is new", "--json", cwd=here.top)
    (found,) = (memory for path, memory in here.memories().items() if memory.value == "new")
    assert (done.exit, found.identity.key) == (0, entry.memory.identity.key)


def test_nothing_is_written(here: Scene) -> None:
    before = here.files()
    reviewed(here, feeds=False)
    assert here.files() == before


def test_off_a_terminal_it_lists_and_changes_nothing(here: Scene) -> None:
    before = {path: text for path, text in here.files().items() if "/local/" not in path}
    env = {"MEMDIR_NOW": LATER}
    done = here.sandbox.run("review", cwd=here.top, env=env, input="a\na\na\na\na\n")
    assert done.exit == 0
    for key in ("indent", "test_runner", "port", "node"):
        assert f"{key} [repository:" in done.stdout
    assert "    memdir confirm " in done.stdout
    assert {path: text for path, text in here.files().items() if "/local/" not in path} == before
    # whoever reads it off a terminal is an agent
    log = (here.memdir / "local/access/2026-10.jsonl").read_text("utf-8")
    assert '"verb":"review"' in log


def test_ignored_memory_is_not_reviewed(here: Scene) -> None:
    assert reviewed(here, ignored=True).document() == {"ignored": True}
    done = here.sandbox.run("review", "--json", cwd=here.top, env={"MEMDIR_IGNORE": "1"})
    assert done.json == {"schema": 1, "ignored": True}


class TestSample:
    """A check-up: ten memories with source, scope, last confirmation and how they would be deleted."""

    def test_each_memory_says_all_four(self, here: Scene) -> None:
        here.remember("rule", "x", by=PERSON, topic="tests", expires="2026-12-01")
        here.correct("linter", "eslint")
        document: Any = reviewed(here, sample=True).document()
        by_key = {one["predicate"]: one for one in document["sample"]}
        assert set(by_key) == {"linter", "indent", "node", "port", "host", "rule"}
        linter, rule = by_key["linter"], by_key["rule"]
        assert (linter["sourceLabel"], linter["scope"]) == ("user", "repository:github.com/acme/legacy-dashboard")
        assert (linter["confirmed"], linter["age"]) == ("2026-09-14T09:30:00Z", "2 weeks")
        assert linter["deletion"].startswith(f"`memdir forget {linter['id']}` with 1 in history")
        assert rule["deletion"].startswith(f"it ends by itself on 2026-12-01; `memdir forget {rule['id']}`")
        assert rule["conditions"] == ["topic tests"]

    def test_candidates_are_no_part_of_it(self, here: Scene) -> None:
        assert "test_runner" not in str(reviewed(here, sample=True).document())

    def test_of_many_there_are_ten_others_every_day(self, sandbox: Sandbox) -> None:
        here = scene(sandbox)
        for number in range(SAMPLE + 15):
            here.remember(f"key{number}", "v", by=PERSON)
        drawn = [tuple(one.judged.memory.predicate for one in review(here.at(day).open(), sample=True).sample or ())
                 for day in (LATER, LATER, "2026-10-02T00:00:00Z")]  # fmt: skip
        assert [len(set(one)) for one in drawn] == [SAMPLE] * 3
        assert drawn[0] == drawn[1] != drawn[2]

    def test_it_is_a_row_a_memory(self, here: Scene, tmp_path: Path) -> None:
        done = here.sandbox.run("review", "--sample", cwd=here.top, env={"MEMDIR_NOW": LATER})
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        assert {len(row) for row in rows} == {7}
        (row,) = (row for row in rows if row[0] == "linter")
        assert row[1:5] == ["biome", "repository:github.com/acme/legacy-dashboard", "user", "2026-09-14 (2 weeks)"]
