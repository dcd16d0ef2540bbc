"""Glance: whether a memory file may hold anything that is looked for in all of them: secrets, hidden characters, and
wording to be wary of.

Most files hold nothing of it, and each rule that has to find that out by itself walks over the whole text. Here all of
them are answered together, and only about the lines that were not found harmless in other files: of a header, half the
lines come again and again. A glance may say too often that there may be something, and never that there is nothing
where a rule finds something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from memdir_cli.domain import wording
from memdir_cli.domain.hidden import PLAIN
from memdir_cli.domain.outline import crowded, spelt
from memdir_cli.domain.secret_table import FORMATS
from memdir_cli.shapes import dataclass

#: One of these stands, in lower case, in a word of every text that holds a secret of several words, if it holds neither
#: an option of a command, nor a code for one time, nor an address with a password.
TELLING = (
    "passw", "passphrase", "passe", "kennwort", "senha", "pwd", "credential", "secret", "token", "key", "login",
    "code", "otp", "bearer", "authorization", "putty",
)  # fmt: skip
_TELLING = re.compile("|".join(TELLING).encode())

#: What tokens of one word are made of as ``a``, the rest as blanks.
_TOKENS = bytes(ord("a") if chr(byte).isalnum() or byte in b"_-.,%+/=~@" else ord(" ") for byte in range(128)).ljust(
    256
)

#: Of the formats that are one word, the shortest first: length, anchor without punctuation, and whether upper case
#: counts the same.
_IN_WORDS = sorted(
    (form.least - form.before, anchor.strip(":"), form.folded)
    for form in FORMATS
    if form.least
    for anchor in form.anchors
)
_LONG = b"a" * _IN_WORDS[0][0]

#: What may stand at a line's ends inside a token that is broken over lines.
_EDGES = b" \t\r\\>"

#: Lines in which nothing can be found, and words in which nothing is telling, from the first files that were looked
#: at; about so many are kept.
_harmless: set[bytes] = set()
_harmless_words: set[bytes] = set()
_LINES, _WORDS = 1 << 12, 1 << 15

#: What is seen of a file, see :func:`glance`: everything above its text, the text, the key.
Seen = tuple[bytes, bytes, str]

#: So many files are looked at together at the most.
_TOGETHER = 32

#: So many words make no heap of words yet, whatever key stands before them.
_FEW_WORDS = wording.STUFFED_WORDS // 2


@dataclass(frozen=True, slots=True)
class Glance:
    """What a glance at one file shows.

    :ivar clear: there is certainly no secret in it and no hidden character.
    :ivar seen: the hints in it, and perhaps more.
    :ivar crowded: there may be a line of very many words.
    """

    clear: bool
    seen: wording.Hints
    crowded: bool


def glances(files: Sequence[Seen]) -> Iterator[Glance | None]:
    """What :func:`glance` shows of each file, for as many at once as are likely to be clear together."""
    at, size = 0, 1
    while at < len(files):
        group = files[at : at + size]
        together = _together(group) if size > 1 else None
        found = [glance(*one) for one in group] if together is None else together
        yield from found
        at += size
        # one that is not clear has all the others looked at one by one
        clear = all(sight is not None and sight.clear for sight in found)
        size = min(2 * size, _TOGETHER) if clear else 1


def _together(files: Sequence[Seen]) -> list[Glance | None] | None:
    """What a glance shows of each, ``None`` if they are not clear all together."""
    dots = max(predicate.count(".") for _, _, predicate in files)
    sight = _sight(b"\n".join([head + body for head, body, _ in files]), [body for _, body, _ in files], dots)
    if sight is None or not sight.clear or sight.crowded:
        return None
    if not sight.seen:
        return [sight] * len(files)
    # which of them it is that says something: only what one of them says is looked for
    texts = [(head + body).lower() for head, body, _ in files]
    return [_clear(frozenset([hint for hint in sight.seen if hint in text])) for text in texts]


@lru_cache(maxsize=1 << 10)
def _clear(seen: wording.Hints) -> Glance:
    return Glance(clear=True, seen=seen, crowded=False)


def glance(head: bytes, body: bytes, predicate: str) -> Glance | None:
    """What shows at the first look at a file, ``None`` where that says nothing.

    :param head: everything above the text, of a header in which every value stands as it is, on a line of its own.
    :param body: the text below the header.
    :param predicate: the key: a value is read with its key before it, as one line.
    """
    return _sight(head + body, (body,), predicate.count("."))


def _sight(whole: bytes, bodies: Iterable[bytes], dots: int) -> Glance | None:
    """What shows in all lines of ``whole``, with the texts of which they are a part."""
    if dots >= _FEW_WORDS:
        return None
    fresh = set(whole.split(b"\n")) - _harmless
    _learn(fresh)
    rest = b"\n".join(fresh)
    if rest.translate(None, PLAIN):
        return None
    words = set(spelt(rest))
    clear = not (_is_telling(rest, words) or _may_hold_token(rest) or _breaks(bodies))
    return Glance(clear, wording.ANCHORS.intersection(words), crowded(rest, wording.STUFFED_WORDS - dots))


def _learn(lines: set[bytes]) -> None:
    """Keep what of ``lines`` is harmless, as long as little is known."""
    if len(_harmless) < _LINES:
        _harmless.update(line for line in lines if _is_harmless(line))


def _is_harmless(line: bytes) -> bool:
    words = set(spelt(line))
    plain = not line.translate(None, PLAIN)
    wary = not wording.ANCHORS.isdisjoint(words) or crowded(line, _FEW_WORDS)
    return plain and not wary and not _is_telling(line, words) and not _may_hold_token(line)


def _is_telling(text: bytes, words: set[bytes]) -> bool:
    """Whether there may be a secret of several words in a text, which has these words."""
    strange = words - _harmless_words
    harmless = {word for word in strange if not _TELLING.search(word)}
    if harmless and len(_harmless_words) < _WORDS:
        _harmless_words.update(harmless)
    if len(harmless) < len(strange) or b"-u" in text or b"one-time" in text:
        return True
    return b"@" in text and b"://" in text


def _breaks(bodies: Iterable[bytes]) -> bool:
    """Whether there may be a secret of one word in one of the texts, or one that is broken over lines."""
    glued = b" ".join([b"".join([line.strip(_EDGES) for line in body.split(b"\n")]) for body in bodies])
    lower = glued.lower()
    return (
        _may_hold_token(glued)
        or b"private key" in lower
        or b"putty-user-key-file" in lower
        or b"bearer" in lower
        or b"authorization" in lower
        or (b"@" in lower and b"://" in lower)
    )


def _may_hold_token(text: bytes) -> bool:
    """Whether something in ``text`` may be a token, by its length and its beginning."""
    marked = text.translate(_TOKENS)
    at = marked.find(_LONG)
    while at >= 0:
        end = marked.find(b" ", at)
        if _may_be_token(text[at : end if end >= 0 else len(text)]):
            return True
        at = marked.find(_LONG, end) if end >= 0 else end
    return False


@lru_cache(maxsize=1 << 14)
def _may_be_token(word: bytes) -> bool:
    """Whether the anchor of a format that is no longer stands in a word: paths come again and again."""
    written = word.decode()
    lower = written.lower()
    for least, anchor, folded in _IN_WORDS:
        if least > len(written):
            return False
        if anchor in (lower if folded else written):
            return True
    return False
