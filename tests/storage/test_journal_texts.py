"""A journal is carried out only if everything in it is what memdir could have written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.journal import Pending, Receipt, Removal, Staged, decode, encode

ZERO = "0" * 64
PUT = Staged("memories/a.md", "memories/.memdir-t1-1.tmp", None, ZERO)
GOOD = Pending(
    "t1", True, (PUT,), (Removal("inbox/b.md", ZERO),), Staged("MEMORY.md", ".memdir-t1-2.tmp", ZERO, ZERO),
    Receipt("receipts/2026-09.jsonl", '{"txn":"t1"}'),
)  # fmt: skip


def test_what_memdir_writes_is_read_again() -> None:
    assert decode(encode(GOOD)) == GOOD
    bare = Pending("t1")
    assert decode(encode(bare)) == bare


@pytest.mark.parametrize(
    "change",
    [
        {"transaction": ""},
        {"transaction": "t 1"},
        {"transaction": "../t"},
        {"transaction": 7},
        {"private": 1},
        {"receipt": Receipt("receipts/2026-09.jsonl", '{"txn":"t1"}\n{"txn":"t2"}')},
        {"receipt": Receipt("local/2026-09.jsonl", "{}")},
        {"receipt": Receipt("receipts/a/2026-09.jsonl", "{}")},
        {"receipt": Receipt("receipts/2026-09.jsonl", 7)},  # type: ignore[arg-type]
        {"removes": (Removal("/etc/passwd", ZERO),)},
        {"removes": (Removal("../a.md", ZERO),)},
        {"removes": (Removal("inbox/b.md", None),)},  # type: ignore[arg-type]
        {"puts": (replace(PUT, temp="memories/a.md"),)},
        {"puts": (replace(PUT, temp="inbox/.memdir-t1-1.tmp"),)},
        {"puts": (replace(PUT, path="memories/\udcff.md\ud800"),)},
        {"puts": (replace(PUT, digest=7),)},  # type: ignore[arg-type]
        {"puts": (replace(PUT, expected=7),)},  # type: ignore[arg-type]
        {"index": replace(PUT, path="../MEMORY.md", temp="../.memdir-t1-2.tmp")},
    ],
    ids=repr,
)
def test_a_journal_of_somebody_who_knows_the_digest_is_refused_all_the_same(change: dict[str, Any]) -> None:
    with pytest.raises(FaultError) as refused:
        decode(encode(replace(GOOD, **change)))
    assert refused.value.code == "journal"
