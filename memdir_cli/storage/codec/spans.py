"""Which lines of a header belong to which key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdir_cli.shapes import dataclass
from memdir_cli.storage.codec.fast_reader import read_fast
from memdir_cli.storage.problems import Malformed

if TYPE_CHECKING:
    from memdir_cli.storage.codec.full_reader import Extent

_FORM = "The keys of the header do not stand on lines of their own; memdir reads that but does not edit it."
_KEY = re.compile(r"^([A-Za-z_][\w.-]*):(?: +|\r?$)", re.MULTILINE)
_COLON = re.compile(r" *(:) *")
_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+'""")


@dataclass(frozen=True, slots=True)
class Span:
    """The lines of one key, as character indexes into a header.

    :ivar start: of the first line.
    :ivar end: after the last line; blank lines and comments at the margin that follow belong to nobody.
    :ivar column: of the key in its line.
    :ivar head: the key with its colon and the blanks after it, as they stand.
    :ivar comment: the comment behind the value on its last line (or behind the key, where the value stands
        below), with the blanks before it; ``""`` if there is none.
    """

    name: str
    start: int
    end: int
    column: int
    head: str
    comment: str


def spans(header: str, first_line: int) -> tuple[Span, ...]:
    """The lines of every top-level key, in the order of the file.

    :param header: text that can be read; its last line may lack its end.
    :raises Malformed: ``uneditable`` if the keys do not stand on lines of their own.
    """
    if read_fast(header) is not None:
        found = [_simple(header, match) for match in _KEY.finditer(header)]
    else:
        from memdir_cli.storage.codec.full_reader import read_full  # seldom needed, and dear to import

        reading = read_full(header)
        if reading.flow:
            raise Malformed("uneditable", _FORM, line=first_line, column=1)
        found = [_extended(header, extent) for extent in reading.extents]
    limits = [*(start for _, start, _, _, _ in found[1:]), len(header)][: len(found)]
    return tuple(
        Span(name, start, _trim(header, floor, limit), len(head) - len(head.lstrip(" ")), head, comment)
        for (name, start, floor, head, comment), limit in zip(found, limits, strict=True)
    )


#: Name, start of the first line, index that surely belongs to the value, head, comment.
_Found = tuple[str, int, int, str, str]


def _simple(header: str, match: re.Match[str]) -> _Found:
    head = match.group().rstrip("\r")
    at = match.start() + len(head)
    end = _scalar_end(header, at)
    if header[at : at + 1] == "#":
        # no value on this line: the blanks after the colon belong to the comment
        head = head.rstrip(" ")
        end = match.start() + len(head)
    return match[1], match.start(), end, head, _comment(header, end)


def _scalar_end(header: str, at: int) -> int:
    """Index after the scalar on one line that begins at ``at`` (or, without a comment, anywhere behind it)."""
    quoted = _QUOTED.match(header, at)
    if quoted is not None:
        return quoted.end()
    return at + len(header[at : _line_end(header, at)].partition(" #")[0].rstrip(" "))


def _extended(header: str, extent: Extent) -> _Found:
    start = header.rfind("\n", 0, extent.key) + 1
    colon = _COLON.match(header, _after_name(header, extent))
    if colon is None:
        raise Malformed("uneditable", _FORM)
    end = colon.end(1)
    comment = _comment(header, end)
    if not comment:
        end = colon.end()
        if "\n" not in header[end : extent.end]:
            comment = _comment(header, max(end, extent.end))
    # an open value ends with its last line feed, and the next line is no longer its own
    floor = extent.end - 1 if extent.open else extent.end
    return extent.name, start, floor, header[start:end], comment


def _after_name(header: str, extent: Extent) -> int:
    """Index after the key itself, whose quotes may hold a colon."""
    quoted = _QUOTED.match(header, extent.key)
    if quoted is not None:
        return quoted.end()
    return extent.key + len(extent.name)


def _comment(header: str, at: int) -> str:
    match = _COMMENT.match(header, at)
    return "" if match is None else match.group()


def _line_end(header: str, index: int) -> int:
    end = header.find("\n", index)
    return len(header) if end < 0 else end


def _trim(header: str, floor: int, limit: int) -> int:
    """``limit`` moved up over blank lines and comments at the margin, not above the line of ``floor``."""
    lowest = min(_line_end(header, floor) + 1, limit)
    end = limit
    while end > lowest:
        start = header.rfind("\n", 0, end - 1) + 1
        line = header[start:end]
        if line[0] != "#" and not line.isspace():
            break
        end = start
    return end
