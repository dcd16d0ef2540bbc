"""Finishing what a writer promised and did not finish, whatever became of its files meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import digest_of
from memdir_cli.storage import disk
from memdir_cli.storage.journal import pending
from memdir_cli.storage.layout import SET_ASIDE, set_aside_path
from memdir_cli.storage.redo import STRANGE, held
from memdir_cli.storage.transaction import recover
from tests.storage.faulty import AFTER, LINE, NEW, OLD, RECEIPTS, TXN, promised_in, tree


def test_what_was_set_aside_before_a_second_crash_is_told_by_the_recovery_after_it(tmp_path: Path) -> None:
    promised = promised_in(tmp_path)
    journal = pending(promised)
    assert journal is not None
    aside = set_aside_path(TXN, "memories/a.md")
    (Path(promised) / "memories/a.md").write_bytes(b"edited by hand\n")
    disk.ensure_folder(promised, SET_ASIDE, private=False)
    disk.replace(promised, journal.staged["memories/a.md"], aside)
    outcome = recover(promised)
    assert outcome.set_aside == (("memories/a.md", aside),)
    assert (outcome.lost, tree(promised)) == ((), {**AFTER, "memories/a.md": b"edited by hand\n", aside: NEW})


def test_a_version_that_vanished_before_it_replaced_the_old_one_is_lost(tmp_path: Path) -> None:
    promised = promised_in(tmp_path)
    journal = pending(promised)
    assert journal is not None
    (Path(promised) / journal.staged["memories/a.md"]).unlink()
    outcome = recover(promised)
    assert (outcome.lost, outcome.kept) == (("memories/a.md",), ())
    assert outcome.remarks == ("the new version of `memories/a.md` was lost before it was in its place",)
    assert tree(promised)["memories/a.md"] == OLD


def test_receipts_that_are_gone_begin_anew(tmp_path: Path) -> None:
    promised = promised_in(tmp_path)
    (Path(promised) / RECEIPTS).unlink()
    recover(promised)
    assert (Path(promised) / RECEIPTS).read_bytes() == LINE + b"\n"


@pytest.mark.parametrize("kind", ["a link", "a pipe", "a folder", "a file in the place of its folder", "too large"])
def test_what_is_no_file_of_a_memory_is_strange_and_stays(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "memories" / "a.md"
    if kind == "a file in the place of its folder":
        place.parent.write_bytes(b"x")
    else:
        place.parent.mkdir()
    if kind == "a link":
        place.symlink_to(tmp_path)
    elif kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a folder":
        place.mkdir()
    elif kind == "too large":
        with place.open("wb") as file:
            file.truncate(1 << 32)
    assert held(str(tmp_path), "memories/a.md") == STRANGE


def test_what_lies_at_a_place_is_known_by_its_digest(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x")
    assert held(str(tmp_path), "a.md") == digest_of(b"x")
    assert held(str(tmp_path), "b.md") is None
