"""A store that is read while somebody writes, and what of all that was said is kept no longer."""

from __future__ import annotations

import contextlib
import errno
import time
from pathlib import Path

import pytest

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.errors import LockedError
from memdir_cli.storage import cache, kept, layout, sighting
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.journal import moment
from memdir_cli.storage.sighting import Sighting
from memdir_cli.storage.store import Store
from tests.records import NOW, project
from tests.storage.faulty import faulty


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A memdir with one memory, written as memdir writes."""
    root = tmp_path / ".memdir"
    root.mkdir()
    (root / "config.yaml").write_bytes(new_project_config("github.com/acme/app", "bb" * 32))
    write(str(root), "linter")
    return Store(str(root), "project")


def write(root: str, key: str) -> None:
    """What another process does."""
    memory = project(predicate=key, id=f"id-{key}", value="x").memory
    with Store(root, "project").writing(5) as writer:
        writer.commit(ChangeSet((Write(memory),), events=(Event("created", memory, actor="user"),)), NOW)


def keys(store: Store) -> list[str]:
    return [record.memory.predicate for record in store.snapshot((layout.MEMORIES,)).records]


def test_only_the_paths_that_matter_are_read(store: Store) -> None:
    write(store.root, "editor")
    found = store.snapshot((layout.MEMORIES,), only={"memories/editor.md"})
    assert [record.path for record in found.records] == ["memories/editor.md"]


def test_a_look_counts_as_long_as_nobody_has_written_since(store: Store) -> None:
    stats = cache.stats_of(store.root, layout.MEMORIES)
    asked: list[str] = []

    def seen() -> cache.Stats:
        asked.append("stats")
        return stats

    store.foreseen = Sighting(moment(store.root), time.time_ns(), seen)
    assert keys(store) == ["linter"]
    assert asked, "nobody looks twice"
    write(store.root, "editor")
    asked.clear()
    assert keys(store) == ["editor", "linter"]
    assert asked == []


def test_what_a_writer_changed_while_it_was_read_is_read_again(store: Store) -> None:
    before = cache.stats_of(store.root, layout.MEMORIES)

    def overtaken() -> cache.Stats:
        write(store.root, "editor")
        return before

    store.foreseen = Sighting(moment(store.root), time.time_ns(), overtaken)
    assert keys(store) == ["editor", "linter"]
    assert sighting.look(store.root, moment(store.root)).stats().keys() > before.keys()


def test_the_receipt_of_an_unfinished_write_is_the_last_of_all_and_told_once(store: Store) -> None:
    def plan(call: int, name: str, real: object, args: tuple[object, ...]) -> None:
        if name == "unlink" and str(args[0]).endswith("journal.json"):
            raise OSError(errno.EIO, "broken")

    with faulty(plan):
        write(store.root, "editor")
    assert Path(store.absolute(layout.JOURNAL)).exists()

    def told() -> list[object]:
        return [event["id"] for receipt in store.receipts() for event in receipt["events"]]  # type: ignore[attr-defined]

    assert told() == ["id-linter", "id-editor"], "it stands in the file and in the journal"
    month = Path(store.absolute("receipts/2026-09.jsonl"))
    month.write_bytes(month.read_bytes().splitlines(keepends=True)[0])
    assert told() == ["id-linter", "id-editor"], "it stands in the journal alone"


def test_what_was_said_of_a_memdir_is_kept_neither_while_it_is_written_nor_from_then(
    tmp_path: Path, store: Store
) -> None:
    store.kept_in = str(tmp_path / "cache")

    def keep() -> None:
        kept.save(store.kept_in, [store.root], "get linter", "as it was")

    keep()
    with store.writing(5):
        assert kept.load(store.kept_in, "get linter") is None
        keep()
    assert kept.load(store.kept_in, "get linter") is None
    keep()
    with contextlib.suppress(RuntimeError), store.writing(5):
        keep()
        raise RuntimeError
    assert kept.load(store.kept_in, "get linter") is None
    keep()
    with Store(store.root, "project").writing(5), pytest.raises(LockedError), store.writing(0):
        pass
    assert kept.load(store.kept_in, "get linter") == "as it was", "who did not get the lock changed nothing"
