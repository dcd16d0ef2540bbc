"""Where a header begins and ends in the bytes of a file. Nothing is changed, nothing is guessed."""

from __future__ import annotations

import re

from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass
from memdir_cli.storage.codec.conflict_markers import find_conflict
from memdir_cli.storage.layout import TEXT_LIMIT
from memdir_cli.storage.problems import Malformed, place

#: Bytes.
FILE_LIMIT = TEXT_LIMIT
HEADER_LIMIT = 64 << 10

BOM = b"\xef\xbb\xbf"

_OPENING = re.compile(r"---[ \t]*\r?(?:\n|\Z)")
CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"-\0-\0", b"\0-\0-", b"#\0 \0", b"\0#\0 ")
#: A fence that readers do not see: after blank or comment lines, indented, or of four dashes and more.
_ALMOST = re.compile(
    r"(?:(?:[ \t]*|\ufeff|<!--.*-->|#.*)\r?\n){0,5}\ufeff?[ \t]*-{3,}[ \t]*\r?\n[ \t]*[A-Za-z_][\w-]*:\s"
)
_SECOND = re.compile(r"(?>[ \t]*\r?\n)*+---[ \t]*\r?\n(?>[ \t]*(?:#.*)?\r?\n)*+[A-Za-z_][\w-]*:(?:\s|\Z)")
#: What a second header begins with, or the blank lines above it.
_BEFORE_SECOND = ("-", "\n", " ", "\t", "\r")
_HEADER_LINE = re.compile(r"\s*$|[#\s-]|[A-Za-z_][\w-]*:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Parts:
    """A file cut at its fences.

    :ivar bom: whether a byte order mark stood in front of ``text``.
    :ivar text: the whole file without the mark.
    :ivar start: index of the header's first character, the one after the opening fence's line.
    :ivar end: index of the closing fence.
    :ivar body: index of the first character after the closing fence's line.
    """

    bom: bool
    text: str
    start: int
    end: int
    body: int

    @property
    def header(self) -> str:
        """The lines between the fences."""
        return self.text[self.start : self.end]


def decode(data: bytes, limit: int = FILE_LIMIT) -> tuple[bool, str]:
    """Whether ``data`` begins with a byte order mark, and its text without it.

    :param limit: bytes that it may have.
    :raises Malformed: ``too-large``, ``utf-16``, ``nul``, ``not-utf8``.
    """
    if len(data) > limit:
        raise Malformed("too-large")
    if data.startswith(_UTF16):
        raise Malformed("utf-16", line=1, column=1)
    bom = data.startswith(BOM)
    try:
        text = str(data[3:] if bom else data, "utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + (3 if bom else 0)
        before = data[3 if bom else 0 : offset].decode()
        line, column = place(before, len(before))
        byte = data[offset]
        message = f"The file is not valid UTF-8: byte 0x{byte:02x} at offset {offset}."
        raise Malformed("not-utf8", message, line=line, column=column) from None
    nul = text.find("\0")
    if nul >= 0:
        line, column = place(text, nul)
        offset = data.index(b"\0")
        raise Malformed("nul", f"The file holds a NUL byte at offset {offset}.", line=line, column=column)
    return bom, text


def encode(text: str, *, bom: bool = False) -> bytes:
    """``text`` as the bytes of a file.

    :raises UsageError: if it holds half of a surrogate pair, which stands for a byte that was no text.
    """
    try:
        return (BOM if bom else b"") + text.encode()
    except UnicodeEncodeError:
        raise UsageError("The text holds bytes that are not UTF-8.", hint="type it in UTF-8") from None


def split(data: bytes, limit: int = FILE_LIMIT) -> Parts:
    """``data`` cut at its fences.

    A header begins on line 1 with ``---`` and ends at the next line of exactly three dashes; blanks may
    follow either. Lines end at LF, or CRLF.

    :raises Malformed: see the first two groups of :data:`memdir_cli.storage.problems.PROBLEMS`.
    """
    bom, text = decode(data, limit)
    start, end, body = cut(text)
    return Parts(bom, text, start, end, body)


def cut(text: str) -> tuple[int, int, int]:
    """Start and end of the header in ``text``, and start of the body.

    :raises Malformed: as :func:`split`.
    """
    opening = _OPENING.match(text)
    if "<<<<<<< " in text:
        _refuse_conflict(text, 0 if opening is None else opening.end())
    if opening is None:
        raise _headless(text)
    start = opening.end()
    closing = _closing(text, start)
    if closing is None or _is_large(text, start, closing.start()):
        raise _endless(text, start, closed=closing is not None)
    body = min(closing.end() + 1, len(text))
    if text.startswith(_BEFORE_SECOND, body) and _SECOND.match(text, body) is not None:
        _refuse_second(text, body)
    return start, closing.start(), body


def _is_large(text: str, start: int, end: int) -> bool:
    # no character takes more than four bytes
    return end - start > HEADER_LIMIT // 4 and len(text[start:end].encode()) > HEADER_LIMIT


def _closing(text: str, start: int) -> re.Match[str] | None:
    """The next line of three dashes from ``start`` on, which is the start of a line."""
    at = start - 1
    while at >= 0 and (closing := CLOSING.match(text, at + 1)) is None:
        at = text.find("\n---", at + 1)
    return closing if at >= 0 else None


def _headless(text: str) -> Malformed:
    if not text.strip():
        return Malformed("no-header", "The file is empty.", line=1, column=1)
    if text.startswith("---\r"):
        message = "The lines end with a lone carriage return, so no header is seen; save the file with LF or CRLF."
        return Malformed("misplaced-header", message, line=1, column=4)
    if _ALMOST.match(text):
        index = text.index("---")
        line, column = place(text, index)
        return Malformed("misplaced-header", line=line, column=column)
    return Malformed("no-header", line=1, column=1)


def _endless(text: str, start: int, *, closed: bool) -> Malformed:
    if closed:
        return Malformed("header-too-large", line=1, column=1)
    other = re.compile(r"^(?:\.\.\.|-{4,}|[ \t]+---)[ \t]*\r?$", re.MULTILINE).search(text, start)
    if other is None:
        return Malformed("unterminated-header", line=1, column=1)
    line, column = place(text, other.start())
    shown = other.group().strip()
    message = f"The header is never closed: `{shown}` does not close it, only `---` at the line's start does."
    return Malformed("unterminated-header", message, line=line, column=column)


def _refuse_second(text: str, body: int) -> None:
    """Raise if the body begins with a block that is closed and holds nothing but lines of a header."""
    opening = text.index("---", body)
    inner = text.index("\n", opening) + 1
    closing = CLOSING.search(text, inner)
    if closing is None:
        return
    lines = text[inner : closing.start()].split("\n")
    if all(_HEADER_LINE.match(line) for line in lines):
        line, column = place(text, opening)
        raise Malformed("second-header", line=line, column=column)


def _refuse_conflict(text: str, start: int) -> None:
    found = find_conflict(text, start)
    if found is not None:
        raise Malformed("conflict-markers", line=found, column=1)


def parted(content: bytes) -> tuple[bytes, bytes]:
    """A byte order mark and a header, before which nothing may stand, and the rest."""
    mark = BOM if content.startswith(BOM) else b""
    text = content[len(mark) :]
    opening = re.match(rb"---[ \t]*\r?\n", text)
    closing = re.compile(CLOSING.pattern.encode(), re.MULTILINE).search(text, opening.end()) if opening else None
    if closing is None:
        return mark, text
    end = min(closing.end() + 1, len(text))
    return mark + text[:end], text[end:]
