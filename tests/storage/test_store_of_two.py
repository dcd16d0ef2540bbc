"""The store of a memdir beside that of its user, and where a hand or another writer was faster."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain import tombstone
from memdir_cli.domain.changes import ChangeSet, Put, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.domain.tombstone import Entry, Lift, Tombstone
from memdir_cli.errors import FaultError
from memdir_cli.storage import codec, layout, tombstones
from memdir_cli.storage.config import Config, new_project_config, new_user_config
from memdir_cli.storage.store import Store
from tests.records import NOW, project, task, user
from tests.storage.faulty import failing, faulty

RULE = project(predicate="linter", value="ruff", id="one").memory


@pytest.fixture
def own(tmp_path: Path) -> Store:
    """The user's memdir."""
    root = tmp_path / "own"
    root.mkdir()
    (root / "config.yaml").write_bytes(new_user_config("42", "aa" * 32))
    return Store(str(root), "user")


@pytest.fixture
def store(tmp_path: Path, own: Store) -> Store:
    """A project's memdir, with the user's beside it."""
    root = tmp_path / "app"
    root.mkdir()
    (root / "config.yaml").write_bytes(new_project_config("github.com/acme/app", "bb" * 32))
    return Store(str(root), "project", guard=own)


def written(store: Store) -> Record:
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(RULE),), events=(Event("created", RULE, actor="user"),)), NOW)
    (record,) = store.find("linter")
    return record


def test_settings_that_cannot_be_read_stop_everybody_but_who_looks_for_faults(store: Store) -> None:
    Path(store.root, "config.yaml").write_bytes(b"format: [\n")
    with pytest.raises(FaultError):
        Store(store.root, "project")
    lenient = Store(store.root, "project", lenient=True)
    assert lenient.fault is not None
    assert lenient.config == Config()
    assert lenient.user_key == ""


def test_the_key_of_the_user_is_that_of_the_users_memdir(store: Store, own: Store) -> None:
    assert (own.user_key, store.user_key) == ("aa" * 32, "aa" * 32)
    assert Store(store.root, "project").user_key == ""


def test_a_quarantine_that_is_no_folder_hides_nothing_else(store: Store) -> None:
    record = written(store)
    Path(store.root, layout.QUARANTINE).write_bytes(b"no folder")
    assert store.isolated() == frozenset()
    assert store.find("linter") == (record,)


def test_a_copy_of_what_is_in_quarantine_is_kept_apart(store: Store) -> None:
    record = written(store)
    away = replace(RULE, status="quarantined", status_reason="quarantined: why")
    where = Path(store.root, layout.path_of(away, "project"))
    where.parent.mkdir(exist_ok=True)
    where.write_bytes(codec.render(away))
    found = store.snapshot()
    assert [one.path for one in found.copies] == [record.path]
    assert [one.memory.status for one in found.records] == ["quarantined"]


def test_a_file_of_the_memdir_has_a_path_of_the_system(store: Store) -> None:
    assert store.absolute("memories/linter.md") == os.path.join(store.root, "memories", "linter.md")


def test_a_key_is_looked_for_among_tasks_in_a_users_memdir_alone(store: Store, own: Store) -> None:
    for place, memory in ((own, user(predicate="linter", id="u").memory), (own, task("T1", predicate="linter").memory)):
        path = Path(place.absolute(layout.path_of(memory, "user")))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(codec.render(memory))
    strange = Path(store.absolute("local/tasks/linter.md"))
    strange.parent.mkdir(parents=True)
    strange.write_bytes(codec.render(RULE))
    assert {record.folder for record in own.find("linter")} == {"memories", "local/tasks"}
    assert store.find("linter") == ()


def test_a_file_that_by_its_name_holds_the_key_and_cannot_be_read_is_told(store: Store) -> None:
    written(store)
    Path(store.absolute("memories/linter--00000000.md")).write_bytes(b"---\nid: a\nid: b\n---\n")
    Path(store.absolute("memories/editor.md")).write_bytes(b"---\nid: a\nid: b\n---\n")
    found = store.named("linter")
    assert [record.memory.id for record in found.records] == ["one"]
    assert [one.path for one in found.unreadable] == ["memories/linter--00000000.md"]


