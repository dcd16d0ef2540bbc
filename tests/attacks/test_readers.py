"""Readers while somebody writes: what they are told is of one moment, and no doubt is made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.storage import receipts, transaction
from memdir_cli.storage.store import Store
from tests.sandbox import Outcome

WORDS = ("--from", "user", "--said", "please keep it so", "--session", "s1", "--message", "m1")

Run = Callable[..., Outcome]


@pytest.fixture
def top(repo: Callable[..., Path], run: Run) -> Path:
    place = repo(init=True)
    assert run("remember", "k", "v", "--scope", "repository", cwd=place).exit == 0
    return place


def test_a_transaction_that_ends_while_receipts_are_read_is_not_overlooked(
    top: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(top / ".memdir")
    line = b'{"txn":"t1","at":"2026-09-14T09:30:00Z","actor":"user","events":[]}'
    with monkeypatch.context() as patched:
        patched.setattr(transaction, "_finish", lambda root, journal: transaction.Outcome())
        transaction.commit(root, txn="t1", receipt_path="receipts/2026-09.jsonl", receipt=line, private=False)
    read = receipts.read

    def overtaken(*given: Any) -> Iterator[receipts.Receipt]:
        found = list(read(*given))
        transaction.recover(root)
        yield from found

    monkeypatch.setattr(receipts, "read", overtaken)
    store = Store(root, "project")
    assert [one["txn"] for one in store.receipts()][-1] == "t1"
    # and once it lies there, it is told once
    assert [one["txn"] for one in store.receipts()].count("t1") == 1


def test_a_version_that_was_replaced_since_is_not_doubted(top: Path, run: Run) -> None:
    store = Store(str(top / ".memdir"), "project")
    (record,) = store.snapshot(("inbox",)).records
    path = top / ".memdir" / record.path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("authority: inferred", "authority: user"), encoding="utf-8")
    (forged,) = store.snapshot(("inbox",)).records
    assert store.unattributed(forged) == "authority"
    path.write_text(text, encoding="utf-8")
    assert store.unattributed(forged) == ""
    path.unlink()
    assert store.unattributed(forged) == ""
