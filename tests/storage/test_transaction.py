"""Transaction: verify, promise, finish; what readers see meanwhile; hand edits are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir_cli.domain.changes import Put, Remove
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.errors import ChangedError, FaultError
from memdir_cli.storage import disk
from memdir_cli.storage.journal import decode, encode, moment
from memdir_cli.storage.layout import FOLDERS, JOURNAL, set_aside_path
from memdir_cli.storage.transaction import commit, pending, read_after, recover
from tests.storage.faulty import (
    AFTER,
    BEFORE,
    CANDIDATE,
    EARLIER,
    LINE,
    NEW,
    OLD,
    RECEIPTS,
    TXN,
    change,
    faulty,
    plant,
    promised_in,
    seen,
    tree,
    without_receipts,
)


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", BEFORE)


@pytest.fixture
def promised(tmp_path: Path) -> str:
    """A memdir whose writer died right after the commit point: nothing is moved yet."""
    return promised_in(tmp_path)


def edit(root: str, path: str, content: bytes) -> None:
    (Path(root) / path).write_bytes(content)


def test_everything_changes_together(root: str) -> None:
    outcome = change(root)
    assert tree(root) == AFTER
    assert outcome.transaction == TXN
    assert (outcome.set_aside, outcome.kept, outcome.lost, outcome.unfinished) == ((), (), (), "")
    assert pending(root) is None


def test_a_memdir_without_folders_gets_them(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", {})
    commit(
        root,
        txn=TXN,
        puts=[Put("config.yaml", b"format: 1\n"), Put("local/sources/a.jsonl", b"{}\n")],
        index=Put("MEMORY.md", b"none\n"),
        receipt_path=RECEIPTS,
        receipt=LINE,
        private=True,
    )
    assert tree(root) == {
        "config.yaml": b"format: 1\n",
        "local/sources/a.jsonl": b"{}\n",
        "MEMORY.md": b"none\n",
        RECEIPTS: LINE + b"\n",
    }
    modes = {found.stat().st_mode & 0o777 for found in Path(root).rglob("*") if found.is_file()}
    assert modes == {0o600}


@pytest.mark.parametrize("path", ["memories/a.md", "inbox/b~b.md", "MEMORY.md"])
def test_a_file_that_changed_since_it_was_read_stops_everything(root: str, path: str) -> None:
    edit(root, path, b"edited by hand\n")
    before = tree(root)
    with pytest.raises(ChangedError) as refused:
        change(root)
    assert refused.value.exit_status == 5
    assert refused.value.facts["path"] == path
    assert path in refused.value.message
    assert tree(root) == before


@pytest.mark.parametrize("path", ["history/a~a@1.md", "memories/b.md"])
def test_a_file_that_came_into_being_meanwhile_stops_everything(root: str, path: str) -> None:
    plant(Path(root), {path: b"somebody was faster\n"})
    before = tree(root)
    with pytest.raises(ChangedError):
        change(root)
    assert tree(root) == before


@pytest.mark.parametrize("path", ["memories/a.md", "inbox/b~b.md", "MEMORY.md"])
def test_a_file_that_vanished_meanwhile_stops_everything(root: str, path: str) -> None:
    (Path(root) / path).unlink()
    before = tree(root)
    with pytest.raises(ChangedError):
        change(root)
    assert tree(root) == before


@pytest.mark.parametrize("path", ["memories/a.md", "inbox/b~b.md", "MEMORY.md", RECEIPTS])
def test_a_file_that_may_not_be_written_stops_everything(root: str, path: str) -> None:
    (Path(root) / path).chmod(0o444)
    with pytest.raises(FaultError) as refused:
        change(root)
    assert refused.value.code == "read_only"
    assert tree(root) == BEFORE


@pytest.mark.parametrize("folder", ["memories", "history", "inbox", "receipts", "local"])
def test_a_folder_that_is_a_link_stops_everything(root: str, tmp_path: Path, folder: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if (Path(root) / folder).exists():
        (Path(root) / folder).rename(elsewhere / "kept")
        (Path(root) / folder).symlink_to(elsewhere / "kept")
    else:
        (Path(root) / folder).symlink_to(elsewhere)
    before = {found: found.read_bytes() for found in tmp_path.rglob("*") if found.is_file()}
    with pytest.raises(FaultError):
        change(root)
    assert {found: found.read_bytes() for found in tmp_path.rglob("*") if found.is_file()} == before


def test_what_stands_already_is_not_written_again(root: str) -> None:
    file = Path(root) / "memories/a.md"
    before = (file.stat().st_mtime_ns, file.stat().st_ino)
    at = moment(root)
    outcome = commit(
        root,
        txn=TXN,
        puts=[Put("memories/a.md", OLD, digest_of(OLD))],
        index=Put("MEMORY.md", BEFORE["MEMORY.md"], digest_of(BEFORE["MEMORY.md"])),
        private=False,
    )
    assert outcome.transaction == TXN
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before
    assert moment(root) == at


def test_what_stands_already_must_still_be_there(root: str) -> None:
    edit(root, "memories/a.md", b"edited\n")
    with pytest.raises(ValueError, match="once"):
        commit(root, txn=TXN, puts=[Put("memories/c.md", b"1"), Put("memories/c.md", b"2")], private=False)
    assert disk.read_file(root, "memories/a.md") == b"edited\n"


@pytest.mark.parametrize("receipt", [b'{"txn":"another"}', b'{"txn":"' + TXN.encode() + b'"}\n{}'])
def test_a_receipt_is_one_line_that_names_its_transaction(root: str, receipt: bytes) -> None:
    with pytest.raises(ValueError, match="receipt"):
        commit(root, txn=TXN, receipt_path=RECEIPTS, receipt=receipt, private=False)
    assert tree(root) == BEFORE


def test_a_receipt_alone_is_a_transaction_too(root: str) -> None:
    commit(root, txn=TXN, receipt_path=RECEIPTS, receipt=LINE + b"\n", private=False)
    assert tree(root) == {**BEFORE, RECEIPTS: EARLIER + LINE + b"\n"}


def test_a_transaction_changes_the_moment(root: str) -> None:
    plant(Path(root), {"local/.keep": b""})
    at = moment(root)
    assert moment(root) == at
    change(root)
    assert moment(root) != at


# after the commit point


def test_readers_see_the_state_after_and_write_nothing(promised: str) -> None:
    before = tree(promised)
    assert seen(promised) == without_receipts(AFTER)
    journal = pending(promised)
    assert journal is not None
    assert journal.removed == {"inbox/b~b.md"}
    assert set(journal.staged) == {"memories/a.md", "memories/b.md", "history/a~a@1.md", "MEMORY.md"}
    assert journal.receipt is not None
    assert journal.receipt.line.encode() == LINE
    assert tree(promised) == before


def test_a_reader_that_is_overtaken_finds_the_moved_file(promised: str) -> None:
    journal = pending(promised)
    recover(promised)
    assert read_after(promised, "memories/a.md", journal) == NEW
    assert read_after(promised, "inbox/b~b.md", journal) is None
    assert read_after(promised, "memories/none.md", journal) is None


def test_recovery_finishes_once(promised: str) -> None:
    outcome = recover(promised)
    assert outcome.transaction == TXN
    assert tree(promised) == AFTER
    assert recover(promised).transaction == ""
    assert tree(promised) == AFTER


def test_the_next_commit_finishes_the_one_before(promised: str) -> None:
    commit(
        promised,
        txn="txn0000000002",
        puts=[Put("memories/a.md", b"newest\n", digest_of(NEW))],
        private=False,
    )
    assert tree(promised) == {**AFTER, "memories/a.md": b"newest\n"}


def test_a_hand_edit_after_the_crash_is_kept_and_the_staged_copy_set_aside(promised: str) -> None:
    edit(promised, "memories/a.md", b"edited by hand\n")
    outcome = recover(promised)
    aside = set_aside_path(TXN, "memories/a.md")
    assert outcome.set_aside == (("memories/a.md", aside),)
    assert tree(promised) == {**AFTER, "memories/a.md": b"edited by hand\n", aside: NEW}
    assert (Path(promised) / aside).parent.stat().st_mode & 0o777 == 0o700


def test_a_hand_edit_of_the_index_after_the_crash_is_kept(promised: str) -> None:
    edit(promised, "MEMORY.md", b"edited by hand\n")
    aside = set_aside_path(TXN, "MEMORY.md")
    assert recover(promised).set_aside == (("MEMORY.md", aside),)
    assert tree(promised) == {**AFTER, "MEMORY.md": b"edited by hand\n", aside: AFTER["MEMORY.md"]}


def test_what_somebody_made_in_the_place_of_a_new_file_is_kept(promised: str) -> None:
    (Path(promised) / "memories/b.md").symlink_to("a.md")
    aside = set_aside_path(TXN, "memories/b.md")
    assert recover(promised).set_aside == (("memories/b.md", aside),)
    assert (Path(promised) / "memories/b.md").is_symlink()
    assert (Path(promised) / aside).read_bytes() == CANDIDATE


def test_a_file_to_be_removed_that_was_edited_after_the_crash_is_kept(promised: str) -> None:
    edit(promised, "inbox/b~b.md", b"edited by hand\n")
    assert recover(promised).kept == ("inbox/b~b.md",)
    assert tree(promised) == {**AFTER, "inbox/b~b.md": b"edited by hand\n"}


def test_a_file_that_somebody_removed_already_is_removed(promised: str) -> None:
    (Path(promised) / "inbox/b~b.md").unlink()
    (Path(promised) / "inbox").rmdir()
    assert recover(promised).kept == ()
    assert tree(promised) == AFTER


def test_a_hand_edit_of_what_was_moved_already_is_kept(promised: str) -> None:
    journal = pending(promised)
    assert journal is not None
    disk.replace(promised, journal.staged["memories/a.md"], "memories/a.md")
    edit(promised, "memories/a.md", b"edited by hand\n")
    assert recover(promised).set_aside == ()
    assert tree(promised) == {**AFTER, "memories/a.md": b"edited by hand\n"}


def test_a_staged_file_that_vanished_stops_removal_and_index(promised: str) -> None:
    """As after `git clean`: what was to replace the candidate is gone, so the candidate stays."""
    journal = pending(promised)
    assert journal is not None
    (Path(promised) / journal.staged["memories/b.md"]).unlink()
    outcome = recover(promised)
    assert outcome.lost == ("memories/b.md",)
    assert tree(promised) == {**BEFORE, "memories/a.md": NEW, "history/a~a@1.md": OLD}
    assert disk.temporaries(promised, FOLDERS) == ()


@pytest.mark.parametrize(
    "standing",
    [EARLIER, EARLIER + LINE[:20], EARLIER + LINE, EARLIER + LINE + b"\n"],
    ids=["none", "cut", "without its line end", "whole"],
)
def test_the_receipt_is_there_exactly_once(promised: str, standing: bytes) -> None:
    edit(promised, RECEIPTS, standing)
    recover(promised)
    assert tree(promised) == AFTER


def test_an_interruption_before_the_commit_point_takes_everything_back(root: str) -> None:
    calls = iter(range(1000))

    def plan(call: int, name: str, *_: object) -> None:
        if name == "fsync" and next(calls) == 3:
            raise KeyboardInterrupt

    with faulty(plan), pytest.raises(KeyboardInterrupt):
        change(root)
    assert tree(root) == BEFORE


def test_a_lasting_fault_after_the_commit_point_leaves_the_rest_to_the_next_writer(root: str) -> None:
    def plan(call: int, name: str, real: object, args: tuple[object, ...]) -> None:
        if name == "rename" and not str(args[1]).endswith("journal.json"):
            raise OSError(5, "broken")

    with faulty(plan):
        outcome = change(root)
        with pytest.raises(FaultError):
            recover(root)
    assert "disk reports an error" in outcome.unfinished
    assert outcome.remarks == (f"the change counts, and the next writer finishes it: {outcome.unfinished}",)
    assert seen(root) == without_receipts(AFTER)
    recover(root)
    assert tree(root) == AFTER


# a journal that is not ours


BROKEN = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[: len(whole) // 2],
    "another path": lambda whole: whole.replace(b"memories/a.md", b"memories/c.md"),
    "another text": lambda whole: b"{}",
    "no object": lambda whole: b"[1, 2]",
    "not JSON": lambda whole: b"<<<<<<< HEAD\n",
    "not UTF-8": lambda whole: b"\xff\xfe",
    "deep": lambda whole: b"[" * 100_000,
    "format of tomorrow": lambda whole: _signed(whole, format=2),
    "outside": lambda whole: _signed(whole, removes=[["../../x", "0" * 64]]),
    "staged elsewhere": lambda whole: _signed(whole, puts=[["memories/a.md", "inbox/.memdir-x-1.tmp", None, "0" * 64]]),
    "staged as a memory": lambda whole: _signed(whole, puts=[["memories/a.md", "memories/b.md", None, "0" * 64]]),
    "no id": lambda whole: _signed(whole, transaction=["x"]),
    "an id that leads elsewhere": lambda whole: _signed(whole, transaction="../x"),
    "no text": lambda whole: _signed(whole, removes=[["memories/\ud800.md", "0" * 64]]),
    "a receipt elsewhere": lambda whole: _signed(whole, receipt=["config.yaml", "gate: {attestation: claimed}"]),
    "too few columns": lambda whole: _signed(whole, puts=[["memories/a.md"]]),
}  # fmt: skip


def _signed(whole: bytes, **changes: object) -> bytes:
    """A journal edited by somebody who also mended its digest."""
    body = {**json.loads(whole), **changes}
    del body["digest"]
    told = digest_of(json.dumps(body, sort_keys=True, separators=(",", ":")).encode())
    return json.dumps({**body, "digest": told}).encode()


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_journal_that_cannot_be_read_is_reported_and_set_aside_when_asked(promised: str, broken) -> None:  # type: ignore[no-untyped-def]
    content = broken(disk.read_file(promised, JOURNAL))
    edit(promised, JOURNAL, content)
    before = tree(promised)
    for operation in (pending, recover, change):
        with pytest.raises(FaultError) as refused:
            operation(promised)
        assert refused.value.code == "journal"
        assert refused.value.exit_status == 6
        assert "memdir repair" in refused.value.hint
    assert tree(promised) == before
    outcome = recover(promised, force=True)
    kept = tree(promised)
    assert pending(promised) is None
    assert {path: kept[path] for path in BEFORE} == BEFORE
    assert sorted(kept[aside] for _, aside in outcome.set_aside) == sorted(
        [content, NEW, OLD, CANDIDATE, AFTER["MEMORY.md"]]
    )
    assert change(promised).unfinished == ""


def test_a_journal_that_is_a_link_is_not_followed(promised: str, tmp_path: Path) -> None:
    (Path(promised) / JOURNAL).rename(tmp_path / "journal.json")
    (Path(promised) / JOURNAL).symlink_to(tmp_path / "journal.json")
    with pytest.raises(FaultError) as refused:
        pending(promised)
    assert refused.value.code == "journal"
    recover(promised, force=True)
    assert pending(promised) is None
    assert (tmp_path / "journal.json").exists()


def test_force_leaves_a_good_journal_to_be_finished(promised: str) -> None:
    assert recover(promised, force=True).transaction == TXN
    assert tree(promised) == AFTER


def test_a_journal_reads_as_it_was_written(promised: str) -> None:
    journal = pending(promised)
    assert journal is not None
    assert decode(encode(journal)) == journal


def test_removals_alone_are_a_transaction(root: str) -> None:
    commit(root, txn=TXN, removes=[Remove("inbox/b~b.md", digest_of(CANDIDATE))], private=False)
    assert tree(root) == {path: content for path, content in BEFORE.items() if path != "inbox/b~b.md"}
