"""Ledger: the receipts of a memdir, read once for whoever asks about some of many memories.

Only the receipts of what is asked about are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir_cli.domain.attribution import Claim
from memdir_cli.storage import layout, receipts
from memdir_cli.storage.reading import list_folder, read_file

#: An id in a line of JSON, as all writers spell ids.
_NAMED = re.compile(rb'"id": ?"([^"]*)"')

#: What shows that a file may spell them otherwise: escapes, or characters of several bytes each.
_ODD = (b"\\", b"\0")


class Ledger:
    """All receipts of the memdir at ``root``.

    :param promised: the receipt of a committed but unfinished transaction, ``None`` where there is none.
    """

    def __init__(self, root: str, promised: receipts.Receipt | None) -> None:
        self._promised = promised
        self._contents = list(_contents(root))
        #: By id, in which content and where in it a line names it.
        self._places: dict[bytes, list[tuple[int, int]]] = {}
        for number, content in enumerate(self._contents):
            for memory_id, at in _ids(content):
                self._places.setdefault(memory_id, []).append((number, at))

    def claims(self, memory_id: str) -> list[Claim]:
        """The claims recorded for a memory, in the order of the files."""
        places = self._places.get(memory_id.encode("utf-8", "surrogatepass"), ())
        # a merge may have doubled lines
        lines = dict.fromkeys((number, self._line(number, at)) for number, at in places)
        told = [receipt for _, line in lines if (receipt := receipts.parse(line)) is not None]
        if self._promised is not None and all(one.get("txn") != self._promised.get("txn") for one in told):
            told.append(self._promised)
        return receipts.claims(told).get(memory_id, [])

    def _line(self, number: int, at: int) -> bytes:
        content = self._contents[number]
        end = content.find(b"\n", at)
        return content[content.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(content)]


def _contents(root: str) -> Iterator[bytes]:
    for entry in list_folder(root, layout.RECEIPTS):
        if entry.name.endswith(".jsonl") and entry.kind == "file":
            yield read_file(root, f"{layout.RECEIPTS}/{entry.name}") or b""


def _ids(content: bytes) -> Iterator[tuple[bytes, int]]:
    """Every id that a file names, and where."""
    if not any(sign in content for sign in _ODD):
        for found in _NAMED.finditer(content):
            yield found[1], found.start()
        return
    at = 0
    for line in content.split(b"\n"):
        receipt = receipts.parse(line)
        for _, memory_id in receipts.happened(receipt) if receipt is not None else ():
            yield memory_id.encode("utf-8", "surrogatepass"), at
        at += len(line) + 1