def test_what_was_changed_by_hand_is_doubted_and_what_was_replaced_meanwhile_is_not(store: Store) -> None:
    record = written(store)
    path = Path(store.absolute(record.path))
    assert store.unattributed(record) == ""
    path.write_bytes(codec.render(replace(RULE, value="flake8")))
    (by_hand,) = store.find("linter")
    assert store.unattributed(by_hand) == "content"
    # whoever read it has an older version than the receipts speak of
    for content in (codec.render(replace(RULE, value="pylint")), b"no memory"):
        path.write_bytes(content)
        assert store.unattributed(by_hand) == ""
    path.unlink()
    assert store.unattributed(by_hand) == ""


def test_receipts_are_asked_one_by_one_or_read_once_with_the_same_answer(store: Store) -> None:
    record = written(store)
    alien = replace(record, memory=replace(RULE, id="alien"))
    path = Path(store.absolute(record.path))
    assert store.unattributed(record) == ""
    store.read_claims()
    assert store.unattributed(record) == ""
    opened = Store(store.root, "project")
    opened.open_ledger()
    assert opened.unattributed(record) == ""
    assert path.exists()
    assert opened.unattributed(alien) == "no-receipt"


# what is forgotten


def stone(memory_id: str, txn: str = "t1") -> Tombstone:
    return Tombstone(memory_id, "", NOW, txn)


def noted(store: Store, *entries: Entry, path: str = layout.TOMBSTONES) -> None:
    where = Path(store.absolute(path))
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text("".join(f"{tombstone.line(one).rstrip()}\n" for one in entries))


@pytest.mark.parametrize("of_user", [False, True])
def test_what_is_forgotten_is_served_no_more_by_a_store_that_is_open_already(
    store: Store, own: Store, *, of_user: bool
) -> None:
    record = written(store)
    assert store.graveyard().empty
    noted(own if of_user else store, stone("one"))
    assert (store.find("linter"), store.named("linter").returned) == ((), (record,))
    assert store.forgotten().ids.keys() == {"one"}
    assert store.tombstone(RULE) == stone("one")
    noted(own if of_user else store)
    assert store.find("linter") == (record,)


def test_the_tombstones_of_a_user_stand_whatever_git_did_to_the_file(own: Store, store: Store) -> None:
    for one in (own, store):
        noted(one, stone("a"))
        noted(one, stone("b"), path=layout.KEPT_TOMBSTONES)
    assert own.forgotten().ids.keys() == {"a", "b"}
    assert "b" not in Store(store.root, "project").forgotten().ids, "a project keeps none beside"
    noted(own, stone("b"))
    assert own.tombstones() == own.written_tombstones()


def test_only_what_a_receipt_tells_of_was_forgotten_or_lifted_by_memdir(own: Store) -> None:
    said = user(predicate="linter", id="new").memory
    gone = user(predicate="linter", id="old").memory
    for txn, kind, memory in (("t1", "forgotten", gone), ("t2", "lifted", said)):
        put = Put("note.txt", txn.encode(), digest_of(b"t1") if txn == "t2" else None)
        with own.writing(5) as writer:
            writer.commit(ChangeSet(files=(put,), events=(Event(kind, memory, actor="user"),)), NOW, txn=txn)  # type: ignore[arg-type]
    true, forged = Lift("new", ("t1/old",), (), NOW, "t2"), Lift("new", (), (), NOW, "t3")
    entries = (stone("old"), stone("new"), true, forged, Lift("old", (), (), NOW, "t1"))
    assert list(own.told(entries)) == [stone("old"), true]
    assert own.lifted((forged, true)) == (true,)


