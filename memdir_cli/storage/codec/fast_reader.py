"""A fast reader of the YAML that memdir writes; it says so wherever it does not know for certain.

Top-level keys with plain or quoted scalars on one line, block mappings and block lists of these, comments.
Whatever else YAML allows is left to the full reader, which reads everything accepted here the same.
"""

from __future__ import annotations

import re
from functools import cache

from memdir_cli.storage.codec.notices import Notice, lost_tail
from memdir_cli.storage.codec.own_reader import is_simple, read_own
from memdir_cli.storage.codec.scalars import Value

#: Line number in the header (from 0), column, dash with its blanks, key, rest of the line.
Row = tuple[int, int, str, str, str]

#: Deeper headers are the full reader's, which knows the limit.
DEPTH = 32

#: Every line of a header as indentation, dash, key, rest.
_ROW = re.compile(r"^( *)(- +)?(?:([A-Za-z_][\w.-]{0,99}):(?: +|$))?(.*)$", re.MULTILINE)

#: Tabs, lone carriage returns, and what YAML does not print or takes for the end of a line.
_ODD = "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"

#: Printable ASCII and line ends, in which there is nothing odd.
_PLAIN = bytes([*range(0x20, 0x7F), ord("\n")])

_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|-[\w-]")
_SINGLE = re.compile(r"'((?:[^']|'')*+)' *(?:(?<= )#.*)?\Z")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*+)" *(?:(?<= )#.*)?\Z')
#: A mapping of plain words on one line, the form in which hints and people write a setting.
_FLOW = re.compile(
    r"\{ *(?:[A-Za-z][\w-]*: [A-Za-z0-9][\w-]*(?:, [A-Za-z][\w-]*: [A-Za-z0-9][\w-]*)*)? *\} *\Z", re.ASCII
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
_CHARACTERS = {
    "n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "b": "\b", "f": "\f", "0": "\0", "/": "/", "e": "\x1b",
}  # fmt: skip


class _UnsureError(Exception):
    """The text is not certain to be of the subset."""


def read_fast(header: str) -> tuple[dict[str, Value], tuple[Notice, ...]] | None:
    """Keys and notices of ``header``; ``None`` where only the full reader knows."""
    if "\r" in header:
        header = header.replace("\r\n", "\n")
    if _is_odd(header):
        return None
    own = read_own(header)
    if own is not None:
        return own, ()
    rows: list[Row] = [
        (number, len(margin), dash, key, rest)
        for number, (margin, dash, key, rest) in enumerate(_ROW.findall(header))
        if key or dash or (rest and rest[0] != "#")
    ]
    cuts: list[tuple[int, int]] = []
    try:
        values, _ = _mapping(rows, 0, 0, cuts, 0)
    except _UnsureError:
        return None
    return values, tuple(lost_tail(header, *cut) for cut in cuts) if cuts else ()


def read_plain(header: str) -> dict[str, Value] | None:
    """The keys of ``header`` if it is as memdir writes it: every value as it stands, on a line of its own."""
    return None if _is_odd(header) else read_own(header)


def _is_odd(header: str) -> bool:
    plain = header.isascii() and not header.encode().translate(None, _PLAIN)
    return not plain and _odd().search(header) is not None


@cache
def _odd() -> re.Pattern[str]:
    """To compile it takes half as long as to start Python, and most headers are ASCII."""
    return re.compile(_ODD)


def _mapping(
    rows: list[Row], at: int, column: int, cuts: list[tuple[int, int]], depth: int
) -> tuple[dict[str, Value], int]:
    """The mapping whose keys stand at ``column``, and the row after it."""
    if depth > DEPTH:
        raise _UnsureError
    result: dict[str, Value] = {}
    count = len(rows)
    while at < count:
        number, indent, dash, key, rest = rows[at]
        if indent < column:
            break
        if indent > column or dash or not key or key in result:
            raise _UnsureError
        at += 1
        if rest and is_simple(rest):
            result[key] = rest
        elif rest and rest[0] == "{":
            result[key] = _flow(rest)
        elif rest and rest[0] != "#":
            result[key] = _scalar(rest, number, cuts)
        else:
            value, at = _below(rows, at, column, cuts, depth)
            result[key] = value
            if value == "" and rest[1:2] not in ("", " "):
                cuts.append((number, len(rest)))
    return result, at


def _below(rows: list[Row], at: int, column: int, cuts: list[tuple[int, int]], depth: int) -> tuple[Value, int]:
    """The value of a key at ``column`` that has none on its line, and the row after it."""
    if at < len(rows):
        _, indent, dash, _, _ = rows[at]
        if dash and indent >= column:
            return _sequence(rows, at, indent, cuts, depth + 1)
        if indent > column:
            return _mapping(rows, at, indent, cuts, depth + 1)
    return "", at


def _sequence(
    rows: list[Row], at: int, column: int, cuts: list[tuple[int, int]], depth: int
) -> tuple[list[Value], int]:
    """The list whose dashes stand at ``column``, and the row after it."""
    result: list[Value] = []
    while at < len(rows):
        number, indent, dash, key, rest = rows[at]
        if indent < column or not dash:
            break
        if indent > column:
            raise _UnsureError
        if key:
            inner = indent + len(dash)
            rows[at] = (number, inner, "", key, rest)
            entry: Value
            entry, at = _mapping(rows, at, inner, cuts, depth + 1)
        elif rest:
            entry = _scalar(rest, number, cuts)
            at += 1
        else:
            raise _UnsureError
        result.append(entry)
    return result, at


def _flow(rest: str) -> dict[str, Value]:
    if not _FLOW.match(rest):
        raise _UnsureError
    pairs = [pair.partition(": ") for pair in rest.strip("{ }").split(", ") if pair]
    result: dict[str, Value] = {name: value for name, _, value in pairs}
    if len(result) != len(pairs):
        raise _UnsureError
    return result


def _scalar(rest: str, number: int, cuts: list[tuple[int, int]]) -> str:
    first = rest[0]
    if first == '"':
        if rest.find('"', 1) == len(rest) - 1 and "\\" not in rest:
            return rest[1:-1]
        match = _DOUBLE.match(rest)
        if match is None:
            raise _UnsureError
        text = match[1]
        return _ESCAPE.sub(_character, text) if "\\" in text else text
    if first == "'":
        match = _SINGLE.match(rest)
        if match is None:
            raise _UnsureError
        return match[1].replace("''", "'")
    if not _PLAIN_START.match(rest):
        raise _UnsureError
    comment = rest.find(" #")
    text = (rest if comment < 0 else rest[:comment]).rstrip(" ")
    if ": " in text or text[-1] == ":":
        raise _UnsureError
    if comment >= 0 and rest[comment + 2 : comment + 3] not in ("", " "):
        cuts.append((number, len(rest) - comment - 1))
    return text


def _character(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    if digits is None:
        char = _CHARACTERS.get(match[3])
        if char is None:
            raise _UnsureError
        return char
    char = chr(int(digits, 16))
    if "\ud800" <= char <= "\udfff":
        raise _UnsureError
    return char
