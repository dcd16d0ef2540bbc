"""Every path of a memdir, and ids."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import STATUSES, Status
from memdir_cli.storage import ids, layout

REPOSITORY = "github.com/acme/legacy-dashboard"
RULE = Memory(
    id="kq3f9x2aqmzzz",
    subject=f"project:{REPOSITORY}",
    predicate="package_manager",
    scope=Scope("repository", repository=REPOSITORY),
    status="verified",
    revision=2,
)
TASK = replace(RULE, subject="user:u1", predicate="install", scope=Scope("task", task="t1", repository=REPOSITORY))


@pytest.mark.parametrize(
    ("status", "path"),
    [
        ("verified", "memories/package_manager.md"),
        ("stale", "memories/package_manager.md"),
        ("conflicted", "memories/package_manager.md"),
        ("candidate", "inbox/package_manager~kq3f9x2aqmzzz.md"),
        ("quarantined", "quarantine/package_manager~kq3f9x2aqmzzz.md"),
        ("archived", "archive/package_manager~kq3f9x2aqmzzz.md"),
        ("superseded", "history/package_manager~kq3f9x2aqmzzz@2.md"),
        ("expired", "history/package_manager~kq3f9x2aqmzzz@2.md"),
    ],
)
def test_the_status_decides_the_folder(status: Status, path: str) -> None:
    assert layout.path_of(replace(RULE, status=status), "project") == path


def test_qualifiers_and_in_the_user_memdir_the_repository_show_in_the_name() -> None:
    narrow = replace(RULE, scope=replace(RULE.scope, path="packages/web/**"))
    private = layout.path_of(RULE, "user")
    assert re.fullmatch(r"memories/package_manager--[0-9a-f]{8}\.md", layout.path_of(narrow, "project"))
    assert re.fullmatch(r"memories/package_manager--[0-9a-f]{8}\.md", private)
    assert len({private, layout.path_of(narrow, "project"), layout.path_of(narrow, "user")}) == 3


@pytest.mark.parametrize("status", STATUSES)
def test_a_task_memory_that_counts_lies_apart(status: Status) -> None:
    path = layout.path_of(replace(TASK, status=status), "user")
    current = status in {"verified", "stale", "conflicted"}
    assert path.startswith("local/tasks/install--") == current
    assert layout.folder_of(path) in layout.FOLDERS


@pytest.mark.parametrize("layer", ["project", "user"])
def test_every_memory_lies_in_a_memory_folder(layer: Layer) -> None:
    for memory in (RULE, TASK) if layer == "user" else (RULE,):
        for status in STATUSES:
            folder = layout.folder_of(layout.path_of(replace(memory, status=status), layer))
            assert folder in layout.memory_folders(layer)


def test_months_have_files_of_their_own() -> None:
    assert layout.receipts_path("2026-09-14T09:30:00Z") == "receipts/2026-09.jsonl"
    assert layout.access_path("2026-09-14T09:30:00Z") == "local/access/2026-09.jsonl"
    assert layout.refusals_path("2026-09-14T09:30:00Z") == "local/refusals/2026-09.jsonl"
    assert layout.sources_path("kq3") == "local/sources/kq3.jsonl"


@pytest.mark.parametrize("target", ["MEMORY.md", "memories/a.md", "local/tasks/a.md"])
def test_a_temporary_file_lies_beside_its_target_and_is_known_by_its_name(target: str) -> None:
    temp = layout.temp_path(target, "txn", 3)
    assert layout.folder_of(temp) == layout.folder_of(target)
    assert layout.is_temp_name(layout.name_of(temp))
    assert not layout.is_temp_name(layout.name_of(target))


def test_what_is_set_aside_keeps_its_path_in_its_name_and_is_never_swept() -> None:
    assert layout.set_aside_path("t1", "memories/a.md") == "local/set-aside/t1-memories+a.md"
    assert layout.set_aside_path("t1", ".gitignore") == "local/set-aside/t1-gitignore"
    for path in ("memories/a.md", layout.temp_path("MEMORY.md", "t1", 1), layout.temp_path("inbox/a.md", "t1", 1)):
        name = layout.name_of(layout.set_aside_path("t2", path))
        assert not layout.is_temp_name(name)
        assert not name.startswith(".")


@pytest.mark.parametrize(
    ("path", "memory_id"),
    [
        ("inbox/lint~k1.md", "k1"),
        ("history/lint~k1@2.md", "k1"),
        ("inbox/lint~old~k1.md", "k1"),
        ("memories/lint.md", ""),
    ],
)
def test_an_id_is_what_follows_the_last_tilde(path: str, memory_id: str) -> None:
    assert layout.id_of(path) == memory_id


@pytest.mark.parametrize(
    ("path", "private"),
    [
        ("local/sources/a.jsonl", True),
        ("local/access", True),
        ("local/refusals/2026-09.jsonl", True),
        ("local/tasks/a.md", True),
        ("local/journal.json", False),
        ("local/tasksheet", False),
        ("memories/a.md", False),
    ],
)
def test_words_and_logs_are_private_everywhere(path: str, private: bool) -> None:
    assert layout.is_private(path) == private


def test_ids_are_random_and_no_reader_takes_them_for_a_number() -> None:
    made = {ids.new_id() for _ in range(2000)} | {ids.new_transaction_id() for _ in range(2000)}
    assert len(made) == 4000
    assert all(re.fullmatch("[abcdefghjkmnpqrstvwxyz][0-9abcdefghjkmnpqrstvwxyz]{12}", one) for one in made)
    assert {one[0] for one in made} == set("abcdefghjkmnpqrstvwxyz")


@pytest.mark.parametrize("name", [".memdir-notes.md", ".memdir-", "x.tmp", "memdir-x.tmp"])
def test_a_file_of_somebody_else_is_no_temporary_file_of_ours(name: str) -> None:
    assert not layout.is_temp_name(name)


@pytest.mark.parametrize("name", ["lint~k1@2.md", "notes.sources.jsonl", "lint~k1.jsonl", "sources.jsonl"])
def test_older_sources_are_known_by_their_whole_name(name: str) -> None:
    assert layout.is_older_sources(layout.name_of(layout.older_sources_path(RULE, "project")))
    assert not layout.is_older_sources(name)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("memories/lint.md", "lint"),
        ("memories/packages.md", "packages"),
        ("memories/lint--1a2b3c4d.md", "lint"),
        ("inbox/lint--1a2b3c4d~k1.md", "lint"),
        ("history/lint~k1@2.md", "lint"),
        ("memories/one--two.md", "one--two"),
        ("memories/one--two--1a2b3c4d.md", "one--two"),
    ],
)
def test_a_name_tells_its_key_without_qualifiers_and_id(path: str, key: str) -> None:
    assert layout.key_of(path) == key


def test_no_more_is_read_of_a_file_than_such_a_file_can_have() -> None:
    sizes = [
        layout.limit_of(path)
        for path in ("memories/a.md", "config.yaml", "quarantine/a.md", "receipts/2026-09.jsonl", layout.CACHE)
    ]
    assert sizes == [1 << 20, 1 << 20, 1 << 24, 64 << 20, 256 << 20]


def test_files_that_go_with_a_transaction_are_called_after_it() -> None:
    assert layout.set_aside_path("t1", "memories/a.md") == "local/set-aside/t1-memories+a.md"
    assert layout.set_aside_path("t1", ".index/a.md") == "local/set-aside/t1-index+a.md"
    assert layout.folder_of(layout.temp_path("memories/a.md", "t1", 2)) == "memories"
    assert layout.name_of(layout.temp_path("memories/a.md", "t1", 2)).endswith("t1-2.tmp")
