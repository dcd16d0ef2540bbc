"""Sheet: one file of another tool, its header and its text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from memdir_cli.domain import times
from memdir_cli.shapes import dataclass
from memdir_cli.storage import codec
from memdir_cli.storage.codec.fences import decode
from memdir_cli.storage.codec.scalars import Value
from memdir_cli.storage.exported import BLOCK
from memdir_cli.storage.index import BEGIN, END
from memdir_cli.storage.signed_block import INSTRUCTIONS

#: Between these lines stands what memdir wrote; more may follow on the first one.
OURS = ((BEGIN, END), (BLOCK.begin, BLOCK.end), (INSTRUCTIONS.begin, INSTRUCTIONS.end))

_OURS = re.compile("|".join(rf"{re.escape(begin)}.*?{re.escape(end)}\n?" for begin, end in OURS), re.DOTALL)
_HEADING = re.compile(r"[ \t]*#{1,6}([ \t].*)?$")

#: The keys of a header, the text below it, the line on which that begins, and what is to be told of the header.
Parts = tuple[dict[str, Value], str, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file.

    :ivar whole: absolute path.
    :ivar path: from the folder in which its tool keeps its memories.
    """

    whole: str
    path: str
    content: bytes

    @property
    def names(self) -> tuple[str, ...]:
        """The folders and the stem, of which the last three."""
        return tuple(os.path.splitext(self.path)[0].split("/")[-3:])

    @property
    def text(self) -> str:
        """All of it with line feeds alone.

        :raises Malformed: if it is no text.
        """
        return decode(self.content)[1].replace("\r\n", "\n")

    def parts(self) -> Parts:
        """The header, and the text below it.

        :raises Malformed: if there is a header that cannot be read.
        """
        try:
            header = codec.read_header(self.content)
        except codec.Malformed as error:
            if error.reason != "no-header":
                raise
            return {}, self.text, 1, ()
        line = 1 + header.parts.text[: header.parts.body].count("\n")
        told = tuple(notice.message for notice in header.notices)
        return header.values, header.body.replace("\r\n", "\n"), line, told


def without_ours(text: str) -> str:
    """``text`` without what memdir wrote there; ``""`` where only headings are left of it."""
    rest = _OURS.sub("", text)
    return "" if rest != text and not any(map(tells, rest.split("\n"))) else rest


def lines_of_others(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines of ``text`` that memdir did not write, each with its number, of which ``first`` is the first."""
    marked = _OURS.sub(lambda ours: "\0\n" * ours[0].count("\n"), text)
    for number, line in enumerate(marked.split("\n"), first):
        if line != "\0":
            yield number, line.replace("\0", "")


def tells(line: str) -> bool:
    """Whether a line holds more than a heading."""
    return bool(line.strip()) and not _HEADING.match(line)


def word(values: dict[str, Value], *keys: str) -> str:
    """The first of ``keys`` that holds a text, also below ``metadata``; ``""`` if none does."""
    inner = values.get("metadata")
    for source in (values, inner if isinstance(inner, dict) else {}):
        for key in keys:
            found = source.get(key)
            if isinstance(found, str) and found.strip():
                return found.strip()
    return ""


def moment(values: dict[str, Value]) -> str:
    """When a memory was written last, in the form in which times are kept; ``""`` if it does not say."""
    for key in ("modified", "updated", "updatedAt", "updated_at", "created", "createdAt", "created_at"):
        text = word(values, key)
        if times.is_kept(text):
            return times.parse_when(text, "")
    return ""
