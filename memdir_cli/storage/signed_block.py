"""Signed block: a managed block that says for whom it stands there and, by a digest, whether it was changed since.

What is put in comes out without a trace: where the text before has no line end, the block has none either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from memdir_cli.shapes import dataclass
from memdir_cli.storage.codec.fences import BOM as BOM
from memdir_cli.storage.codec.fences import parted
from memdir_cli.storage.managed_block import HASH as HASH
from memdir_cli.storage.managed_block import Markers, place

#: Between these lines an agent is told how to use memdir.
INSTRUCTIONS = Markers("<!-- memdir:instructions:begin", "<!-- memdir:instructions:end -->")

#: What begins the last line of a page.
_PAGE = "<!-- written by memdir install"


@dataclass(frozen=True, slots=True)
class Standing:
    """The block that stands in a file.

    :ivar owners: for whom it stands there, in order.
    :ivar lines: what is between the markers, without line ends.
    :ivar edited: somebody has changed it since memdir wrote it.
    """

    owners: tuple[str, ...]
    lines: tuple[str, ...]
    edited: bool


def digest(lines: Iterable[str]) -> str:
    """By what it is known whether somebody has changed lines; blanks at their ends do not count."""
    return hashlib.sha256("\n".join(line.rstrip() for line in lines).encode()).hexdigest()[:12]


def standing(content: bytes, markers: Markers) -> Standing | None:
    """The block in ``content``, ``None`` if there is none."""
    start, end = place(content, markers)
    if start == end:
        return None
    opening, *lines, _ = content[start:end].decode("utf-8", "replace").splitlines()
    words = opening.strip().removeprefix(markers.begin).removesuffix("-->").split()
    return Standing(tuple(words[:-1]), tuple(lines), edited=words[-1:] != [digest(lines)])


def with_signed(
    content: bytes | None, lines: Sequence[str], markers: Markers, owners: Sequence[str], at: int = 0
) -> bytes:
    """``content`` with the block: in place of the one that is there, else before the byte ``at``.

    :param content: ``None`` if there is no such file.
    :param at: where a line begins, or the end.
    """
    before, behind, bare = _around(content, markers, at)
    newline = b"\r\n" if b"\r\n" in (content or b"") else b"\n"
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    comment = " -->" if markers.end.endswith("-->") else ""
    opening = f"{indent}{' '.join((markers.begin, *owners, digest(lines)))}{comment}"
    block = newline.join(line.encode() for line in (opening, *lines, f"{indent}{markers.end}"))
    joint = newline if before and not before.endswith((b"\n", BOM)) else b""
    return before + joint + block + (b"" if bare else newline) + behind


def without_signed(content: bytes, markers: Markers) -> bytes | None:
    """``content`` without the block, ``None`` if the file was made for it."""
    start, end = place(content, markers)
    if start == end:
        return content
    bare = not content[:end].endswith(b"\n")
    if bare:
        before = content[:start]
        start -= 2 if before.endswith(b"\r\n") else 1 if before.endswith(b"\n") else 0
    left = content[:start] + content[end:]
    return left if left or bare else None


def _around(content: bytes | None, markers: Markers, at: int) -> tuple[bytes, bytes, bool]:
    """What stands before the block and behind it, and whether it has no line end of its own."""
    text = content or b""
    start, end = place(text, markers)
    if start < end:
        return text[:start], text[end:], not text[:end].endswith(b"\n")
    before = text[:at]
    bare = content == b"" or (bool(before) and not before.endswith((b"\n", BOM)))
    return before, text[at:], bare


def top(content: bytes) -> int:
    """Where a block may stand first: behind a byte order mark and a header."""
    return len(parted(content)[0])


def page(lines: Sequence[str], owner: str) -> bytes:
    """A file of our own: lines, and as the last one a comment with their digest."""
    last = f"{_PAGE} {owner} {digest(lines)} -->"
    return "".join(f"{line}\n" for line in (*lines, "", last)).encode()


def is_own_page(content: bytes) -> bool:
    """Whether a file is what :func:`page` has written, whenever that was, and nobody has changed it."""
    *lines, empty, last = [*["", ""], *content.decode("utf-8", "replace").splitlines()]
    words = last.removeprefix(_PAGE).removesuffix("-->").split()
    return last.startswith(_PAGE) and not empty and words[-1:] == [digest(lines[2:])]
