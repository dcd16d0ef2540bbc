"""What is wrong with a YAML text, in words, with its place and the quoted form to write instead."""

from __future__ import annotations

import re
from typing import Any

from memdir_cli.domain.text import printable
from memdir_cli.storage.codec.scalars import double_quote
from memdir_cli.storage.problems import PROBLEMS, Malformed, place

#: A pattern of the parser's complaint, the reason it stands for, and whether the place is where the
#: broken thing begins (rather than where the parser gave up). The first that matches counts.
_COMPLAINTS: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern), reason, at_beginning)
    for pattern, reason, at_beginning in (
        (r"special characters are not allowed", "control-character", False),
        (r"document (start|end)>|after document|directive", "several-documents", False),
        (r"scanning an alias", "alias", True),
        (r"scanning an anchor", "anchor", True),
        (r"(scanning|parsing) an? tag|undefined tag|tag handle", "tag", True),
        (r"character '\\t'", "tab-indentation", False),
        (r"that cannot start any token", "unquoted-indicator", False),
        (r"parsing a flow", "unclosed-bracket", True),
        (r"(sequence entries|mapping keys) are not allowed", "unquoted-indicator", False),
        (r"expected the node content|scanning a block scalar", "unquoted-indicator", False),
        (r"mapping values are not allowed", "unquoted-colon", False),
        (r"could not find expected ':'", "missing-colon", True),
        (r"quoted scalar.*unexpected (end of stream|document separator)", "unclosed-quote", True),
        (r"unknown escape|escape sequence|hexdecimal|hexadecimal", "bad-escape", False),
    )
)

#: The reasons whose cure is to quote the value.
_QUOTABLE = frozenset(
    {
        "alias", "anchor", "tag", "unquoted-indicator", "unquoted-colon", "text-after-quote",
        "text-after-bracket", "unclosed-bracket", "unclosed-quote", "bad-escape", "complex-key",
    }
)  # fmt: skip

#: A line with a value: what stands before it, and the value. A key that begins as no key can is none.
_LINE = re.compile(r"(?P<key>[ \t]*(?:- +)*[^\s:'\"#\-\[\]{},&*!|>%@`?][^:\n]*?: +|[ \t]*(?:- +)+)(?P<value>[^\s#].*)")
#: What no key begins with unquoted, however it is indented.
_RESERVED = frozenset("@`%,]}|>")
#: A line that YAML takes for a directive, though it is none, up to where a document is then missed.
_DIRECTIVE = re.compile(r"^%(?!(?:YAML|TAG)\b).*\n(?:[ \t]*(?:#.*)?\n)*\Z", re.MULTILINE)
_AFTER_QUOTE = re.compile(r"""("(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')[ \t]*(?=[^\s#])""")

#: Characters of a value that a message shows.
_SHOWN = 120


def explain(error: Any, text: str, first_line: int) -> Malformed:
    """The parser's ``error`` about ``text`` as one of memdir's problems."""
    words = [str(getattr(error, part, None) or "") for part in ("context", "problem")]
    complaint = " ".join(words) if any(words) else str(error)
    for pattern, reason, at_beginning in _COMPLAINTS:
        if pattern.search(complaint):
            index = _index(error, text, at_beginning=at_beginning)
            if reason == "unclosed-bracket" and text[index : index + 1] not in ("[", "{"):
                index = max(text.rfind("[", 0, index), text.rfind("{", 0, index))
            if reason == "several-documents" and (directive := _DIRECTIVE.search(text[:index])):
                reason, index = "unquoted-indicator", directive.start()
            return _told(reason, text, index, first_line)
    index = _index(error, text, at_beginning=False)
    reason, index = _after_value(text, index)
    said = printable(words[1]).split("\n")[0]
    message = f"The header is not valid YAML: {said}." if said and reason == "invalid-yaml" else ""
    return _told(reason, text, index, first_line, message)


def refuse(reason: str, text: str, index: int, first_line: int, message: str = "") -> Malformed:
    """The problem ``reason`` at ``text[index]``, with the quoted form to write where that cures it."""
    line, column = place(text, index, first_line=first_line)
    sentence = message or PROBLEMS[reason]
    cure = _quoted(_line(text, index), braces=reason == "complex-key") if reason in _QUOTABLE else ""
    if cure:
        sentence = f"{sentence} To mean the text, write `{cure}`."
    return Malformed(reason, sentence, line=line, column=column)


def _told(reason: str, text: str, index: int, first_line: int, message: str = "") -> Malformed:
    before = text[_start(text, index) : index]
    if (reason == "unquoted-colon" and not re.search(r":\s", before)) or (
        reason == "unquoted-indicator" and not before.strip() and text[index : index + 1] not in _RESERVED
    ):
        # nothing is wrong with the line but where it stands: below something that has a value
        reason = "bad-indentation"
    return refuse(reason, text, index, first_line, message)


def _index(error: Any, text: str, *, at_beginning: bool) -> int:
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    mark = next((mark for mark in (reversed(marks) if at_beginning else marks) if mark is not None), None)
    if mark is not None:
        return min(int(mark.index), len(text))
    return min(int(getattr(error, "position", 0)), len(text))


def _start(text: str, index: int) -> int:
    """Where the line begins in which ``text[index]`` stands."""
    return text.rfind("\n", 0, index) + 1


def _line(text: str, index: int) -> str:
    return text[_start(text, index) :].partition("\n")[0]


def _quoted(line: str, *, braces: bool) -> str:
    """``line`` with its value in quotes, ``""`` if no value is seen in it or it is too long to be shown.

    :param braces: only where the value begins with a brace or a bracket.
    """
    match = _LINE.match(line)
    if match is None or len(line) > _SHOWN or (braces and match["value"][0] not in "[{"):
        return ""
    value = re.split(r"\s+#\s", match["value"])[0].rstrip()
    return printable(f"{match['key'].strip()} {double_quote(value)}")


def _after_value(text: str, index: int) -> tuple[str, int]:
    """Whether the line of ``index`` has text behind a quoted or bracketed value, or begins at the wrong column."""
    start = _start(text, index)
    if text[index : index + 1] in _RESERVED and not text[start:index].strip(" "):
        return "unquoted-indicator", index
    if re.fullmatch(" +", text[start:index]):
        return "bad-indentation", index
    match = _LINE.match(_line(text, index))
    if match is None:
        return "invalid-yaml", index
    after = _AFTER_QUOTE.match(match["value"])
    if after is not None:
        return "text-after-quote", start + match.start("value") + after.end()
    if match["value"][0] in "[{":
        return "text-after-bracket", index
    return "invalid-yaml", index
