"""The markers that an unfinished merge leaves behind."""

from __future__ import annotations

import re

_CODE = re.compile(r" {0,3}(`{3,}|~{3,})")


def find_conflict(text: str, header: int) -> int | None:
    """The 1-based line of the first merge conflict in ``text``, ``None`` if there is none.

    A conflict is ``<<<<<<< ``, ``=======`` and ``>>>>>>> `` at the beginning of lines, in this order; a
    row of ``=`` under a heading alone is none, nor is anything inside fenced code.

    :param header: index at which a header begins; fenced code is looked for only outside it.
    """
    began: int | None = None
    parted = False
    code = ""
    position = 0
    fenced_from = _end_of_header(text, header)
    for number, line in enumerate(text.split("\n"), 1):
        if position >= fenced_from:
            code = _code_after(code, line)
        position += len(line) + 1
        if code:
            continue
        if line.startswith("<<<<<<< "):
            began, parted = number, False
        elif began is not None and line.rstrip("\r") == "=======":
            parted = True
        elif parted and line.startswith(">>>>>>> "):
            return began
    return None


def _end_of_header(text: str, header: int) -> int:
    if header == 0:
        return 0
    closing = re.compile(r"^---[ \t]*\r?$", re.MULTILINE).search(text, header)
    return len(text) if closing is None else closing.end()


def _code_after(code: str, line: str) -> str:
    """The fence of code that is open after ``line``, ``""`` if none; ``code`` is the one open before."""
    fence = _CODE.match(line)
    if fence is None:
        return code
    run = fence.group(1)
    if not code:
        return run
    closes = run[0] == code[0] and len(run) >= len(code) and not line.strip().strip(run[0])
    return "" if closes else code
