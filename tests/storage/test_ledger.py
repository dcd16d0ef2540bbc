"""A ledger tells of each memory what reading all receipts would tell, whatever lines the files hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.event import Event
from memdir_cli.storage import receipts
from memdir_cli.storage.ledger import Ledger
from tests.records import NOW, project

IDS = ("k7h3m9x2aqm01", "b2", "c3")


def line(txn: str, *ids: str) -> bytes:
    events = [Event("created", project(id=one, value=f"{txn} {one}").memory) for one in ids]
    return receipts.line("key", txn, NOW, events, {})


FIRST, SECOND, BOTH, OTHER = line("t1", IDS[0]), line("t2", IDS[1]), line("t3", *IDS[:2]), line("t4", IDS[2])
ESCAPED = line("t5", IDS[1]).replace(b'"b2"', b'"\\u0062\\u0032"')


def planted(root: Path, *months: bytes) -> str:
    (root / "receipts").mkdir()
    for number, content in enumerate(months, 1):
        (root / f"receipts/2026-{number:02}.jsonl").write_bytes(content)
    return str(root)


def told(root: str) -> dict[str, list[Claim]]:
    return receipts.claims(receipts.read(root))


@pytest.mark.parametrize(
    "months",
    [
        (),
        (b"",),
        (FIRST,),
        (b"\n".join((FIRST, SECOND, BOTH, OTHER, b"")),),
        (b"\n".join((FIRST, SECOND, b"")), b"\n".join((OTHER, b"", BOTH)), b"\n".join((SECOND, FIRST, FIRST, b""))),
        (b"\n".join((b"half a li", FIRST[:-5], SECOND, b"[]", BOTH, b"")),),
        (b"\n".join((OTHER, b"half", ESCAPED, FIRST, b"\0", ESCAPED, SECOND)), b"\n".join((FIRST, SECOND, b""))),
        (b"\n".join((b"", FIRST, FIRST, SECOND)),),
        (b"\n" * 500 + b"\n".join((ESCAPED, FIRST, b"")),),
        (*(b"\n".join((one, b'"\\', *(b"x" * 9,) * 5, two, b"")) for one, two in ((FIRST, SECOND), (ESCAPED, BOTH))),),
    ],
)
def test_a_ledger_tells_what_the_receipts_tell(tmp_path: Path, months: tuple[bytes, ...]) -> None:
    root = planted(tmp_path, *months)
    (tmp_path / "receipts/2027-01.jsonl").symlink_to("2026-01.jsonl")
    (tmp_path / "receipts/notes.txt").write_bytes(OTHER)
    whole, ledger = told(root), Ledger(root, None)
    assert {one: ledger.claims(one) for one in (*IDS, "nobody")} == {
        one: whole.get(one, []) for one in (*IDS, "nobody")
    }


def test_a_promised_receipt_counts_whether_it_stands_in_its_file_or_not(tmp_path: Path) -> None:
    promised = receipts.parse(BOTH)
    root = planted(tmp_path, FIRST + b"\n")
    before = Ledger(root, promised)
    (tmp_path / "receipts/2026-01.jsonl").write_bytes(FIRST + b"\n" + BOTH + b"\n")
    for ledger in (before, Ledger(root, promised), Ledger(root, None)):
        assert {one: ledger.claims(one) for one in IDS[:2]} == told(root)
        assert ledger.claims(IDS[2]) == []
