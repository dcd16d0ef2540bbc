"""Terms: the words of a text as they are looked for. Case, accents and spelling of a letter do not count.

Scripts that put no spaces between words, and Korean, which glues particles to them, are cut into pairs of letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_RUN_LETTERS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(f"([{_RUN_LETTERS}]+)|[^{_RUN_LETTERS}]+")
_LETTER = re.compile(f"[{_RUN_LETTERS}]")
_PIECE = re.compile("[a-z0-9]+|[^\x00-\x7f]+")

#: Accents and other marks above and below letters; marks that are part of a letter, as in Hindi, are not among them.
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")

#: English words that stand in every question: they are looked for only where nothing else is asked for.
STOP = frozenset(
    re.findall(
        r"\w+",
        """a about after again all also am an and any are as at be because been before being but by can could did do
    doing down during each few for from further had has have having he her here hers him his how i if in into is it
    its itself just me more most my no nor not now of off on once only or other our ours out over own same she should
    so some such than that the their theirs them then there these they this those through to too under until up use
    used very was we were what when where which while who whom why will with would you your yours""",
    )
)

#: Lengths from which on a word may be misspelt by one letter, and by two.
ONE_WRONG, TWO_WRONG = 4, 8

#: A word that is not known is taken for the beginning of others from this length on.
BEGINNING = 3


def folded(text: str) -> str:
    """``text`` without what does not count; equal for all ways to write the same letters."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = unicodedata.normalize("NFKC", _ACCENTS.sub("", apart)).casefold()
    return unicodedata.normalize("NFKC", bare)


def indexed(text: str) -> str:
    """The terms of ``text`` with spaces between them, for an index that parts words at all ASCII punctuation."""
    plain = folded(text)
    return plain if plain.isascii() else " ".join(_indexed(plain))


def asked(text: str) -> tuple[str, ...]:
    """The words to look for, in order, each once."""
    words = tuple(dict.fromkeys(_asked(folded(text))))
    return tuple(word for word in words if word not in STOP) or words


def is_letter(word: str) -> bool:
    """Whether a word is a single letter of an unspaced script: in an index it begins pairs, or stands alone."""
    return _LETTER.fullmatch(word) is not None


def misspelt(word: str, known: Iterable[str]) -> list[str]:
    """Those of ``known`` from which ``word`` differs least, by as many letters as its length allows, sorted."""
    limit = 0 if len(word) < ONE_WRONG else 1 if len(word) < TWO_WRONG else 2
    letters, length = set(word), len(word)
    found: dict[int, list[str]] = {}
    for term in known if limit else ():
        if abs(len(term) - length) <= limit and len(letters.difference(term)) <= limit >= len(set(term) - letters):
            distance = _distance(word, term)
            if distance <= limit:
                found.setdefault(distance, []).append(term)
    return sorted(found[min(found)]) if found else []


def _pieces(plain: str) -> Iterator[tuple[str, bool]]:
    """Words and runs of unspaced letters, in order, and whether each is such a run."""
    for piece in _PIECE.findall(plain):
        if piece.isascii():
            yield piece, False
            continue
        for match in _RUN.finditer(piece):
            if match[1]:
                yield match[1], True
            else:
                yield from ((word, False) for word in _words(match[0]))


def _words(text: str) -> list[str]:
    kept = (char if char.isalnum() or unicodedata.category(char)[0] == "M" else " " for char in text)
    return "".join(kept).split()


def _indexed(plain: str) -> Iterator[str]:
    for piece, run in _pieces(plain):
        if run:
            yield from _pairs(piece)
            # each letter begins a term, so that it is found alone too
            yield piece[-1]
        else:
            yield piece


def _asked(plain: str) -> Iterator[str]:
    for piece, run in _pieces(plain):
        if run and len(piece) > 1:
            yield from _pairs(piece)
        else:
            yield piece


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


def _distance(one: str, other: str) -> int:
    """How many letters were left out, added, changed, or swapped with the next one."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        line = [row]
        for column, opposite in enumerate(other, start=1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != opposite))
            swapped = row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == opposite
            line.append(min(cost, before[column - 2] + 1) if swapped else cost)
        before, above = above, line
    return above[-1]
