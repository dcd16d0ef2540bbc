"""Managed block: lines of ours in a file of somebody else's, between two markers. All other bytes stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Markers:
    """The lines between which a block stands, without their ends.

    :ivar begin: a line that begins with this one opens the block; words may follow.
    """

    begin: str
    end: str


#: The markers where ``#`` begins a comment.
HASH = Markers("# memdir:begin", "# memdir:end")


def with_block(content: bytes | None, lines: Sequence[str], markers: Markers, words: str = "") -> bytes:
    """``content`` with a block of ``lines``: in place of the one that is there, else before everything else.

    At the top nothing of what stands there has to change, and what a person writes below counts more.

    :param words: what follows the opening marker, for people.
    """
    standing = content or b""
    ending = b"\r\n" if b"\r\n" in standing else b"\n"
    opening = f"{markers.begin} {words}".rstrip()
    block = b"".join(line.encode() + ending for line in (opening, *lines, markers.end))
    start, end = place(standing, markers)
    return standing[:start] + block + standing[end:]


def without_block(content: bytes, markers: Markers) -> bytes:
    """``content`` without its block."""
    start, end = place(content, markers)
    return content[:start] + content[end:]


def outside(content: bytes, markers: Markers) -> list[str]:
    """The lines around the block, without their ends."""
    return [line.rstrip("\r") for line in without_block(content, markers).decode("utf-8", "replace").split("\n")]


def inside(content: bytes, markers: Markers) -> list[str]:
    """The lines of the block, without their ends; none where there is no block."""
    start, end = place(content, markers)
    return content[start:end].decode("utf-8", "replace").splitlines()[1:-1]


def place(content: bytes, markers: Markers) -> tuple[int, int]:
    """Where the block begins and ends; ``(0, 0)`` where there is none. A block that is never closed is none."""
    begin, end = (rb"[ \t]*" + re.escape(marker.encode()) for marker in (markers.begin, markers.end))
    # a byte order mark stands before the first line
    opening = rb"(?:^|(?<=\A\xef\xbb\xbf))%b(?: [^\r\n]*)?\r?\n" % begin
    # one that was never closed may stand before it
    lines = rb"(?:(?!%b).*\n)*?" % begin
    found = re.search(rb"%b%b%b[ \t]*(?:\r?\n|\Z)" % (opening, lines, end), content, re.MULTILINE)
    return found.span() if found is not None else (0, 0)
