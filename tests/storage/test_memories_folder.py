"""What counts as a memory file of a folder, whether it is listed, known from the cache, or about to be put there."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import Layer, Record, Unreadable, digest_of
from memdir_cli.storage import cache, codec
from memdir_cli.storage.cache import Rows, Stats
from memdir_cli.storage.journal import Pending, Staged
from memdir_cli.storage.memories import (
    Found,
    parse_noticing,
    paths_in,
    paths_named,
    read_folder,
    read_named,
    read_record,
)
from tests.records import project

KEY = "k" * 64
FOLDER = "memories"
TEMP = "memories/.memdir-txn-1.tmp"


def content(value: str) -> bytes:
    return codec.render(project(predicate="lint", id="a", value=value).memory)


#: What no reader takes for a memory, by its name or because it is a folder.
NONE = ("memories/.hidden.md", "memories/.md", "memories/lint.txt", "memories/md", "memories/lint~f.md/x.md")


@pytest.fixture
def root(tmp_path: Path) -> str:
    for path in ("memories/a.md", "memories/lint.md", *NONE):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content(path))
    return str(tmp_path)


@pytest.fixture
def rows(root: str, monkeypatch: pytest.MonkeyPatch) -> Rows:
    """The cache of the folder as it is now."""
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", 1)
    records = [one for one in read_folder(root, "project", FOLDER, None) if isinstance(one, Record)]
    now = time.time_ns() + 10**9
    assert cache.save(root, KEY, "txn", records, stats(root), cache.NOTHING, now=now, private=False)
    loaded = cache.load(root, KEY)
    assert set(loaded) == {"memories/a.md", "memories/lint.md"}
    return loaded


def stats(root: str) -> Stats:
    return cache.stats_of(root, FOLDER)


def told(found: list[Found]) -> dict[str, str | None]:
    return {one.path: one.memory.value if isinstance(one, Record) else one.reason for one in found}


def read(root: str, rows: Rows = cache.NOTHING, looked: Stats | None = None, pending: Pending | None = None) -> object:
    return told(list(read_folder(root, "project", FOLDER, pending, rows=rows, stats=looked)))


def test_a_folder_is_read_alike_with_a_cache_and_without_one(root: str, rows: Rows) -> None:
    plain = {"memories/a.md": "memories/a.md", "memories/lint.md": "memories/lint.md"}
    assert read(root) == plain
    assert read(root, rows) == read(root, rows, stats(root)) == read(root, looked=stats(root)) == plain
    Path(root, "memories/lint.md").write_bytes(content("changed"))
    changed = {**plain, "memories/lint.md": "changed"}
    assert read(root) == read(root, rows) == read(root, rows, stats(root)) == changed


def test_of_files_whose_state_is_told_no_others_are_read(root: str, rows: Rows) -> None:
    some = {path: stat for path, stat in stats(root).items() if path == "memories/lint.md"}
    assert read(root, rows, some) == {"memories/lint.md": "memories/lint.md"}


@pytest.mark.parametrize("moved", [False, True])
def test_what_a_transaction_puts_there_counts_more_than_the_cache(root: str, rows: Rows, *, moved: bool) -> None:
    Path(root, TEMP).write_bytes(content("new"))
    pending = Pending("txn", puts=(Staged("memories/lint.md", TEMP, "x", digest_of(content("new"))),))
    looked = stats(root)
    if moved:
        os.replace(Path(root, TEMP), Path(root, "memories/lint.md"))
    after = {"memories/a.md": "memories/a.md", "memories/lint.md": "new"}
    assert (
        read(root, rows, pending=pending) == read(root, rows, looked, pending) == read(root, pending=pending) == after
    )


def test_rows_that_are_not_needed_any_more_go(root: str, rows: Rows) -> None:
    assert len(list(read_folder(root, "project", FOLDER, None, rows=rows, stats=stats(root)))) == 2
    assert len(rows) == 2
    assert len(list(read_folder(root, "project", FOLDER, None, rows=rows, stats=stats(root), consume=True))) == 2
    assert not rows


@pytest.mark.parametrize("pending", [None, Pending("txn")])
def test_neither_folders_nor_other_names_are_read_for_a_key(root: str, pending: Pending | None) -> None:
    found = list(read_named(root, "project", FOLDER, pending, "lint"))
    assert told(found) == {"memories/lint.md": "memories/lint.md"}


def test_what_is_put_where_a_folder_lies_counts(root: str) -> None:
    Path(root, TEMP).write_bytes(content("new"))
    pending = Pending("txn", puts=(Staged("memories/lint~f.md", TEMP, None, digest_of(content("new"))),))
    found = list(read_named(root, "project", FOLDER, pending, "lint"))
    assert told(found) == {"memories/lint.md": "memories/lint.md", "memories/lint~f.md": "new"}
    assert told(found).items() <= told(list(read_folder(root, "project", FOLDER, pending))).items()


def test_older_sources_that_a_transaction_puts_beside_a_memory_are_none(root: str) -> None:
    Path(root, "history").mkdir()
    Path(root, "history/.memdir-txn-1.tmp").write_bytes(b'{"ref":"session:s/message:m"}\n')
    put = Staged("history/lint~a.sources.jsonl", "history/.memdir-txn-1.tmp", None, "x")
    pending = Pending("txn", puts=(put,))
    assert list(read_named(root, "project", "history", pending, "lint")) == []
    assert list(read_folder(root, "project", "history", pending)) == []
    assert paths_named(root, "history", pending) == paths_in(root, "history", pending) == []


def test_only_names_of_memory_files_are_paths(root: str) -> None:
    assert paths_in(root, FOLDER, None) == ["memories/a.md", "memories/lint.md"]
    assert sorted(paths_named(root, FOLDER, None)) == ["memories/a.md", "memories/lint.md", "memories/lint~f.md"]


def test_what_a_transaction_puts_into_another_folder_is_not_here(root: str) -> None:
    pending = Pending("txn", puts=(Staged("inbox/lint~b.md", "inbox/.memdir-txn-1.tmp", None, "x"),))
    assert paths_in(root, FOLDER, pending) == paths_in(root, FOLDER, None)
    assert paths_named(root, FOLDER, pending) == sorted(paths_named(root, FOLDER, None))
    assert paths_in(root, "inbox", pending) == paths_named(root, "inbox", pending) == ["inbox/lint~b.md"]


def test_names_that_are_known_are_not_looked_for(root: str) -> None:
    assert paths_named(root, FOLDER, None, ["b.md", ".b.md", "b.txt"]) == ["memories/b.md"]


@pytest.mark.parametrize("layer", ["project", "user"])
def test_what_cannot_be_read_is_told_with_its_memdir(root: str, layer: Layer) -> None:
    Path(root, "memories/link.md").symlink_to("a.md")
    found = read_record(root, layer, "memories/link.md", None)
    assert isinstance(found, Unreadable)
    assert (found.path, found.reason, found.layer) == ("memories/link.md", "symlink", layer)


def test_what_is_no_memory_has_nothing_to_notice() -> None:
    found, notices, plain = parse_noticing("memories/a.md", b"---\nid: a\n", "project")
    assert isinstance(found, Unreadable)
    assert (notices, plain) == ((), False)
