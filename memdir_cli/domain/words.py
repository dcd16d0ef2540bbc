"""Words of a text, also of texts that put no spaces between them, and how many two texts share."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator

from memdir_cli.domain.memory import Memory

#: A script that is written without spaces is cut into pairs of letters: the surest word there is.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip


def words(text: str) -> dict[str, None]:
    """The words of ``text``, case-folded, in order, each once."""
    return dict.fromkeys(_words(unicodedata.normalize("NFKC", text).casefold()))


def overlap(asked: Collection[str], memory: Memory) -> int:
    """How many of the words asked for stand in key, value, topic, description or body of a memory."""
    scope = memory.scope
    texts = (memory.predicate, memory.value or "", scope.topic or "", memory.description, memory.body)
    found = words("\n".join(texts))
    return sum(word in found for word in asked)


def _words(text: str) -> Iterator[str]:
    word = ""
    last = ""  # the letter before, if it was of an unspaced script
    for char in f"{text} ":
        unspaced = _unspaced(char)
        if not unspaced and (char.isalnum() or unicodedata.category(char)[0] == "M"):
            word += char
        elif word:
            yield word
            word = ""
        if unspaced:
            yield last + char if last else char
        last = char if unspaced else ""


def _unspaced(char: str) -> bool:
    code = ord(char)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSPACED)
