"""Transactions that are prepared and wait for the other memdir's half, and what is set aside or synced on the way."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.changes import Put
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.errors import ChangedError, FaultError
from memdir_cli.storage import transaction
from memdir_cli.storage.journal import pending, prepared
from memdir_cli.storage.layout import JOURNAL, KEPT_TOMBSTONES, LOCAL, PREPARED, SET_ASIDE
from memdir_cli.storage.redo import Outcome
from tests.storage.faulty import AFTER, BEFORE, LINE, NEW, RECEIPTS, TXN, change, faulty, plant, seen, temporaries, tree

AS_BEFORE = {path: content for path, content in BEFORE.items() if path != RECEIPTS}
MADE = b"made\n"


def prepare(root: str, txn: str = TXN, path: str = "memories/new.md") -> None:
    """Stage one new memory with its receipt and promise nothing."""
    line = LINE.replace(TXN.encode(), txn.encode())
    put = Put(path, MADE)
    made = transaction.commit(
        root, txn=txn, puts=[put], receipt_path=RECEIPTS, receipt=line, private=False, promise=False
    )
    assert made == Outcome(txn)


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A memdir in which a change is prepared."""
    planted = plant(tmp_path / ".memdir", BEFORE)
    prepare(planted)
    return planted


def test_what_is_only_prepared_counts_for_nobody(root: str) -> None:
    assert (pending(root), seen(root)) == (None, AS_BEFORE)
    journal = prepared(root)
    assert journal is not None
    assert journal.transaction == TXN


def test_what_is_prepared_is_concluded_once(root: str) -> None:
    assert transaction.conclude(root).transaction == TXN
    assert tree(root) == {**BEFORE, "memories/new.md": MADE, RECEIPTS: BEFORE[RECEIPTS] + LINE + b"\n"}
    assert transaction.conclude(root) == Outcome(), "there is nothing left to conclude"


def test_what_is_prepared_is_withdrawn_whole(root: str) -> None:
    transaction.withdraw(root)
    assert tree(root) == BEFORE
    transaction.withdraw(root)
    assert tree(root) == BEFORE


def test_a_disk_that_refuses_leaves_what_is_prepared_to_the_next_writer(root: str) -> None:
    with faulty(refusing("prepared.json")):
        transaction.withdraw(root)
    assert prepared(root) is not None
    transaction.recover(root)
    assert tree(root) == BEFORE


@pytest.mark.parametrize("done", [True, False])
def test_the_other_half_decides_what_becomes_of_it(root: str, *, done: bool) -> None:
    asked: list[str] = []

    def is_done(txn: str) -> bool:
        asked.append(txn)
        return done

    assert transaction.recover(root, done=is_done).transaction == (TXN if done else "")
    assert asked == [TXN]
    after = {**BEFORE, "memories/new.md": MADE, RECEIPTS: BEFORE[RECEIPTS] + LINE + b"\n"}
    assert tree(root) == (after if done else BEFORE)
    assert temporaries(root) == ()


def test_what_was_promised_comes_before_what_was_prepared(tmp_path: Path, root: str) -> None:
    """No writer leaves both; a copy of a memdir may."""
    other = plant(tmp_path / "other", BEFORE)
    prepare(other, "txn0000000002", "memories/other.md")
    for path in (PREPARED, *temporaries(other)):
        (Path(root) / path.replace(PREPARED, JOURNAL)).write_bytes((Path(other) / path).read_bytes())
    assert transaction.recover(root, done=lambda _: True).transaction == TXN
    assert (pending(root), prepared(root), temporaries(root)) == (None, None, ())
    assert {"memories/new.md", "memories/other.md"} <= tree(root).keys()
    told = (Path(root) / RECEIPTS).read_bytes()
    assert told.index(b"txn0000000002") < told.index(TXN.encode())


def test_a_half_that_cannot_be_read_was_never_promised(root: str) -> None:
    (Path(root) / PREPARED).write_bytes(b"{}")
    assert transaction.recover(root, done=lambda _: True).transaction == ""
    assert tree(root) == BEFORE


# what a disk refuses, and what is for good


def refusing(name: str) -> Callable[..., None]:
    """A disk that gives out no file of this name."""

    def plan(call: int, operation: str, real: object, args: tuple[Any, ...]) -> None:
        if operation == "open" and str(args[0]).endswith(name):
            raise OSError(errno.EIO, "broken")

    return plan


@pytest.mark.parametrize(("path", "name"), [(PREPARED, "prepared.json"), (JOURNAL, "journal.json")])
@pytest.mark.parametrize("force", [True, False])
def test_a_journal_that_the_disk_refuses_is_neither_dropped_nor_set_aside(
    root: str, path: str, name: str, *, force: bool
) -> None:
    if path == JOURNAL:
        (Path(root) / PREPARED).rename(Path(root) / JOURNAL)
    before = tree(root)
    with faulty(refusing(name)), pytest.raises(FaultError) as refused:
        transaction.recover(root, force=force)
    assert refused.value.code != "journal"
    assert tree(root) == before
    assert transaction.recover(root, done=lambda _: True).transaction == TXN


