"""Memory files as a reader without a lock sees them, also in the middle of a transaction."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import Record, Unreadable, digest_of
from memdir_cli.storage import codec
from memdir_cli.storage.journal import Pending, Removal, Staged
from memdir_cli.storage.memories import parse_record, paths_in, read_folder, read_named, read_record
from tests.records import project

OLD = codec.render(project(predicate="lint", id="a", value="old").memory)
NEW = codec.render(project(predicate="lint", id="a", value="new").memory)


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories/lint.md").write_bytes(OLD)
    return str(tmp_path)


def values(root: str, pending: Pending | None, *, stem: str = "") -> dict[str, str | None]:
    whole = read_folder(root, "project", "memories", pending)
    found = read_named(root, "project", "memories", pending, stem) if stem else whole
    return {entry.path: entry.memory.value for entry in found if isinstance(entry, Record)}


def test_without_a_transaction_the_files_count(root: str) -> None:
    assert values(root, None) == {"memories/lint.md": "old"}


def test_a_staged_version_counts_before_and_after_it_is_moved(root: str) -> None:
    temp = "memories/.memdir-txn-1.tmp"
    pending = Pending("txn", puts=(Staged("memories/lint.md", temp, digest_of(OLD), digest_of(NEW)),))
    Path(root, temp).write_bytes(NEW)
    assert values(root, pending) == {"memories/lint.md": "new"}
    os.replace(Path(root, temp), Path(root, "memories/lint.md"))
    assert values(root, pending) == {"memories/lint.md": "new"}


def test_a_new_file_counts_before_it_has_its_name_and_a_removed_one_no_more(root: str) -> None:
    temp = "memories/.memdir-txn-1.tmp"
    Path(root, temp).write_bytes(codec.render(project(predicate="test", id="b", value="npm test").memory))
    pending = Pending(
        "txn",
        puts=(Staged("memories/test.md", temp, None, "x"),),
        removes=(Removal("memories/lint.md", digest_of(OLD)),),
    )
    assert values(root, pending) == {"memories/test.md": "npm test"}
    assert values(root, pending, stem="test") == {"memories/test.md": "npm test"}
    assert values(root, pending, stem="lint") == {}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("lint.md", True), ("lint--1a2b3c4d.md", True), ("lint~id.md", True), ("lint--1a~id@3.md", True),
        ("lint2.md", False), ("lint-x.md", False), ("lint.x.md", False), ("int.md", False), ("LINT.md", False),
    ],
)  # fmt: skip
def test_only_files_that_may_hold_the_key_are_read(tmp_path: Path, name: str, *, read: bool) -> None:
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / name).write_bytes(OLD)
    assert bool(values(str(tmp_path), None, stem="lint")) is read


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    for name in ("b", "a", "c"):
        (tmp_path / "memories" / f"{name}.md").write_bytes(OLD)
    assert list(values(str(tmp_path), None)) == ["memories/a.md", "memories/b.md", "memories/c.md"]


def test_a_special_file_is_told_and_blocks_nobody(root: str) -> None:
    os.mkfifo(Path(root, "memories/pipe.md"))
    found = list(read_folder(root, "project", "memories", None))
    assert [entry.path for entry in found if isinstance(entry, Unreadable)] == ["memories/pipe.md"]


def test_a_folder_is_no_memory_whatever_its_name(root: str) -> None:
    Path(root, "memories/notes.md").mkdir()
    assert [entry.path for entry in read_folder(root, "project", "memories", None)] == ["memories/lint.md"]
    assert paths_in(root, "memories", None) == ["memories/lint.md"]


def test_a_file_that_is_gone_is_nothing(root: str) -> None:
    assert read_record(root, "project", "memories/gone.md", None) is None
    assert list(read_folder(root, "project", "archive", None)) == []


def test_a_malformed_file_says_where() -> None:
    found = parse_record("memories/x.md", b"---\nid: a\nstatus: verified\nid: b\n---\n", "project")
    assert isinstance(found, Unreadable)
    assert (found.path, found.reason, found.line) == ("memories/x.md", "duplicate-key", 4)
