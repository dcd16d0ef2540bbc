"""Outline: what kinds of characters a text is made of, seen without reading it word by word.

Most texts hold nothing that a rule looks for, and these questions show it at the price of a copy of the text.
Each may say yes too often, and never no where it should say yes.
"""

from __future__ import annotations

_BLANKS = frozenset(b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f ")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset(b"0123456789")

#: A letter of any script as ``a``, a digit as ``0``, a blank as a blank; the rest is left out.
_KINDS = bytes(
    ord("0") if byte in _DIGITS else ord(" ") if byte in _BLANKS else ord("a")
    for byte in range(256)
)  # fmt: skip
_REST = bytes(byte for byte in range(128) if byte not in _BLANKS | _LETTERS | _DIGITS)

#: Blanks and what is no ASCII as blanks.
_SOLID = bytes(ord(" ") if byte in _BLANKS or byte >= 128 else ord("a") for byte in range(256))

#: What words are made of, and what joins the parts of one; not line ends.
_IN_WORDS = bytes(_LETTERS | _DIGITS | frozenset(b"_'-"))

#: What words are made of as ``a``, everything else as blanks.
_WORDY = bytes(ord("a") if byte in _IN_WORDS else ord(" ") for byte in range(256))

#: What joins words in a line as blanks; the words are left out.
_BETWEEN = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))

#: So many characters a word has at most, as patterns count them.
_WORD = 41
_LONGER = b"a" * (_WORD + 1)

#: Letters of ASCII in lower case, everything else as blanks.
_SPELT = bytes(byte | 32 if byte in _LETTERS else ord(" ") for byte in range(256))


#: Whether a text may hold a word with a letter and a digit, a number of four digits, and what is no ASCII.
Outline = tuple[bool, bool, bool]
ANYTHING: Outline = (True, True, True)


def outline(text: str) -> Outline:
    """What ``text`` may hold; of digits those of ASCII count where there is nothing else."""
    kinds = _bytes(text).translate(_KINDS, _REST)
    digits, foreign = b"0" in kinds, not text.isascii()
    mixed = digits and (b"a0" in kinds or b"0a" in kinds)
    number = digits and (b"0000" in kinds or b"000 000" in kinds)
    return mixed, number or foreign, foreign


def long_words(text: str, least: int) -> list[str]:
    """The words of ``text`` in which ``least`` characters of ASCII stand in a row."""
    if b"a" * least not in _bytes(text).translate(_SOLID):
        return []
    return [word for word in text.split() if len(word) >= least]


def crowded(text: str | bytes, words: int) -> bool:
    """Whether a line may hold so many words, each of at most 41 letters, digits, dashes and apostrophes."""
    written = _bytes(text)
    if not written.isascii():
        return True
    # one between each and the next
    if b" " * (words - 1) in written.translate(_BETWEEN, _IN_WORDS):
        return True
    if _LONGER not in written.translate(_WORDY):
        return False
    # a run that is longer than a word counts as several
    lines = ((len(line.translate(None, _IN_WORDS)), len(line)) for line in written.split(b"\n"))
    return any(between + size // _WORD + 1 >= words for between, size in lines)


def spelt(text: str | bytes) -> list[bytes]:
    """The words of ``text`` that are made of the letters a to z, in lower case; what joins them counts as a blank."""
    return _bytes(text).translate(_SPELT).split()


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
