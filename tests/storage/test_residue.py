"""What is left of memories in a memdir beside their files: found wherever it lies, and nothing else with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.forgetting import Aim
from memdir_cli.storage import codec, layout
from memdir_cli.storage.residue import LIMIT, Search, holding, residue
from tests.records import private, project

TEXT = b"pnpm and nothing else"
GONE = project(id="gone", predicate="lint").memory
PORT = project(id="port-id", predicate="port").memory
STRANGER = project(id="stranger", predicate="stranger").memory


def prompt(text: str) -> bytes:
    return json.dumps({"text": text, "session": "s", "turn": "t", "root": "/r", "at": "2026-09-14"}).encode()


def search(root: Path, **keys: Any) -> Search:
    """A search for a memory that is there, of which one side has an id of its own, and for all of another key."""
    aim = Aim(frozenset({"gone", "side"}), frozenset([PORT.identity.key]), frozenset({"Pnpm", "corepack"}))
    told: dict[str, Any] = {
        "root": str(root), "layer": "project", "aim": aim, "identities": (PORT.identity,),
        "paths": frozenset({"memories/lint.md", "inbox/lint~gone.md"}),
        "unreadable": ("memories/bad.md", "memories/none.md"), "staying": frozenset({"stays"}), "texts": (TEXT,),
        **keys,
    }  # fmt: skip
    return Search(**told)


def found(root: Path, files: dict[str, bytes], **keys: Any) -> list[str]:
    for path, content in files.items():
        where = root / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(content)
    return [one.path for one in residue(search(root, **keys))]


@pytest.mark.parametrize(
    ("path", "content", "goes"),
    [
        # by the id in the name
        ("history/lint~gone@2.md", b"broken", True),
        ("archive/lint~side.md", b"broken", True),
        ("history/lint~gone.sources.jsonl", b"{}", True),
        ("history/lint~gone2@1.md", b"broken", False),
        ("history/lint~other@1.md", b"broken", False),
        ("inbox/lint~gone.md", b"broken", False),
        # at the place of the identity
        ("memories/port.md", b"broken", True),
        ("memories/port.md", codec.render(STRANGER), False),
        ("archive/port.md", b"broken", False),
        ("memories/else.md", b"broken", False),
        # by the id that still shows
        ("memories/bad.md", b"---\nid: gone\nid: x\n", True),
        ("memories/bad.md", b"---\nid: stranger\nid: x\n", False),
        # copies of editors
        ("memories/lint.md~", TEXT, True),
        ("memories/lint.md~", b"something of mine", False),
        ("memories/.lint.md", TEXT, True),
        ("memories/notes.txt", TEXT, False),
        ("memories/notes.txt", b"id: 'gone'", True),
        ("memories/notes.txt", b"id: gone2", False),
        ("memories/else.md", b"told in the text of a memory, id: gone", False),
        ("notes.txt", b"id: gone", False),
        ("MEMORY.md~", b"- [lint](memories/lint.md)", True),
        ("old-MEMORY.md", b"- [lint](memories/lint.md)", True),
        ("MEMORY.md~", b"- [port](memories/port.md)", False),
        ("MEMORY.md", TEXT, False),
        ("memories/.memdir-t1-0.tmp", b"id: gone", False),
        ("history/else~other.sources.jsonl", b"id: gone", False),
        # what lies on this machine
        ("local/sources/gone.jsonl", b"{}", True),
        ("local/sources/rejected.jsonl", TEXT, True),
        ("local/sources/stays.jsonl", TEXT, False),
        ("local/sources/rejected.jsonl", b"{}", False),
        ("local/set-aside/a.md", codec.render(GONE), True),
        ("local/set-aside/a.md", codec.render(PORT), True),
        ("local/set-aside/.a.md", codec.render(GONE), True),
        ("local/set-aside/a.md", codec.render(STRANGER), False),
        ("local/set-aside/a.md", b"---\nid: gone\nid: x\n", True),
        ("local/set-aside/MEMORY.md", b"- [lint](memories/lint.md)", True),
        ("local/set-aside/MEMORY.md", b"- [port](memories/port.md)", False),
        ("local/cache", b"whatever", True),
        ("local/prompts/s/1.json", prompt("Take PNPM here"), True),
        ("local/prompts/s/1.json", prompt("take npm here"), False),
        ("local/prompts/s/1.json", b"no prompt", True),
        ("local/access/2026-09.jsonl", b'{"id": "gone"}', False),
    ],
)
def test_what_is_left_is_found_by_its_name_or_by_what_is_in_it(
    tmp_path: Path, path: str, content: bytes, *, goes: bool
) -> None:
    assert found(tmp_path, {path: content}) == ([path] if goes else [])


def test_a_users_identity_has_its_place_with_the_repository(tmp_path: Path) -> None:
    mine = private(id="mine", predicate="port").memory
    path = layout.path_of(mine, "user")
    aim = Aim(frozenset({"mine"}))
    assert found(tmp_path, {path: b"broken"}, layer="user", aim=aim, identities=(mine.identity,)) == [path]


def test_where_no_id_goes_none_is_looked_for(tmp_path: Path) -> None:
    aim = Aim(identities=frozenset([PORT.identity.key]))
    assert found(tmp_path, {"memories/notes.txt": b"id: \nid: x"}, aim=aim) == []


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "history/lint~gone@2.md").mkdir(parents=True)
    (tmp_path / "history/lint~gone@3.md").symlink_to("elsewhere")
    assert found(tmp_path, {}) == []


def sparse(path: Path, size: int, content: bytes = b"") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.truncate(size)


def test_a_memory_file_that_grew_beyond_all_measure_is_found_too(tmp_path: Path) -> None:
    for path in ("history/lint~gone@2.md", "memories/bad.md", "memories/.lint.md"):
        sparse(tmp_path / path, layout.TEXT_LIMIT + 1, b"id: gone\n" + TEXT)
    assert found(tmp_path, {}) == ["history/lint~gone@2.md", "memories/.lint.md", "memories/bad.md"]


def test_a_stray_file_that_nobody_can_read_hides_no_other(tmp_path: Path) -> None:
    sparse(tmp_path / "memories/a-large.bak", LIMIT + 1)
    assert found(tmp_path, {"memories/lint.md~": TEXT}) == ["memories/lint.md~"]


def test_what_is_derived_of_very_many_memories_goes_as_well(tmp_path: Path) -> None:
    sparse(tmp_path / "local/cache", LIMIT + 1)
    assert found(tmp_path, {}) == ["local/cache"]


def test_a_text_is_looked_for_in_every_file_but_in_gits_own(tmp_path: Path) -> None:
    for path in (".git/objects/a", "memories/b.md", "local/sources/c.jsonl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(TEXT)
    assert set(holding(str(tmp_path), [TEXT.decode()])) == {"memories/b.md", "local/sources/c.jsonl"}
    assert holding(str(tmp_path), ["something else"]) == ()


def test_names_and_texts_that_are_no_unicode_are_looked_for_all_the_same(tmp_path: Path) -> None:
    name = b"memories/caf\xe9.md"
    paths = frozenset({name.decode("utf-8", "surrogateescape")})
    assert found(tmp_path, {"MEMORY.md~": b"- [cafe](%b)" % name}, paths=paths, texts=()) == ["MEMORY.md~"]
    assert holding(str(tmp_path), ["\ud800", "cafe"]) == ("MEMORY.md~",)


@pytest.mark.parametrize("content", [TEXT, b"yarn"])
def test_one_of_the_texts_is_enough(tmp_path: Path, content: bytes) -> None:
    path = "local/sources/rejected.jsonl"
    assert found(tmp_path, {path: content}, texts=(TEXT, b"yarn")) == [path]
