"""Utterance: which words of a user's message are the user's own, and whether given words stand there.

A message is also the way in which other people's text comes: quotes, code, forwarded mail, pasted output, and what
the agent itself wraps around it. None of that is the user's. What is pasted without any mark cannot be told apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from memdir_cli.domain import foreign_table as table

#: Whether words stand in a message: as the user's own, only in what somebody else said, or not at all.
Standing = Literal["own", "quoted", "absent"]

#: Fewer words or letters prove nothing: they stand in every conversation.
WORDS, LETTERS = 2, 5

#: Stands for what was cut out; no word and no white space.
_CUT = "\0"

_TAG = re.compile(r"(^[^\S\n]*)?<(/?)([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,2000})?>", re.MULTILINE)
_FENCE = re.compile(r"\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})")
_QUOTED = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?>")
_LISTED = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")

#: Scripts that put no space between words; a letter there is a word of its own.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_GAP = rf"(?<=[{_UNSPACED}])\s+(?=[{_UNSPACED}])"
_WORD = rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+"
_BOUND = rf"[^\W{_UNSPACED}]"

#: A word where all is ASCII. The patterns above take longer to compile than all others together.
_PLAIN_WORD = re.compile(r"[^\W_]+")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def standing(said: str, text: str) -> Standing:
    """Whether ``said`` stands in the message ``text``: white space aside exactly, and between whole words."""
    words = plain(said)
    if not words or not _places(words, plain(text)):
        return "absent"
    return "own" if any(_stands(words, plain(part)) for part in own(text)) else "quoted"


def is_whole(said: str, text: str) -> bool:
    """Whether ``said`` is all that the user says in the message ``text``."""
    return plain(said) == plain(" ".join(own(text)))


def telling(said: str) -> bool:
    """Whether words are enough to be known again: one word, or ``go on``, is said in every conversation."""
    found = _PLAIN_WORD.findall(said) if said.isascii() else _compiled(_WORD).findall(said)
    letters = sum(len(word) if _is_bound(word[0]) else 2 for word in found)
    return len(found) >= WORDS and letters >= LETTERS


def plain(text: str) -> str:
    """``text`` in one form: NFC, a single space for all white space, none within a script that has none."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text if text.isascii() else _compiled(_GAP).sub("", text)


def own(text: str) -> tuple[str, ...]:
    """The stretches of a message that are the user's own, in order, each without a gap."""
    _, request, typed = text.rpartition(table.REQUEST)
    text = typed if request else text
    if text.lstrip().startswith(table.NOTICES):
        return ()
    kept = "\n".join(_lines(_without_elements(text.replace(_CUT, " ")).split("\n")))
    return tuple(part for part in kept.split(_CUT) if part.strip())


def _stands(words: str, part: str) -> bool:
    """Whether words stand in a stretch and are no quotation in it: a quotation may stand in them whole."""
    quotations = [(match.start(), match.end()) for pattern in _quotes() for match in pattern.finditer(part)]
    for start in _places(words, part):
        end = start + len(words)
        touched = [(first, last) for first, last in quotations if first < end and start < last]
        if all(start <= first and last <= end and (first, last) != (start, end) for first, last in touched):
            return True
    return False


def _places(words: str, text: str) -> list[int]:
    """Where ``words`` stand in ``text`` as whole words."""
    found = []
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not (_glued(text[start - 1 : start], words[0]) or _glued(words[-1], text[end : end + 1])):
            found.append(start)
        start = text.find(words, start + 1)
    return found


def _glued(left: str, right: str) -> bool:
    return _is_bound(left) and _is_bound(right)


def _is_bound(letter: str) -> bool:
    """Whether a letter belongs to the word beside it: there is one, and not of a script without spaces."""
    if letter.isascii():
        return letter.isalnum() or letter == "_"
    return _compiled(_BOUND).match(letter) is not None


def _without_elements(text: str) -> str:
    """``text`` without elements: those of agents anywhere, any other where its tag begins a line."""
    spans: list[tuple[int, int]] = []
    opened: dict[str, list[tuple[int, bool]]] = {}
    for tag in _TAG.finditer(text):
        name = tag[3].lower()
        if not tag[2]:
            opened.setdefault(name, []).append((tag.start(), name in table.WRAPPERS or tag[1] is not None))
        elif opened.get(name):
            start, counts = opened[name].pop()
            if counts:
                spans.append((start, tag.end()))
    spans += [(start, len(text)) for name in opened.keys() & table.WRAPPERS for start, _ in opened[name]]
    return _without(text, spans)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            parts.append(text[at : max(at, start)])
            at = end
    return _CUT.join([*parts, text[at:]])


def _lines(lines: list[str]) -> Iterator[str]:
    """The lines of a text; of those that are not the user's only a mark."""
    fence, pasted, before = "", False, ""
    code = True  # whether an indented line would be code: after an empty one
    for number, line in enumerate(lines):
        if fence:
            closed = line.strip()
            fence = "" if closed.startswith(fence) and not closed.strip(fence[0]) else fence
            continue
        mark = _FENCE.match(line)
        if mark is not None:
            fence = mark[1]
            yield _CUT
            continue
        if _is_mail(lines, number):
            return
        blank = not line.strip()
        pasted = not blank and (pasted or _pasted().fullmatch(line) is not None)
        code = blank or (code and _INDENTED.match(line) is not None and not _LISTED.match(before))
        before = before if blank else line
        yield _CUT if _QUOTED.match(line) or pasted or (code and not blank) else line


def _is_mail(lines: list[str], number: int) -> bool:
    """Whether from this line on somebody else's mail stands."""
    forwarded, head = _mail()
    if forwarded.fullmatch(lines[number].strip()):
        return True
    return all(head.fullmatch(line) for line in lines[number : number + 2]) and number + 1 < len(lines)


@cache
def _quotes() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in table.QUOTES)


@cache
def _pasted() -> re.Pattern[str]:
    return re.compile(table.PASTED)


@cache
def _mail() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(table.FORWARDED, re.IGNORECASE), re.compile(table.MAIL_HEAD, re.IGNORECASE)
