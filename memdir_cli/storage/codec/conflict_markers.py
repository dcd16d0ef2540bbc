"""The markers that an unfinished merge leaves behind."""

from __future__ import annotations

import re

_OPENING = re.compile(r"(<{7,}) ")
_OPENING_BYTES = re.compile(_OPENING.pattern.encode())
_CLOSING = re.compile(r"(>{7,}) ")
_CODE = re.compile(r" {0,3}(`{3,}|~{3,})")


def find_conflict(text: str, header: int) -> int | None:
    """The 1-based line of the first merge conflict in ``text``, ``None`` if there is none.

    A conflict is ``<<<<<<< ``, ``=======`` and ``>>>>>>> `` at the beginning of lines, in this order and equally
    long (a merge within a merge makes them longer); a row of ``=`` under a heading alone is none, nor is anything
    inside fenced code.

    :param header: index at which a header begins; fenced code is looked for only outside it.
    """
    # by their length: what a side quotes may look like the beginning of another conflict
    began: dict[int, int] = {}
    parted: set[int] = set()
    code = ""
    position = 0
    fenced_from = _end_of_header(text, header)
    for number, line in enumerate(text.split("\n"), 1):
        if position >= fenced_from:
            code = _code_after(code, line)
        position += len(line) + 1
        if code:
            continue
        opening = _OPENING.match(line)
        if opening is not None:
            began[len(opening[1])] = number
            parted.discard(len(opening[1]))
        elif (run := len(line.rstrip("\r"))) in began and line.startswith("=" * run):
            parted.add(run)
        elif parted and (closing := _CLOSING.match(line)) is not None and len(closing[1]) in parted:
            return began[len(closing[1])]
    return None


def holds_markers(data: bytes) -> bool:
    """Whether the markers of a merge stand in a file."""
    text = data.decode("utf-8", "surrogateescape")
    opening = re.match(r"---[ \t]*\r?\n", text)
    return find_conflict(text, 0 if opening is None else opening.end()) is not None


def halves(data: bytes) -> tuple[bytes, bytes]:
    """Both versions of a file that holds conflicts: ours and theirs, what is common in both.

    Markers inside fenced code count as well: a file is asked for its sides only where a conflict was found.
    """
    versions: tuple[list[bytes], list[bytes]] = ([], [])
    meant: tuple[int, ...] = (0, 1)
    run = 0
    for line in data.splitlines(keepends=True):
        opening = _OPENING_BYTES.match(line)
        turned = _SIDE_OF_MARKER.get(line[:1]) if run and _is_marker(line, run) else None
        if not run and opening is not None:
            run, meant = len(opening[1]), (0,)
        elif turned is not None:
            meant = turned
            run = 0 if meant == (0, 1) else run
        else:
            for side in meant:
                versions[side].append(line)
    return b"".join(versions[0]), b"".join(versions[1])


def _is_marker(line: bytes, run: int) -> bool:
    """Whether a line begins with exactly ``run`` equal characters, and a blank or nothing follows."""
    return line[:run] == line[:1] * run and line[run : run + 1] in {b"", b" ", b"\r", b"\n"}


#: Whose lines follow a marker; those of the base, which some styles show, are nobody's.
_SIDE_OF_MARKER: dict[bytes, tuple[int, ...]] = {b"|": (), b"=": (1,), b">": (0, 1)}


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
    return "" if run.startswith(code) and run == line.strip() else code
