"""What an index of terms takes in: many new files, what is no memory, and what a transaction is about to put."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, codec, layout, search
from memdir_cli.storage.search import Index
from memdir_cli.storage.store import Store
from tests.storage.test_search import FEW, FOLDERS, KEY, NOW, filled, found, memory


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A memdir whose image holds all but the last memory."""
    # nothing made within a test is old enough for a row otherwise
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    return filled(tmp_path / "memdir", FEW)


def lay(store: Store, number: int) -> None:
    """A memory file that somebody wrote by hand."""
    Path(store.root, f"memories/key-{number}.md").write_bytes(codec.render(memory(number)))


@pytest.mark.parametrize("few", [3, 50])
def test_many_new_files_are_added_to_those_that_were_known(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(search, "FEW", few)
    for number in range(100, 100 + 2 * FEW):
        lay(store, number)
    after = found(store)
    assert len(after["lengths"]) == FEW + 1 + 2 * FEW
    for number in (*range(FEW + 1), *range(100, 100 + 2 * FEW)):
        assert list(after["terms"][f"value{number}"]) == [f"memories/key-{number}.md"]
    assert found(store, key="") == after


@pytest.mark.parametrize("few", [0, 50])
def test_what_is_no_memory_is_not_looked_into(store: Store, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(search, "FEW", few)
    before = found(store)
    folder = Path(store.root, "memories")
    for path in ("notes.txt", ".hidden.md", "folder.md/x.md"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("a canary\n")
    assert found(store) == found(store, key="") == before


def test_what_a_transaction_is_about_to_put_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    waiting = replace(memory(300, "waiting words"), status="candidate", status_reason="unconfirmed: said by a tool")
    with store.writing(5) as writer, monkeypatch.context() as patched:
        patched.setattr("memdir_cli.storage.transaction._finish", crash)
        with pytest.raises(KeyboardInterrupt):
            writer.commit(ChangeSet((Write(memory(200)), Write(waiting)), events=(Event("created", memory(200)),)), NOW)
    assert not Path(store.root, "memories/key-200.md").exists()
    after = found(store, folders=(*FOLDERS, layout.INBOX))
    assert list(after["terms"]["value200"]) == ["memories/key-200.md"]
    assert list(after["terms"]["wait"]) == [f"inbox/key-300~{waiting.id}.md"]
    assert found(store, key="", folders=(*FOLDERS, layout.INBOX)) == after
    Path(store.root, "memories/key-200.md").mkdir()
    assert found(store, folders=(*FOLDERS, layout.INBOX)) == after, "whatever lies there meanwhile"


def test_of_many_memories_no_others_are_given(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEW", 3)
    reading = Store(store.root, "project", KEY)
    paths = [f"memories/key-{number}.md" for number in range(5)]
    with closing(Index(reading, FOLDERS)) as index:
        before = len(reading.given)
        assert [record.path for record in index.records(paths)] == paths
        assert {record.path for record in reading.given[before:]} == set(paths)


def test_an_index_that_was_let_go_of_answers_nobody(store: Store) -> None:
    index = Index(store, FOLDERS)
    assert index.places("value1")
    index.close()
    with pytest.raises(sqlite3.ProgrammingError):
        index.places("value1")


def test_what_cannot_be_looked_at_leaves_no_index_open(store: Store, tmp_path: Path) -> None:
    folder = Path(store.root, layout.TASKS)
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(tmp_path)
    with pytest.raises(FaultError) as caught:
        Index(store, (layout.MEMORIES, layout.TASKS))
    left = [one for one in gc.get_objects() if isinstance(one, sqlite3.Connection)]
    assert (caught.value.facts["path"], len(left)) == (layout.TASKS, 1)
    with pytest.raises(sqlite3.ProgrammingError):
        left[0].total_changes  # noqa: B018
