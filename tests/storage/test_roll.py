"""The roll never changes what is written: whatever happens to files and roll, a writer sees what is in the files."""

from __future__ import annotations

import marshal
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain import tombstone
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.errors import ChangedError
from memdir_cli.shapes import replace
from memdir_cli.storage import cache, derived, index, layout, roll
from memdir_cli.storage.store import Store
from memdir_cli.storage.tombstones import of_texts
from tests.storage.test_cache import (
    FEW,
    KEY,
    NOW,
    age,
    broken,
    copied,
    filled,
    in_place,
    linked,
    memory,
    removed,
    renamed,
    replaced,
    write_one,
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    # nothing made within a test is old enough for a row otherwise
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    return filled(tmp_path / "memdir", FEW)


def as_written(store: Store) -> tuple[bytes, dict[int, list[str]]]:
    """The index that a writer with a roll would write, and the paths that claim each identity."""
    with Store(store.root, "project", KEY).writing(5) as writer:
        called = writer.called()
        shown = index.render_listed(None, called.listed().values(), called.line)
        claims = {number: writer.current(memory(number).identity) for number in range(FEW + 2)}
    return shown, {number: sorted(record.path for record in found) for number, found in claims.items()}


def as_read(store: Store) -> tuple[bytes, dict[int, list[str]]]:
    """The same by the files alone."""
    records = Store(store.root, "project").snapshot((layout.MEMORIES,)).records
    claims = {
        number: sorted(one.path for one in records if one.current and one.memory.identity == memory(number).identity)
        for number in range(FEW + 2)
    }
    return index.render(None, records), claims


def called(store: Store) -> roll.Roll:
    with Store(store.root, "project", KEY).writing(5) as writer:
        return writer.called()


def test_what_did_not_change_is_not_read(store: Store) -> None:
    found = called(store)
    assert len(found.rows) == FEW
    assert [*found.records] == [f"memories/key_{FEW}.md"]
    assert as_written(store) == as_read(store)


def claimed_twice(path: Path, root: Path) -> None:
    """Another file, under another name, claims to be the same memory."""
    path.with_name("other.md").write_text(path.read_text().replace("id: ", "id: z"))


def unserved(path: Path, root: Path) -> None:
    path.write_text(path.read_text().replace("status: verified", "status: candidate"))


def isolated(path: Path, root: Path) -> None:
    (root / "quarantine").mkdir()
    (root / f"quarantine/key_3~{memory(3).id}.md").write_text("sealed\n")


def forgotten(path: Path, root: Path) -> None:
    stone = tombstone.Tombstone(memory(3).id, "", NOW, "t1")
    (root / layout.TOMBSTONES).write_text(tombstone.line(stone) + "\n")


def text_forgotten(path: Path, root: Path) -> None:
    stone = tombstone.Tombstone("other", "", NOW, "t1", ("a digest of a text",))
    (root / layout.TOMBSTONES).write_text(tombstone.line(stone) + "\n")


def roll_of_another_version(path: Path, root: Path) -> None:
    forge(path, root, KEY, version="0 another")


def roll_of_another_user(path: Path, root: Path) -> None:
    forge(path, root, "another key", version=roll._VERSION)


def forge(path: Path, root: Path, key: str, *, version: str) -> None:
    """A roll in which no memory stands in the index; the files are as they were."""
    told, rows = derived.load(str(root), layout.ROLL, KEY, roll._VERSION)
    body = marshal.dumps((version, (told, {name: (*row[:3], None) for name, row in rows.items()})))
    (root / layout.ROLL).write_bytes(derived.digest(key, body) + body)


def folder_called_so(path: Path, root: Path) -> None:
    path.with_name("folder.md").mkdir()


def strange_names(path: Path, root: Path) -> None:
    for number, name in enumerate(("back\\slash.md", "line\nend.md", ".hidden.md", "text.txt")):
        path.with_name(name).write_text(path.read_text().replace("key_3", f"key_x{number}").replace("id: ", "id: y"))


@pytest.mark.parametrize(
    "happening",
    [
        in_place, replaced, removed, broken, renamed, copied, linked, claimed_twice, unserved, isolated, forgotten,
        text_forgotten, roll_of_another_version, roll_of_another_user, folder_called_so, strange_names,
    ],
    ids=lambda act: act.__name__,
)  # fmt: skip
def test_a_change_is_seen_as_without_a_roll(store: Store, happening: Callable[[Path, Path], None]) -> None:
    root = Path(store.root)
    happening(root / "memories" / "key_3.md", root)
    assert as_written(store) == as_read(store)
    # and whatever is saved then
    with Store(store.root, "project", KEY).writing(5) as writer:
        writer.commit(ChangeSet((Write(memory(FEW + 1)),), events=(Event("created", memory(FEW + 1)),)), NOW)
    assert as_written(store) == as_read(store)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_roll_is_no_roll(store: Store, at: float, byte: int, cut: bool) -> None:
    path = Path(store.root) / layout.ROLL
    whole = path.read_bytes()
    place = int(at * len(whole))
    path.write_bytes(whole[:place] if cut else whole[:place] + bytes([byte]) + whole[place + 1 :])
    try:
        assert as_written(store) == as_read(store)
    finally:
        path.write_bytes(whole)


def test_what_was_just_written_gets_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    store = filled(tmp_path / "memdir", FEW)
    assert called(store).rows == {}, "their status times are younger than two seconds"


@pytest.mark.parametrize("lines", [0, 2])
def test_a_line_that_the_roll_does_not_have_is_made_of_the_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    monkeypatch.setattr(roll, "LINES", lines)
    (Path(store.root) / layout.ROLL).unlink()
    age(Path(store.root))
    write_one(store, FEW + 1)
    assert sum(bool(row[3] and row[3][4]) for row in called(store).rows.values()) == lines
    assert as_written(store) == as_read(store)


def test_a_file_that_vanishes_before_its_line_is_made_stops_the_write(store: Store) -> None:
    found = called(store)
    (Path(store.root) / "memories/key_3.md").unlink()
    with pytest.raises(ChangedError) as caught:
        found.line("memories/key_3.md")
    assert (caught.value.facts, caught.value.hint) == ({"path": "memories/key_3.md"}, "repeat the command")


def test_what_a_receipt_lets_stand_is_looked_at_each_time(store: Store) -> None:
    """Its text was forgotten elsewhere; it is served because a receipt tells of it, of which a roll knows nothing."""
    root = Path(store.root)
    path = root / "memories/key_3.md"
    path.write_text(path.read_text().replace("value 3", "a value that is long enough"))
    mark = of_texts("u" * 64, replace(memory(3), value="a value that is long enough"))
    (root / layout.TOMBSTONES).write_text(tombstone.line(tombstone.Tombstone("x", "", NOW, "t1", mark)) + "\n")
    receipt = root / "receipts/2026-09.jsonl"
    receipt.write_text(f'{receipt.read_text()}{{"events":[{{"kind":"created","id":"{memory(3).id}"}}],"txn":"t"}}\n')
    guard = Store(str(root), "project", KEY)
    guard.config, guard.layer = replace(guard.config, key="u" * 64), "user"
    age(root)

    def named() -> bool:
        with Store(store.root, "project", KEY, guard=guard).writing(5) as writer:
            found = writer.called()
            assert "memories/key_3.md" not in found.rows
            return "memories/key_3.md" in found.records

    with Store(store.root, "project", KEY, guard=guard).writing(5) as writer:
        writer.commit(ChangeSet((Write(memory(FEW + 1)),), events=(Event("created", memory(FEW + 1)),)), NOW)
    with Store(store.root, "project", KEY, guard=guard).writing(5) as writer:
        assert len(writer.called().rows) >= FEW - 1
    assert named()
    receipt.write_text("")
    assert not named()


def test_where_tombstones_are_lifted_there_is_no_roll(store: Store) -> None:
    """Whether a lift holds hangs on the receipts."""
    root = Path(store.root)
    (root / layout.TOMBSTONES).write_text(tombstone.line(tombstone.Lift("y", ("t1/x",), (), NOW, "t2")) + "\n")
    assert called(store).rows == {}
    (root / layout.ROLL).unlink()
    age(root)
    write_one(store, FEW + 1)
    assert not (root / layout.ROLL).exists()


def test_the_roll_goes_with_a_memory_that_goes(store: Store) -> None:
    root = Path(store.root)
    with Store(store.root, "project", KEY).writing(5) as writer:
        [record] = writer.current(memory(3).identity)
        gone = replace(record.memory, status="quarantined", status_reason="user: no")
        writer.commit(ChangeSet((Write(gone, record),), (record,), (Event("quarantined", gone),)), NOW)
    content = (root / layout.ROLL).read_bytes() if (root / layout.ROLL).exists() else b""
    assert memory(3).id.encode() not in content
    assert as_written(store) == as_read(store)


def test_a_search_index_that_is_gone_is_made_again_of_everything(store: Store) -> None:
    root = Path(store.root)
    (root / layout.SEARCH).unlink()
    write_one(store, FEW + 1)
    assert (root / layout.SEARCH).exists()


def test_a_copy_of_a_memdir_takes_no_rows_along(store: Store) -> None:
    """Inodes differ, and so no row counts."""
    shutil.copytree(store.root, f"{store.root}-copy", copy_function=shutil.copy2)
    assert called(Store(f"{store.root}-copy", "project", KEY)).rows == {}
    assert os.path.exists(f"{store.root}-copy/{layout.ROLL}")


@pytest.mark.parametrize("holder", ["own", "of the user"])
def test_a_lift_of_either_memdir_counts(store: Store, tmp_path: Path, holder: str) -> None:
    guard = Store(str(tmp_path / "user"), "user", KEY)
    Path(guard.root).mkdir()
    lifting = store if holder == "own" else guard
    for one in (store, guard):
        entry = (
            tombstone.Lift("y", ("t1/x",), (), NOW, "t2") if one is lifting else tombstone.Tombstone("x", "", NOW, "t1")
        )
        (Path(one.root) / layout.TOMBSTONES).write_text(tombstone.line(entry) + "\n")
    with Store(store.root, "project", KEY, guard=guard).writing(5) as writer:
        writer.commit(ChangeSet((Write(memory(FEW + 1)),), events=(Event("created", memory(FEW + 1)),)), NOW)
    with Store(store.root, "project", KEY, guard=guard).writing(5) as writer:
        assert writer.called().rows == {}


def test_what_is_in_quarantine_as_well_has_no_row(store: Store) -> None:
    rows = called(store).rows
    isolated = Path(store.root, layout.QUARANTINE)
    isolated.mkdir(exist_ok=True)
    (isolated / f"key_3~{memory(3).id}.md").write_bytes(Path(store.root, "memories/key_3.md").read_bytes())
    assert called(store).rows.keys() == rows.keys() - {"memories/key_3.md"}
    assert as_written(store) == as_read(store)
