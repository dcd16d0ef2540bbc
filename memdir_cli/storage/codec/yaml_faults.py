"""What is wrong with a YAML text, in words, with its place and the quoted form to write instead."""

from __future__ import annotations

import re
from typing import Any

from memdir_cli.domain.text import printable
from memdir_cli.storage.codec.scalars import double_quote
from memdir_cli.storage.problems import PROBLEMS, Malformed, place

#: A pattern of the parser's complaint, and the reason it stands for. The first that matches counts.
_COMPLAINTS: tuple[tuple[str, str], ...] = (
    (r"scanning an alias", "alias"),
    (r"scanning an anchor", "anchor"),
    (r"scanning a tag|undefined tag", "tag"),
    (r"character '\\t'", "tab-indentation"),
    (r"that cannot start any token", "unquoted-indicator"),
    (r"mapping values are not allowed", "unquoted-colon"),
    (r"unknown escape|escape sequence|hexdecimal", "bad-escape"),
    (r"expected <document start>|expected '<document start>'|directive", "several-documents"),
    (r"recursion|nested", "too-deep"),
)

#: The reasons whose cure is to quote the value.
_QUOTABLE = frozenset({"alias", "anchor", "tag", "unquoted-indicator", "unquoted-colon", "text-after-quote"})

_LINE = re.compile(r"(?P<key>[ \t]*(?:- +)*[^\s:'\"#\-][^:\n]*?: +|[ \t]*(?:- +)+)(?P<value>\S.*?)[ \t]*$")
_AFTER_QUOTE = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*[^\s#]""")


def explain(error: Any, text: str, first_line: int) -> Malformed:
    """The parser's ``error`` about ``text`` as one of memdir's problems."""
    index = _index(error, text)
    complaint = " ".join(str(part) for part in (getattr(error, "context", ""), getattr(error, "problem", "")))
    if not complaint.strip():
        complaint = str(error)
    reason = next((word for pattern, word in _COMPLAINTS if re.search(pattern, complaint)), "invalid-yaml")
    line = _line(text, index)
    if "special characters are not allowed" in str(error):
        reason = "control-character"
    elif re.match(r" *\t", line):
        reason = "tab-indentation"
    elif reason == "invalid-yaml" and _text_after_quote(text, index):
        reason = "text-after-quote"
        index = _quote_start(text, index)
    return refuse(reason, text, index, first_line)


def refuse(reason: str, text: str, index: int, first_line: int, message: str = "") -> Malformed:
    """The problem ``reason`` at ``text[index]``, with the quoted form to write where that cures it."""
    line, column = place(text, index, first_line=first_line)
    cure = _quoted(_line(text, index)) if reason in _QUOTABLE else ""
    sentence = message or PROBLEMS[reason]
    if cure:
        sentence = f"{sentence} Write `{cure}`."
    return Malformed(reason, sentence, line=line, column=column)


def _index(error: Any, text: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return min(int(mark.index), len(text))
    position = getattr(error, "position", 0)
    return min(position, len(text)) if isinstance(position, int) else 0


def _line(text: str, index: int) -> str:
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    return text[start : len(text) if end < 0 else end].rstrip("\r")


def _quoted(line: str) -> str:
    """``line`` with its value in quotes, ``""`` if no value is seen in it."""
    match = _LINE.match(line)
    if match is None:
        return ""
    value = match["value"]
    return printable(f"{match['key'].strip()} {double_quote(value)}")


def _text_after_quote(text: str, index: int) -> bool:
    return _quote_start(text, index) >= 0


def _quote_start(text: str, index: int) -> int:
    """Index of the text that follows a closing quote on the line of ``index``, -1 if there is none."""
    start = text.rfind("\n", 0, index) + 1
    match = _LINE.match(_line(text, index))
    if match is None:
        return -1
    after = _AFTER_QUOTE.match(match["value"])
    return -1 if after is None else start + match.start("value") + after.end() - 1
