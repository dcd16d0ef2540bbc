"""A journal is carried out only if everything in it is what memdir could have written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.journal import Pending, Receipt, Removal, Staged, decode, encode, read_after
from memdir_cli.storage.layout import JOURNAL, limit_of

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
        {"receipt": Receipt("receipts/..", "{}")},
        {"receipt": Receipt("receipts/2026-09.jsonl", 7)},  # type: ignore[arg-type]
        {"removes": (Removal("/etc/passwd", ZERO),)},
        {"removes": (Removal("../a.md", ZERO),)},
        {"removes": (Removal("inbox/b.md", None),)},  # type: ignore[arg-type]
        {"puts": (replace(PUT, temp="memories/a.md"),)},
        {"puts": (replace(PUT, temp="inbox/.memdir-t1-1.tmp"),)},
        {"puts": (replace(PUT, path="memories/\udcff.md\ud800"),)},
        {"puts": (replace(PUT, temp="memories/.memdir-t\\1-1.tmp"),)},
        {"puts": (replace(PUT, path="memories/.."),)},
        {"puts": (replace(PUT, path="memories/a\\b.md"),)},
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
    assert refused.value.facts["path"] == JOURNAL


def test_the_digest_is_over_the_meaning_so_that_any_release_may_finish_what_another_began() -> None:
    body = json.loads(encode(GOOD))
    told = body.pop("digest")
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    assert told == hashlib.sha256(canonical.encode()).hexdigest()
    assert decode(json.dumps({"digest": told, **dict(reversed(body.items()))}, indent=1).encode()) == GOOD


def test_a_file_is_read_up_to_its_limit_staged_or_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    staged = replace(GOOD, puts=(PUT,))
    for name, journal in ((PUT.path, None), (PUT.temp, staged)):
        content = b"x" * limit_of(PUT.path)
        (tmp_path / name).write_bytes(content)
        assert read_after(str(tmp_path), PUT.path, journal) == content
        (tmp_path / name).write_bytes(content + b"x")
        for limit in (None, 10):
            with pytest.raises(FaultError) as refused:
                read_after(str(tmp_path), PUT.path, journal, limit=limit)
            assert refused.value.code == "too_large"
        assert read_after(str(tmp_path), PUT.path, journal, limit=len(content) + 1) == content + b"x"
        (tmp_path / name).write_bytes(b"x" * 11)
        with pytest.raises(FaultError):
            read_after(str(tmp_path), PUT.path, journal, limit=10)
