"""Wording: what a text says that should make its reader wary, by place and pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from memdir_cli.domain import hidden
from memdir_cli.domain.wording_table import INJECTION, PERMISSION, TEMPORARY, UNIVERSAL, Phrase

#: Words in a row from which on a list of them may have been written to be found, not to be read.
STUFFED_WORDS = 30

#: Up to so many of a hundred words are function words in a list that nobody reads.
_READ = 4

#: How often, and of how many of a hundred words, the same word makes a list that nobody reads.
_REPEATED, _SHARE = 6, 20

_FUNCTION_WORDS = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "for", "from", "has", "have", "if", "in",
        "into", "is", "it", "its", "no", "not", "of", "on", "only", "or", "so", "that", "the", "then", "there", "this",
        "to", "use", "was", "we", "when", "which", "with", "you", "your", "der", "die", "das", "und", "ist", "le", "la",
        "les", "de", "et", "el", "los", "que", "y", "es", "en",
    }
)  # fmt: skip

_WORD = re.compile(r"[^\W\d_][\w'-]{1,40}")


@dataclass(frozen=True, slots=True)
class _Table:
    """Phrases, and which of them to look for where an anchor stands in a text."""

    phrases: tuple[Phrase, ...]
    anchors: tuple[tuple[str, int], ...]


def _table(phrases: tuple[Phrase, ...]) -> _Table:
    return _Table(phrases, tuple((anchor, at) for at, phrase in enumerate(phrases) for anchor in phrase.anchors))


_INJECTION, _PERMISSION = _table(INJECTION), _table(PERMISSION)
_UNIVERSAL, _TEMPORARY = _table(UNIVERSAL), _table(TEMPORARY)


@dataclass(frozen=True, slots=True)
class Match:
    """One passage: the name of its pattern and its place in the text."""

    name: str
    start: int
    end: int


def injection(text: str) -> Match | None:
    """The first passage that orders its reader about."""
    return _first(text, _INJECTION)


def permission(text: str) -> Match | None:
    """The first passage that grants a permission."""
    return _first(text, _PERMISSION)


def universal(text: str) -> Match | None:
    """The first word that claims to hold everywhere or for ever."""
    return _first(text, _UNIVERSAL)


def temporary(text: str) -> Match | None:
    """The first word by which what is said ends soon."""
    return _first(text, _TEMPORARY)


def stuffed(text: str) -> Match | None:
    """The first line that is a heap of words to be found by, and no sentence."""
    at = 0
    for line in text.split("\n"):
        # a line of fewer characters cannot hold the words
        if len(line) >= 2 * STUFFED_WORDS and _is_stuffed(line):
            return Match("stuffed", at, at + len(line))
        at += len(line) + 1
    return None


def _is_stuffed(line: str) -> bool:
    found = _WORD.findall(line)
    # a list of names thanks people
    names = sum(word[0].isupper() for word in found)
    words = [word.lower() for word in found if 2 * names < len(found)]
    if len(words) < STUFFED_WORDS or "`" in line or "://" in line or "|" in line:
        return False
    content = [word for word in words if word not in _FUNCTION_WORDS]
    if (len(words) - len(content)) * 100 <= _READ * len(words) and not re.search(r"[.!?。](?:\s|$)", line[:-1]):
        return True
    most = max((content.count(word) for word in set(content[:200])), default=0)
    return most >= _REPEATED and most * 100 >= _SHARE * len(words)


def _first(text: str, table: _Table) -> Match | None:
    """The first match of a table; hidden characters inside a phrase do not hide it."""
    found = min(_all(text, table), key=lambda match: match.start, default=None)
    if found is None and hidden.stripped(text) != text:
        squeezed = hidden.squeeze(text)
        bare = _first(squeezed.text, table)
        if bare is not None:
            return Match(bare.name, squeezed.origin(bare.start), squeezed.origin(bare.end - 1) + 1)
    return found


def _all(text: str, table: _Table) -> Iterator[Match]:
    lower = text.lower()
    # most texts hold no anchor at all, so this is what a look costs
    for at in sorted({at for anchor, at in table.anchors if anchor in lower}):
        yield from _matches(text, table.phrases[at])


def _matches(text: str, phrase: Phrase) -> Iterator[Match]:
    """The first passage of a phrase that nothing before it turns into its opposite."""
    for match in _compiled(phrase.pattern).finditer(text):
        before = text[max(0, match.start() - 60) : match.start()]
        if not phrase.unless or _compiled(phrase.unless).search(before) is None:
            yield Match(phrase.name, match.start(), match.end())
            break


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
