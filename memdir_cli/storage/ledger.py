"""Ledger: the receipts of a memdir, read once for whoever asks about some of many memories.

Only the receipts of what is asked about are parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
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
        #: By id, where it is named, or where all; a place is how much stands before it in all contents.
        self._places: dict[bytes, int | list[int]] = {}
        self._begins: list[int] = []
        begin = 0
        for content in self._contents:
            self._begins.append(begin)
            for memory_id, at in _ids(content):
                known = self._places.get(memory_id)
                if known is None:
                    self._places[memory_id] = begin + at
                elif isinstance(known, int):
                    self._places[memory_id] = [known, begin + at]
                else:
                    known.append(begin + at)
            begin += len(content)

    def claims(self, memory_id: str) -> list[Claim]:
        """The claims recorded for a memory, in the order of the files."""
        places = self._places.get(memory_id.encode("utf-8", "surrogatepass"), [])
        # a merge may have doubled lines
        lines = dict.fromkeys(map(self._line, [places] if isinstance(places, int) else places))
        told = [receipt for _, line in lines if (receipt := receipts.parse(line)) is not None]
        if self._promised is not None and all(one.get("txn") != self._promised.get("txn") for one in told):
            told.append(self._promised)
        return receipts.claims(told).get(memory_id, [])

    def _line(self, place: int) -> tuple[int, bytes]:
        """In which content a place lies, and the line."""
        number = bisect_right(self._begins, place) - 1
        content, at = self._contents[number], place - self._begins[number]
        end = content.find(b"\n", at)
        return number, content[content.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(content)]


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