def steps(root: str, act: Callable[[], object]) -> list[tuple[str, str]]:
    """The names that an act changes and the folders that it syncs, in their order."""
    found: list[tuple[str, str]] = []
    folders = {os.stat(Path(root) / one).st_ino: one for one in ("", LOCAL, "memories", "receipts")}

    def plan(call: int, name: str, real: object, args: tuple[Any, ...]) -> None:
        if name == "fsync":
            made = os.path.join(root, SET_ASIDE)
            known = {**folders, **({os.stat(made).st_ino: SET_ASIDE} if os.path.isdir(made) else {})}
            found.append((name, known.get(os.fstat(args[0]).st_ino, "")))
        elif name in {"rename", "unlink"}:
            found.append((name, str(args[-1]).rpartition("/")[2]))

    with faulty(plan):
        act()
    return [step for step in found if step[1]]


def test_a_half_is_promised_for_good_before_anything_moves(root: str) -> None:
    order = steps(root, lambda: transaction.recover(root, done=lambda _: True))
    assert order[:3] == [("rename", "journal.json"), ("fsync", LOCAL), ("rename", "new.md")]


def test_a_half_that_does_not_count_is_dropped_for_good(root: str) -> None:
    order = steps(root, lambda: transaction.recover(root))
    assert order[:2] == [("unlink", "prepared.json"), ("fsync", LOCAL)]


def test_the_folders_of_what_is_staged_are_synced_before_it_is_promised(root: str) -> None:
    transaction.withdraw(root)
    order = steps(root, lambda: prepare(root))
    assert order == [("fsync", "memories"), ("rename", "prepared.json"), ("fsync", LOCAL)]


def test_what_is_set_aside_lies_there_for_good_the_journal_last(root: str) -> None:
    (Path(root) / PREPARED).rename(Path(root) / JOURNAL)
    (Path(root) / JOURNAL).write_bytes(b"{}")
    order = steps(root, lambda: transaction.recover(root, force=True))
    moves = [number for number, (name, _) in enumerate(order) if name == "rename"]
    assert order[moves[-1]][1].endswith("journal.json")
    assert {folder for _, folder in order[moves[-1] + 1 :]} >= {LOCAL, SET_ASIDE, "memories"}
    assert (Path(root) / SET_ASIDE).stat().st_mode & 0o777 == 0o700


def test_a_version_that_a_hand_edit_keeps_from_its_place_is_synced_before_the_journal_goes(root: str) -> None:
    (Path(root) / PREPARED).rename(Path(root) / JOURNAL)
    (Path(root) / "memories/new.md").write_bytes(b"by hand\n")
    order = steps(root, lambda: transaction.recover(root))
    assert ("fsync", SET_ASIDE) in order[: order.index(("unlink", "journal.json"))]


def test_a_version_that_vanished_with_the_file_it_replaces_is_lost(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    put = Put("memories/a.md", MADE, digest_of(BEFORE["memories/a.md"]))
    transaction.commit(root, txn=TXN, puts=[put], private=False, promise=False)
    (Path(root) / PREPARED).rename(Path(root) / JOURNAL)
    journal = pending(root)
    assert journal is not None
    for path in ("memories/a.md", journal.staged["memories/a.md"]):
        (Path(root) / path).unlink()
    assert transaction.recover(root).lost == ("memories/a.md",)


def test_a_file_beside_the_journal_is_staged_beside_it(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", {})
    transaction.commit(root, txn=TXN, puts=[Put(KEPT_TOMBSTONES, b"{}\n")], private=True)
    assert tree(root) == {KEPT_TOMBSTONES: b"{}\n"}


def test_whoever_was_overtaken_is_told_to_read_again(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    put = Put("memories/a.md", NEW, digest_of(b"something else"))
    with pytest.raises(ChangedError) as refused:
        transaction.commit(root, txn=TXN, puts=[put], private=False)
    assert refused.value.hint == "read again, then repeat the command"
    assert change(root).transaction == TXN
    assert tree(root) == AFTER


def test_a_journal_that_cannot_come_to_its_place_leaves_nothing_behind(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)

    def plan(call: int, name: str, real: object, args: tuple[Any, ...]) -> None:
        if name == "rename" and str(args[1]).endswith("journal.json"):
            raise OSError(errno.EIO, "broken")

    with faulty(plan), pytest.raises(FaultError):
        change(root)
    assert (temporaries(root), tree(root)) == ((), BEFORE)


@pytest.mark.parametrize("stays", [False, True])
def test_a_journal_that_is_not_known_to_lie_there_for_good_is_taken_back_or_counts(
    tmp_path: Path, *, stays: bool
) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    (Path(root) / LOCAL).mkdir()
    local = os.stat(Path(root) / LOCAL).st_ino
    done: list[str] = []

    def plan(call: int, name: str, real: object, args: tuple[Any, ...]) -> None:
        unsynced = name == "fsync" and os.fstat(args[0]).st_ino == local
        if not done and unsynced:
            done.append(name)
            raise OSError(errno.EIO, "broken")
        if stays and done == ["fsync"] and name == "unlink" and str(args[0]).endswith("journal.json"):
            done.append(name)
            raise OSError(errno.EIO, "broken")

    with faulty(plan):
        if stays:
            assert change(root).transaction == TXN
        else:
            with pytest.raises(FaultError):
                change(root)
    assert done == (["fsync", "unlink"] if stays else ["fsync"])
    assert (tree(root), temporaries(root)) == (AFTER if stays else BEFORE, ())
