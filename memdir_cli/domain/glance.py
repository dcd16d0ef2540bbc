"""Glance: whether a memory file may hold anything that is looked for in all of them: secrets, hidden characters, and
wording to be wary of.

Most files hold nothing of it, and each rule that has to find that out by itself walks over the whole text. So the text
is walked over once. Its words are compared with those that were found harmless in other files: the words of a memdir
come again and again. Whatever is long enough for a token is compared with the beginnings of tokens. A glance may
say too often that there may be something, and never that there is nothing where a rule finds something.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memdir_cli.domain import wording
from memdir_cli.domain.hidden import PLAIN
from memdir_cli.domain.outline import crowded, spelt
from memdir_cli.domain.secret_table import FORMATS

#: Parts of words, in lower case, one of which stands in every text that holds a secret of several words.
TELLING = (
    "passw", "passphrase", "passe", "kennwort", "senha", "pwd", "credential", "secret", "token", "key", "login",
    "code", "otp", "bearer", "authorization", "putty",
)  # fmt: skip

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

#: Words that are no hint and in which nothing telling stands, from all that was looked at; so many are kept.
_harmless: set[bytes] = set()
_HARMLESS = 1 << 15


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


def glance(head: bytes, body: bytes, predicate: str) -> Glance | None:
    """What shows at the first look at a file, ``None`` where that says nothing.

    :param head: everything above the text, of a header in which every value stands as it is, on a line of its own.
    :param body: the text below the header.
    :param predicate: the key: a value is read with its key before it, as one line.
    """
    whole = head + body
    if not whole.isascii() or whole.translate(None, PLAIN):
        return None
    words = set(spelt(whole)).difference(_harmless)
    seen = wording.ANCHORS.intersection(words)
    telling = not seen.isdisjoint(_TELLING_HINTS) or _judge(words - seen)
    clear = not telling and not _is_literal(whole) and not _may_hold_token(head) and not _breaks(body)
    return Glance(clear, seen, crowded(whole, wording.STUFFED_WORDS - predicate.count(".")))


def _judge(words: set[bytes]) -> bool:
    """Whether one of the words is telling; those that are not need not be asked about again."""
    harmless = {word for word in words if not _is_telling(word)}
    if len(_harmless) + len(harmless) > _HARMLESS:
        _harmless.clear()
    _harmless.update(harmless)
    return len(harmless) < len(words)


def _is_telling(word: bytes) -> bool:
    written = word.decode()
    return any(part in written for part in TELLING)


_TELLING_HINTS = frozenset(word for word in wording.ANCHORS if word.isascii() and _is_telling(word))


def _is_literal(text: bytes) -> bool:
    return b"-u" in text or b"one-time" in text or (b"@" in text and b"://" in text)


def _breaks(body: bytes) -> bool:
    """Whether there may be a secret of one word in the text, or one that is broken over lines."""
    glued = b"".join([line.strip(_EDGES) for line in body.split(b"\n")])
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
    return any(_may_be_token(word) for word in _long_words(text))


def _long_words(text: bytes) -> Iterator[bytes]:
    """What of ``text`` may be a token by its length."""
    marked = text.translate(_TOKENS)
    at = marked.find(_LONG)
    while at >= 0:
        end = marked.find(b" ", at)
        end = end if end >= 0 else len(text)
        yield text[at:end]
        at = marked.find(_LONG, end)


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