def test_a_longer_text_that_was_forgotten_comes_back_under_no_other_name(store: Store, own: Store) -> None:
    memory = replace(RULE, value="the release train leaves on Tuesdays")
    texts = tombstones.of_texts(own.config.key, memory)
    noted(own, replace(stone("old"), texts=texts))
    Path(store.absolute("memories")).mkdir(exist_ok=True)
    Path(store.absolute("memories/linter.md")).write_bytes(codec.render(memory))
    assert [record.memory.id for record in store.named("linter").returned] == ["one"]


# what is not finished


def test_a_journal_that_says_nothing_stops_a_writer_who_does_not_set_it_aside(store: Store) -> None:
    journal = Path(store.absolute(layout.JOURNAL))
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.write_bytes(b"scrawl")
    with pytest.raises(FaultError), store.writing(5):
        pass
    assert list(store.receipts()) == [], "a reader goes on without it"
    with store.writing(5, force=True):
        assert not journal.exists()


def test_whether_more_than_the_files_of_a_key_was_read_is_known(store: Store) -> None:
    record = written(store)
    narrow = Store(store.root, "project")
    assert narrow.find("linter") == (record,)
    assert not narrow.unattributed(record)
    assert not narrow.widely
    assert narrow.unattributed(replace(record, memory=replace(RULE, value="flake8"))) == "content"
    assert narrow.widely, "the past and the receipts of all were asked"
    wide = Store(store.root, "project")
    wide.snapshot()
    assert wide.widely


def test_a_reader_finds_a_crashed_write_whole_or_not_at_all_with_one_receipt(store: Store) -> None:
    before = replace(RULE, id="two", predicate="editor")
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(before),), events=(Event("created", before, actor="user"),)), NOW)
    seen = set()
    with faulty(lambda *_: None) as system:
        written(Store(shutil.copytree(store.root, f"{store.root}-whole"), "project"))
    for number in range(1, system.calls + 1):
        root = Path(store.root).with_name(f"app{number}")
        shutil.copytree(store.root, root)
        crashed = Store(str(root), "project")
        with faulty(failing(number, errno.EIO, lasting=True)), contextlib.suppress(FaultError):
            written(crashed)
        reader = Store(str(root), "project")
        records, told = reader.find("linter"), list(reader.receipts())
        seen.add((len(records), len(told), (root / "local/journal.json").exists()))
        assert [reader.unattributed(record) for record in records] == [""] * len(records)
        reader.open_ledger()
        assert [reader.unattributed(record) for record in records] == [""] * len(records)
    assert {(records, receipts) for records, receipts, _ in seen} == {(0, 1), (1, 2)}
    assert (1, 2, True) in seen, "some crashes leave a journal"


def test_a_crashed_change_of_which_nothing_is_told_has_no_receipt(store: Store) -> None:
    left = set()
    for number in range(1, 140):
        root = Path(store.root).with_name(f"app{number}")
        crashed = Store(shutil.copytree(store.root, str(root)), "project")
        with (
            faulty(failing(number, errno.EIO, lasting=True)),
            contextlib.suppress(FaultError),
            crashed.writing(5) as writer,
        ):
            writer.commit(ChangeSet(files=(Put("note.txt", b"a"),)), NOW)
        assert list(Store(str(root), "project").receipts()) == []
        left.add((root / layout.JOURNAL).exists())
    assert left == {True, False}


@pytest.mark.parametrize(
    ("told", "guarded", "done"),
    [
        ((stone("x", "t9"),), True, True),
        ((stone("y", "t8"), stone("x", "t9")), True, True),
        ((stone("x", "t8"),), True, False),
        ((), True, False),
        ((stone("x", "t9"),), False, False),
    ],
)
def test_a_half_that_was_prepared_becomes_true_where_the_users_memdir_has_done_its_own(
    store: Store, own: Store, told: tuple[Tombstone, ...], guarded: bool, done: bool
) -> None:
    with store.writing(5) as writer:
        writer.commit(ChangeSet(files=(Put("note.txt", b"a"),)), NOW, txn="t9", promise=False)
    noted(own, *told)
    with (store if guarded else Store(store.root, "project")).writing(5):
        pass
    assert store.content("note.txt") == (b"a" if done else None)
