"""Wording: what a text says that should make its reader wary, by place and pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from memdir_cli.domain import hidden
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.outline import crowded, spelt
from memdir_cli.domain.wording_table import INJECTION, PERMISSION, TEMPORARY, UNIVERSAL, Phrase
from memdir_cli.shapes import dataclass

#: Words in a row from which on a list of them may have been written to be found, not to be read.
STUFFED_WORDS = 30

#: Up to so many of a hundred words are function words in a list that nobody reads.
_READ = 4

#: So many of a hundred words that are the same make a list that nobody reads.
_SHARE = 20

_FUNCTION_WORDS = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "for", "from", "has", "have", "if", "in",
        "into", "is", "it", "its", "no", "not", "of", "on", "only", "or", "so", "that", "the", "then", "there", "this",
        "to", "use", "was", "we", "when", "which", "with", "you", "your", "der", "die", "das", "und", "ist", "le", "la",
        "les", "de", "et", "el", "los", "que", "y", "es", "en",
    }
)  # fmt: skip

#: Where a line ends and the sentence does not: the next one is neither empty nor an entry, a heading or a quotation.
_LINE_END = re.compile(r"\n(?=[ \t]{0,3}[^\W\d_])")

_WORD = re.compile(r"[^\W\d_][\w'-]{1,40}")


#: The anchors of all tables that stand in a text, in UTF-8.
Hints = frozenset[bytes]

#: The anchors of a phrase, those beside them, and the phrase.
_Row = tuple[Hints, Hints, Phrase]


def _coded(words: Iterable[str]) -> Hints:
    return frozenset(word.encode() for word in words)


def _table(phrases: Iterable[Phrase]) -> tuple[_Row, ...]:
    return tuple((_coded(phrase.anchors), _coded(phrase.beside), phrase) for phrase in phrases)


_INJECTION, _PERMISSION = _table(INJECTION), _table(PERMISSION)
_UNIVERSAL, _TEMPORARY = _table(UNIVERSAL), _table(TEMPORARY)
_TABLES = {"injection": _INJECTION, "permission": _PERMISSION, "universal": _UNIVERSAL, "temporary": _TEMPORARY}

#: Everything that the looks below go by.
ANCHORS = Hints().union(
    *(anchors | beside for anchors, beside, _ in (*_INJECTION, *_PERMISSION, *_UNIVERSAL, *_TEMPORARY))
)
_FOREIGN = tuple(word.decode() for word in ANCHORS if not word.isascii())


def hints(text: str) -> Hints:
    """What stands in ``text`` of all that the looks below go by: to be asked once for many of them."""
    found = ANCHORS.intersection(spelt(text))
    if text.isascii():
        return found
    bare = hidden.stripped(text)
    lower = bare.lower()
    alike = hidden.folded(bare)
    if alike != bare:
        found |= ANCHORS.intersection(spelt(alike))
    return found.union(ANCHORS.intersection(spelt(bare)), _coded(word for word in _FOREIGN if word in lower))


@lru_cache(maxsize=1 << 12)
def looks(seen: Hints) -> frozenset[str]:
    """The names of the looks below that may find something in a text with these hints; few texts have others."""
    return frozenset(name for name, table in _TABLES.items() if any(_may_stand(row, seen) for row in table))


def _may_stand(row: _Row, seen: Hints) -> bool:
    anchors, beside, _ = row
    return not anchors.isdisjoint(seen) and (not beside or not beside.isdisjoint(seen))


@dataclass(frozen=True, slots=True)
class Match:
    """One passage: the name of its pattern and its place in the text."""

    name: str
    start: int
    end: int


def injection(text: str, seen: Hints | None = None) -> Match | None:
    """The first passage that orders its reader about.

    :param seen: the :func:`hints` of this text, or of one that it is a part of.
    """
    return _first(text, _INJECTION, seen)


def permission(text: str, seen: Hints | None = None) -> Match | None:
    """The first passage that grants a permission; as :func:`injection`."""
    return _first(text, _PERMISSION, seen)


def grants(memory: Memory, *, whole: bool = False) -> bool:
    """Whether the lines by which an agent would be given ``memory`` grant a permission.

    :param whole: the text beside a value is given as well.
    """
    scope = memory.scope
    value = f"{memory.predicate}: {memory.value}" if memory.value is not None else memory.body
    beside = memory.body if whole else ""
    # a key and a condition are words that an agent reads too
    key = re.sub(r"[-_.]", " ", memory.predicate)
    conditions = (f"{name} {words}" for name, words in scope.environment)
    texts = (value, memory.description, memory.name, beside, key, scope.topic, *conditions)
    return any(permission(text) is not None for text in texts if text)


def universal(text: str, seen: Hints | None = None) -> Match | None:
    """The first word that claims to hold everywhere or for ever; as :func:`injection`."""
    return _first(text, _UNIVERSAL, seen)


def temporary(text: str, seen: Hints | None = None) -> Match | None:
    """The first word by which what is said ends soon; as :func:`injection`."""
    return _first(text, _TEMPORARY, seen)


def stuffed(text: str) -> Match | None:
    """The first line that is a heap of words to be found by, and no sentence."""
    if not crowded(text, STUFFED_WORDS):
        return None
    at = 0
    for line in text.split("\n"):
        if _is_stuffed(line):
            return Match("stuffed", at, at + len(line))
        at += len(line) + 1
    return None


def _is_stuffed(line: str) -> bool:
    words = _WORD.findall(line)
    if len(words) < STUFFED_WORDS or "`" in line or "://" in line or "|" in line:
        return False
    # a list of names thanks people
    if 2 * sum(word[0].isupper() for word in words) >= len(words):
        return False
    content = [lower for word in words if (lower := word.lower()) not in _FUNCTION_WORDS]
    # a point behind the last word makes no sentence
    sentences = re.search(r"[.!?。]\s", line.rstrip(" \t\r.!?。"))
    if (len(words) - len(content)) * 100 <= _READ * len(words) and not sentences:
        return True
    most = max((content.count(word) for word in set(content[:200])), default=0)
    return most * 100 >= _SHARE * len(words)


def _first(text: str, table: tuple[_Row, ...], seen: Hints | None) -> Match | None:
    """The first match of a table; hidden characters, letters that look alike, or the end of a line do not hide it."""
    seen = hints(text) if seen is None else seen
    rows = [row[2] for row in table if _may_stand(row, seen)] if seen else []
    found = _earliest(text, rows)
    if found is None and rows and (alike := _LINE_END.sub(" ", hidden.folded(text))) != text:
        found = _earliest(alike, rows)
    if found is None and rows and (bare := hidden.stripped(text)) != text:
        found = _earliest(bare, rows)
        if found is not None:
            squeezed = hidden.squeeze(text)
            return Match(found.name, squeezed.origin(found.start), squeezed.origin(found.end - 1) + 1)
    return found


def _earliest(text: str, phrases: Iterable[Phrase]) -> Match | None:
    return min(
        (match for phrase in phrases for match in _matches(text, phrase)), key=lambda match: match.start, default=None
    )


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
