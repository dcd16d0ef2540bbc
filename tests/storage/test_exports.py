"""The record of what went into files of other programs: what of it is believed, and what is left there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.storage import exports, layout
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.exports import Export, Page
from memdir_cli.storage.store import Store

FOLDER = Export(
    "claude", "/home/x/memory", frozenset({"a", "b"}), {"memdir-a.md": Page("a", ("d1",)), "b.md": Page("b")}
)
FILE = Export("agents-md", "/home/x/AGENTS.md", frozenset({"a"}))
ENTRY: dict[str, Any] = {"form": "claude", "path": "/home/x/memory", "ids": ["a"], "pages": {"a.md": ["a", "d1"]}}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "config.yaml").write_bytes(new_project_config("github.com/acme/app", "0011"))
    (tmp_path / "local").mkdir()
    return Store(str(tmp_path), "project")


def lay(store: Store, content: bytes) -> None:
    Path(store.root, layout.EXPORTS).write_bytes(content)


def noted(store: Store, *changed: Export) -> bool:
    """Write down what changed; whether anything was to be written."""
    put = exports.noted(store, changed)
    if put is not None:
        assert put.path == layout.EXPORTS
        lay(store, put.content)
    return put is not None


def test_what_is_noted_is_read_again_and_noted_once(store: Store) -> None:
    assert not noted(store), "of nothing there is no record"
    assert noted(store, FOLDER, FILE)
    assert exports.recorded(store) == (FILE, FOLDER)
    assert exports.at(store, "claude", FOLDER.path) == FOLDER
    assert exports.at(store, "claude", "/elsewhere") == Export("claude", "/elsewhere")
    assert not noted(store, FOLDER)
    assert noted(store, Export("claude", FOLDER.path)), "a place that holds nothing is not recorded"
    assert exports.recorded(store) == (FILE,)


def test_a_record_of_which_nothing_is_left_is_emptied(store: Store) -> None:
    assert noted(store, FILE)
    assert noted(store, Export(FILE.form, FILE.path))
    assert exports.recorded(store) == ()
    assert not noted(store)


def test_a_place_that_holds_nothing_but_pages_stays_recorded(store: Store) -> None:
    pages = Export("claude", FOLDER.path, frozenset(), {"a.md": Page("a", ("d1",))})
    assert noted(store, pages)
    assert exports.recorded(store) == (pages,)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"\xff", b"[]", b'"x"', b"[" * 100_000,
        json.dumps({"exports": [ENTRY]}).encode(),
        json.dumps({"format": 2, "exports": [ENTRY]}).encode(),
        json.dumps({"format": 1, "exports": {"a": ENTRY}}).encode(),
        json.dumps({"format": 1, "exports": [[], 1, None]}).encode(),
    ],
)  # fmt: skip
def test_of_a_record_that_is_none_nothing_is_believed(store: Store, content: bytes) -> None:
    lay(store, content)
    assert exports.recorded(store) == ()


@pytest.mark.parametrize(
    "changed",
    [
        {"form": "gemini"}, {"form": None}, {"path": "memory"}, {"path": ""}, {"path": 5}, {"path": None},
        {"path": "/home/\0x"}, {"ids": "a"}, {"ids": [1]}, {"ids": None}, {"pages": []},
    ],
)  # fmt: skip
def test_an_entry_that_is_none_hides_no_other(store: Store, changed: dict[str, Any]) -> None:
    lay(store, json.dumps({"format": 1, "exports": [{**ENTRY, **changed}, ENTRY]}).encode())
    assert exports.recorded(store) == (
        Export("claude", "/home/x/memory", frozenset({"a"}), {"a.md": Page("a", ("d1",))}),
    )


@pytest.mark.parametrize("name", ["", ".", "..", "../a.md", "/etc/a.md", "below/a.md"])
def test_no_page_leads_out_of_its_folder(store: Store, name: str) -> None:
    lay(
        store,
        json.dumps({"format": 1, "exports": [{**ENTRY, "pages": {name: ["a"], "a.md": ["a"], "b.md": []}}]}).encode(),
    )
    (found,) = exports.recorded(store)
    assert found.pages == {"a.md": Page("a")}


@pytest.mark.parametrize("told", [[], "ab", [1], ["a", None], {"a": "d1"}, None, 5])
def test_a_page_that_names_no_memory_is_none_and_hides_no_other(store: Store, told: object) -> None:
    lay(store, json.dumps({"format": 1, "exports": [{**ENTRY, "pages": {"a.md": told, "b.md": ["b"]}}]}).encode())
    (found,) = exports.recorded(store)
    assert found.pages == {"b.md": Page("b")}


def test_what_was_taken_out_is_in_neither_ids_nor_pages() -> None:
    assert exports.rest(FOLDER, {"a"}) == Export("claude", FOLDER.path, frozenset({"b"}), {"b.md": Page("b")})


def test_only_files_of_the_folder_itself_are_looked_at_for_what_is_left(tmp_path: Path) -> None:
    folder, secret = tmp_path / "memory", "the zebra crosses at noon"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "mine.md").write_text(secret, encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "mine.md")
    for name in ("b.md", "moved.md"):
        (folder / name).write_text(f"{secret}\n", encoding="utf-8")
    export = Export("claude", str(folder), frozenset({"a", "b"}), {"a.md": Page("a"), "b.md": Page("b")})
    assert [path for path, _ in exports.left(export, {"a"}, {secret})] == [str(folder / "moved.md")]
    gone = Export("claude", str(tmp_path / "gone"))
    assert list(exports.left(gone, {"a"}, {secret})) == [(gone.path, exports.GONE)]


SECRET = "the zebra crosses at noon"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder in which two files say what no record knows of."""
    folder = tmp_path / "memory"
    folder.mkdir()
    for name in ("b.md", "c.md"):
        (folder / name).write_text(f"{SECRET}\n", encoding="utf-8")
    return folder


def left(folder: Path) -> list[tuple[str, str]]:
    export = Export("claude", str(folder), frozenset({"a"}))
    return [(Path(path).name, reason) for path, reason in exports.left(export, {"a"}, {SECRET})]


def test_a_file_that_cannot_be_looked_at_is_named_and_hides_no_other(pages: Path) -> None:
    with (pages / "a.md").open("wb") as file:
        file.truncate(exports.LIMIT + 1)
    (name, reason), *others = left(pages)
    assert (name, str(exports.LIMIT) in reason) == ("a.md", True)
    assert [name for name, _ in others] == ["b.md", "c.md"]


def test_a_file_larger_than_any_memory_is_looked_at(pages: Path) -> None:
    (pages / "a.md").write_bytes(b"x" * layout.TEXT_LIMIT + b"\n" + SECRET.encode())
    reasons = dict(left(pages))
    assert list(reasons) == ["a.md", "b.md", "c.md"]
    assert len(set(reasons.values())) == 1


def test_a_file_that_goes_away_meanwhile_says_nothing(pages: Path) -> None:
    found = exports.left(Export("claude", str(pages), frozenset({"a"})), {"a"}, {SECRET})
    assert next(found)[0] == str(pages / "b.md")
    (pages / "c.md").unlink()
    assert list(found) == []
