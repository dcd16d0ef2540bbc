"""The store: what lies in a memdir, found by key, and changed in one step with its index and receipt."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.changes import ChangeSet, Put, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer, Record, Snapshot
from memdir_cli.errors import ChangedError, FaultError, RefusedError, UsageError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.store import Store
from tests.records import private, project, task

NOW = "2026-09-14T09:30:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "config.yaml").write_bytes(new_project_config("github.com/acme/app", "0011"))
    return Store(str(tmp_path), "project")


def lay(store: Store, memory: Memory, path: str = "") -> Path:
    """Put a memory into its file, as a hand or git would."""
    where = Path(store.root, path or layout.path_of(memory, store.layer))
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_bytes(codec.render(memory))
    return where


def rule(key: str, **keys: Any) -> Memory:
    return project(predicate=key, **{"id": f"id-{key}", "description": f"about {key}", **keys}).memory


def write(store: Store, *memories: Memory, base: Record | None = None, **changes: Any) -> None:
    events = tuple(Event("created", memory, actor="user") for memory in memories)
    writes = tuple(Write(memory, base) for memory in memories)
    with store.writing(5) as writer:
        writer.commit(ChangeSet(writes, events=events, **changes), NOW)


def tree(store: Store) -> dict[str, bytes]:
    root = Path(store.root)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith("lock")
    }


def paths(snapshot: Snapshot) -> list[str]:
    return [record.path for record in snapshot.records]


# reading


@pytest.mark.parametrize(("layer", "tasks"), [("project", False), ("user", True)])
def test_every_folder_of_memories_is_read_tasks_only_of_a_user(tmp_path: Path, layer: Layer, *, tasks: bool) -> None:
    store = Store(str(tmp_path), layer)
    for status in ("verified", "candidate", "quarantined", "superseded", "archived"):
        lay(store, rule("k", id=status, status=status))
    lay(store, task("T9").memory, "local/tasks/k.md")
    found = store.snapshot()
    assert {record.folder for record in found.records} == {
        "memories", "inbox", "quarantine", "history", "archive", *(["local/tasks"] if tasks else []),
    }  # fmt: skip
    assert [record.memory.status for record in found.current()] == ["verified"] + (["verified"] if tasks else [])


def test_a_bad_file_hides_no_good_one_and_says_why(store: Store) -> None:
    lay(store, rule("good"))
    Path(store.root, "memories/bad.md").write_bytes(b"---\nid: a\nid: b\n---\n")
    Path(store.root, "memories/notes.md").write_bytes(b"# Just notes\n")
    Path(store.root, "memories/link.md").symlink_to("good.md")
    found = store.snapshot()
    assert paths(found) == ["memories/good.md"]
    reasons = {one.path: one.reason for one in found.unreadable}
    assert reasons["memories/bad.md"] == "duplicate-key"
    assert set(reasons) == {"memories/bad.md", "memories/notes.md", "memories/link.md"}


def test_what_is_no_memory_file_is_passed_over(store: Store) -> None:
    lay(store, rule("good"))
    for name in (".hidden.md", ".memdir-txn-1.tmp", "good.md~", "good.txt", ".good.md.swp"):
        Path(store.root, "memories", name).write_text("x")
    Path(store.root, "memories/folder.md").mkdir()
    found = store.snapshot()
    assert paths(found) == ["memories/good.md"]
    assert found.unreadable == ()


def test_a_key_is_found_by_its_name_without_reading_others(store: Store) -> None:
    lay(store, rule("lint"))
    lay(store, rule("lint", id="narrow", topic="t"))
    lay(store, rule("lint2"))
    unread = Path(store.root, "memories/zebra.md")
    unread.mkdir()
    assert [record.memory.id for record in store.find("lint")] == ["narrow", "id-lint"]
    assert [record.memory.id for record in store.find("LINT")] == ["narrow", "id-lint"]
    assert store.find("nothing") == ()


@pytest.mark.parametrize("key", ["con", "NUL.x", "日本語", "é" * 150, "x" * 300, "🚀", "Straße", "a--b", "a--1a2b3c4d"])
def test_any_key_is_found_again_in_every_folder(store: Store, key: str) -> None:
    for status in ("verified", "candidate", "superseded"):
        lay(store, rule(key, id=f"i-{status}", status=status))
    for folder in ("memories", "inbox", "history"):
        assert len(store.find(key, (folder,))) == 1
        assert len(store.find(key.upper(), (folder,))) == 1


def test_a_record_is_read_from_its_path(store: Store) -> None:
    where = lay(store, rule("lint"))
    found = store.read("memories/lint.md")
    assert isinstance(found, Record)
    assert found.digest == hashlib.sha256(where.read_bytes()).hexdigest()
    assert store.read("memories/other.md") is None


# writing


def test_a_write_changes_memory_index_and_receipt_together(store: Store) -> None:
    write(store, rule("lint", value="npm run lint"))
    files = tree(store)
    assert set(files) == {"MEMORY.md", "config.yaml", "memories/lint.md", "receipts/2026-09.jsonl"}
    assert b"(memories/lint.md)" in files["MEMORY.md"]
    (receipt,) = store.receipts()
    events: Any = receipt["events"]
    assert [event["id"] for event in events] == ["id-lint"]
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    assert store.unattributed(record) == ""


def test_what_no_receipt_names_is_unattributed_asked_one_by_one_or_all_at_once(store: Store) -> None:
    write(store, rule("ours"))
    lay(store, rule("theirs"))
    lay(store, replace(rule("ours"), value="edited"))
    said = {record.memory.predicate: store.unattributed(record) for record in store.snapshot().records}
    assert said == {"ours": "content", "theirs": "no-receipt"}
    store.read_claims()
    assert said == {record.memory.predicate: store.unattributed(record) for record in store.snapshot().records}


def test_a_no_op_leaves_every_file_alone(store: Store) -> None:
    write(store, rule("lint"))
    before = {path: Path(store.root, path).stat().st_mtime_ns for path in tree(store)}
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(record.memory, record),)), NOW)
    assert {path: Path(store.root, path).stat().st_mtime_ns for path in tree(store)} == before


def test_an_index_that_drifted_is_put_right_by_the_next_write(store: Store) -> None:
    write(store, rule("lint"), rule("test"))
    Path(store.root, "memories/lint.md").unlink()
    lay(store, rule("by-hand"))
    write(store, rule("build"))
    index = tree(store)["MEMORY.md"].decode()
    assert [name for name in ("lint", "test", "by-hand", "build") if f"memories/{name}.md" in index] == [
        "test", "by-hand", "build",
    ]  # fmt: skip


def test_a_file_that_was_edited_meanwhile_is_not_overwritten(store: Store) -> None:
    where = lay(store, rule("lint"))
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    where.write_bytes(where.read_bytes() + b"A note by hand.\n")
    before = tree(store)
    with pytest.raises(ChangedError):
        write(store, replace(record.memory, value="other"), base=record)
    assert tree(store) == before


def test_an_edit_keeps_what_a_hand_wrote(store: Store) -> None:
    old = (
        b"\xef\xbb\xbf---\r\nid: id-lint # keep\r\nticket: 'A-1'\r\nsubject: project:github.com/acme/app\r\n"
        b"predicate: lint\r\nscope: repository:github.com/acme/app\r\nstatus: verified\r\n"
        b"value: old # why\r\n---\r\nText"
    )
    where = Path(store.root, "memories/lint.md")
    where.parent.mkdir()
    where.write_bytes(old)
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    write(store, replace(record.memory, value="new"), base=record)
    assert where.read_bytes() == old.replace(b"value: old #", b"value: new #")


# what is in the way


def test_two_identities_that_would_share_a_path_are_refused_with_both_named(store: Store) -> None:
    narrow = rule("lint", topic="t")
    name = layout.path_of(narrow, "project").removeprefix("memories/").removesuffix(".md")
    write(store, narrow)
    before = tree(store)
    with pytest.raises(RefusedError) as refused:
        write(store, rule(name, id="newcomer"))
    assert refused.value.code == "path-taken"
    assert all(named in refused.value.message for named in ("`lint`", "topic=t", f"`{name}`", "newcomer", "id-lint"))
    assert tree(store) == before


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"# notes\n", b"---\nid: a\n", b"---\nid: a\nid: b\n---\n", b"<<<<<<< ours\n"]
)
def test_a_file_that_cannot_be_read_is_never_rewritten(store: Store, content: bytes) -> None:
    where = Path(store.root, "memories/lint.md")
    where.parent.mkdir()
    where.write_bytes(content)
    with pytest.raises(FaultError) as fault:
        write(store, rule("lint"))
    assert fault.value.code == "path-taken"
    assert "memdir check" in fault.value.hint
    assert where.read_bytes() == content


def test_a_memory_with_a_status_of_another_folder_is_not_covered(store: Store) -> None:
    where = lay(store, rule("lint", status="archived"), "memories/lint.md")
    before = where.read_bytes()
    with pytest.raises(FaultError) as fault:
        write(store, rule("lint", id="newcomer"))
    assert "archived" in fault.value.message
    assert where.read_bytes() == before


def test_a_moved_memory_is_not_written_a_second_time(store: Store) -> None:
    lay(store, rule("lint"), "memories/moved.md")
    with store.writing(5) as writer:
        (record,) = writer.current(rule("lint").identity)
        with pytest.raises(FaultError) as fault:
            writer.commit(ChangeSet((Write(replace(record.memory, value="x"), record),)), NOW)
    assert fault.value.code == "misplaced"
    assert "memories/lint.md" in fault.value.message
    assert sorted(tree(store)) == ["config.yaml", "memories/moved.md"]


def test_a_body_that_would_be_a_second_header_is_refused(store: Store) -> None:
    before = tree(store)
    with pytest.raises(UsageError):
        write(store, rule("lint", body="---\nid: x\nstatus: verified\n---\nText\n"))
    assert tree(store) == before


@pytest.mark.parametrize("name", ["memories", "receipts"])
def test_a_folder_that_is_a_link_is_not_written_through(store: Store, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    Path(store.root, name).symlink_to(outside)
    with pytest.raises(FaultError):
        write(store, rule("lint"))
    assert list(outside.iterdir()) == []


# the moment of a snapshot


def test_a_writer_reads_memories_once_until_it_commits(store: Store) -> None:
    with store.writing(5) as writer:
        assert writer.called().records == {}
        assert writer.called() is writer.called()
        writer.commit(ChangeSet((Write(rule("lint")),)), NOW)
        assert [*writer.called().records] == ["memories/lint.md"]


def test_private_and_task_memories_of_a_user_stay_private(tmp_path: Path) -> None:
    root = tmp_path / "user"
    root.mkdir(mode=0o700)
    store = Store(str(root), "user")
    write(store, private(id="p").memory)
    write(store, task("T9", id="t", status="verified").memory)
    for path in root.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    index = (root / "MEMORY.md").read_text()
    assert index.count("memories/") == 1, "a task memory has no line"


def test_other_files_are_written_in_the_same_step(store: Store) -> None:
    write(store, rule("lint"), files=(Put("local/sources/id-lint.jsonl", b"{}\n"),))
    assert tree(store)["local/sources/id-lint.jsonl"] == b"{}\n"
