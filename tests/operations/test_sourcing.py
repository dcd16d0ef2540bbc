"""Who said it, as far as others may know, and the whole of it on this machine only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import LABEL_CHARACTERS, label
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.sourcing import SAID_CHARACTERS
from tests.operations.writing_place import AGENT, CLAIM, Scene, message, scene
from tests.sandbox import NOW, Sandbox

LONG_ID = "01980f6e-7d3b-7c7e-8a55-2f1d9b0c4e11"
LONG_WORDS = "please use npm ci here, " * 30


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository whose user accepts claims."""
    return scene(sandbox, claims=True)


def full(folder: Path) -> list[dict[str, Any]]:
    """The whole sources that a memdir keeps on this machine."""
    files = sorted((folder / "local/sources").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_short_ids_and_words_stand_in_the_memory_and_nowhere_else(here: Scene) -> None:
    here.remember("k", "v", by=CLAIM)
    (memory,) = here.memories().values()
    (source,) = memory.source
    assert (source.ref, source.said, source.at) == ("session:s1/message:m1", CLAIM.said, NOW)
    assert full(here.memdir) == []


def test_in_a_project_long_ids_are_labels_and_long_words_are_cut(here: Scene) -> None:
    here.remember("k", "v", by=replace(CLAIM, session=LONG_ID, message=LONG_ID[::-1], said=LONG_WORDS))
    (memory,) = here.memories().values()
    (source,) = memory.source
    assert len(source.said) == SAID_CHARACTERS["project"] == 280
    assert source.said.endswith("…")
    assert LONG_ID not in (here.memdir / "memories/k.md").read_text("utf-8")
    assert source.ref == f"session:{label(LONG_ID)}/message:{label(LONG_ID[::-1])}"
    assert full(here.memdir) == [
        {"ref": source.ref, "session": LONG_ID, "message": LONG_ID[::-1], "said": LONG_WORDS, "at": NOW}
    ]


def test_the_whole_sources_are_for_this_account_alone_and_not_for_git(here: Scene) -> None:
    here.remember("k", "v", by=replace(CLAIM, session=LONG_ID))
    (file,) = (here.memdir / "local/sources").glob("*.jsonl")
    assert file.stat().st_mode & 0o777 == 0o600
    assert here.sandbox.git("status", "--porcelain", "--ignored", ".memdir/local", cwd=here.top).startswith("!!")


def test_every_source_adds_its_line(here: Scene) -> None:
    for number in range(3):
        here.remember("k", "v", by=replace(CLAIM, session=f"{LONG_ID}-{number}"))
    assert [entry["session"][-1] for entry in full(here.memdir)] == ["0", "1", "2"]


def test_in_the_users_own_memdir_everything_stands_whole(here: Scene) -> None:
    here.remember("k", "v", "user", replace(CLAIM, session=LONG_ID, said=LONG_WORDS))
    (memory,) = here.memories().values()
    assert memory.source[0].ref == f"session:{LONG_ID}/message:m1"
    assert memory.source[0].said == LONG_WORDS
    assert full(here.user_memdir) == []


def test_the_session_and_message_of_the_runtime_are_taken_where_none_is_named(here: Scene) -> None:
    env = {"MEMDIR_SESSION": "s9", "MEMDIR_MESSAGE": "m9"}
    here.remember("a", "v", by=AGENT, env=env)
    here.remember("b", "v", by=Provenance("user", "words", session="s1", message="m1"), env=env)
    here.remember("c", "v", by=Provenance("agent"))
    refs = {memory.predicate: memory.source[0].ref for memory in here.memories().values()}
    assert refs == {"a": "session:s9/message:m9", "b": "session:s1/message:m1", "c": ""}


def test_a_receipt_holds_a_digest_of_the_message_and_never_its_id(here: Scene) -> None:
    here.remember("k", "v", by=replace(CLAIM, message=LONG_ID))
    here.remember("k", "v", by=replace(CLAIM, message=LONG_ID))
    (content,) = (content for path, content in here.files().items() if "/receipts/" in path)
    receipts = [json.loads(line) for line in content.splitlines()]
    assert LONG_ID.encode() not in content
    assert len({receipt["message"] for receipt in receipts}) == 1
    assert receipts[0]["message"]


def test_sources_for_which_a_header_has_no_room_go_to_history(here: Scene) -> None:
    for number in range(25):
        here.remember("k", "v", by=message(number, f"words {number}"))
    (memory,) = here.memories().values()
    numbers = [source.ref.rpartition("m")[2] for source in memory.source]
    assert numbers == ["0", *(str(number) for number in range(6, 25))]
    (older,) = (here.memdir / "history").iterdir()
    assert older.name == f"k~{memory.id}.sources.jsonl"
    lines = [json.loads(line) for line in older.read_text("utf-8").splitlines()]
    assert [line["said"] for line in lines] == [f"words {number}" for number in range(1, 6)]
    assert set(lines[0]) == {"kind", "ref", "said", "at", "attested"}
    assert here.sandbox.run("check", "--strict", cwd=here.top).exit == 0


def test_long_words_of_many_sources_never_fill_a_header(here: Scene) -> None:
    words = "because it is written down in our notes. " * 90
    for number in range(25):
        said = f"use v for k, reason {number}: {words}"
        done = here.remember("k", "v", "user", message(number, said))
        assert done.exit_status == 0, done
    (memory,) = here.memories().values()
    assert [source.ref.rpartition("m")[2] for source in memory.source[:1] + memory.source[-1:]] == ["0", "24"]
    assert {len(source.said) for source in memory.source} == {SAID_CHARACTERS["user"]}
    assert [entry["said"] for entry in full(here.user_memdir)] == [
        f"use v for k, reason {n}: {words}" for n in range(25)
    ]
    (older,) = (here.user_memdir / "history").glob("*.sources.jsonl")
    assert len(older.read_text("utf-8").splitlines()) + len(memory.source) == 25
    assert here.sandbox.run("check", "--strict", "--dir", str(here.user_memdir), cwd=here.top).exit == 0


@pytest.mark.parametrize("level", ["repository", "user"])
def test_a_conflict_of_values_with_many_long_sources_finds_room(here: Scene, level: Level) -> None:
    words = "なぜならノートに書いてあるから。" * 70
    for number in range(64):
        here.remember("k", f"v{number % 4}", level, message(number, f"{number} {words}"))
    (memory,) = here.memories().values()
    assert [side.value for side in memory.sides] == ["v0", "v1", "v2", "v3"]
    kept = {source.ref for source in memory.sources}
    root = here.user_memdir if level == "user" else here.memdir
    (older,) = (root / "history").glob("*.sources.jsonl")
    kept |= {json.loads(line)["ref"] for line in older.read_text("utf-8").splitlines()}
    assert len(kept) == 64, "none is lost"


@pytest.mark.parametrize("plain", ["s1", "msg-3", "a.b_c", "x" * LABEL_CHARACTERS])
def test_a_short_plain_id_is_its_own_label(plain: str) -> None:
    assert label(plain) == plain


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_a_label_is_short_and_plain_and_tells_ids_apart(one: str, other: str) -> None:
    for whole in (one, other):
        found = label(whole)
        assert len(found) <= LABEL_CHARACTERS
        assert found.isascii()
        assert found.isprintable()
        assert not set(found) & set("/: \t'\"#")
    assert (label(one) == label(other)) is (one == other)
