"""Hidden characters: what shows nothing and still steers a reader, a terminal or a model.

A code point of the table is harmless only where a script or an emoji needs it: joiners between letters of
scripts that join, variation selectors behind what has variants, the flags of three nations, tab and line ends.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from memdir_cli.shapes import dataclass

#: First and last code point, and what the group is called.
TABLE: tuple[tuple[int, int, str], ...] = (
    (0x00, 0x08, "control character"),
    (0x0B, 0x0C, "control character"),
    (0x0E, 0x1F, "control character"),
    (0x7F, 0x9F, "control character"),
    (0xAD, 0xAD, "soft hyphen"),
    (0x34F, 0x34F, "invisible joiner"),
    (0x61C, 0x61C, "direction mark"),
    (0x115F, 0x1160, "invisible letter"),
    (0x17B4, 0x17B5, "invisible letter"),
    (0x180B, 0x180D, "variation selector"),
    (0x180E, 0x180E, "invisible separator"),
    (0x180F, 0x180F, "variation selector"),
    (0x200B, 0x200B, "zero-width space"),
    (0x200C, 0x200D, "zero-width joiner"),
    (0x200E, 0x200F, "direction mark"),
    (0x202A, 0x202E, "direction override"),
    (0x2060, 0x2065, "invisible operator"),
    (0x2066, 0x2069, "direction isolate"),
    (0x206A, 0x206F, "deprecated format character"),
    (0x3164, 0x3164, "invisible letter"),
    (0xFE00, 0xFE0F, "variation selector"),
    (0xFEFF, 0xFEFF, "byte order mark"),
    (0xFFA0, 0xFFA0, "invisible letter"),
    (0xFFF9, 0xFFFB, "annotation mark"),
    (0x1BCA0, 0x1BCA3, "invisible format character"),
    (0x1D173, 0x1D17A, "invisible format character"),
    (0xE0000, 0xE007F, "tag character"),
    (0xE0080, 0xE00FF, "unassigned invisible character"),
    (0xE0100, 0xE01EF, "variation selector"),
    (0xE01F0, 0xE0FFF, "unassigned invisible character"),
)

#: Any character of the table.
TABLED = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last, _ in TABLE) + "]")

#: What every text may hold: printable ASCII, tab and line ends.
PLAIN = bytes([*range(0x20, 0x7F), *b"\t\n\r"])

#: Blocks of scripts in which a joiner between letters changes how they are written: Arabic to Thaana, the
#: scripts of India, Tibetan to Myanmar, Khmer, Mongolian, and the presentation forms of Arabic.
_JOINING = (
    (0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0x1A20, 0x1BFF), (0xA800, 0xAAFF),
    (0xABC0, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x11000, 0x114FF),
)  # fmt: skip

#: Characters with an emoji form that are no symbols by their category.
_EMOJI_TOO = frozenset("‼⁉™ℹ〰")

_KEYCAPS = frozenset("#*0123456789")

#: What a script, an emoji or a flag may need.
_NEEDED = frozenset(
    "\u200c\u200d"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080))))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)

#: England, Scotland, Wales: the only flags that are made of tags.
_FLAG = re.compile("\U0001f3f4" + "(?:%s)" % "|".join(  # noqa: UP031
    "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls")
))  # fmt: skip


@cache
def told(code: int) -> str:
    """A code point for people: ``U+200B zero-width space``."""
    name = next(name for first, last, name in TABLE if first <= code <= last)
    return f"U+{code:04X} {name}"


def places(text: str, *, file: bool = False) -> Iterator[int]:
    """The indices of the hidden characters of ``text``, in order.

    :param file: ``text`` is a whole file, which may begin with a byte order mark.
    """
    if _is_plain(text):
        return
    allowed = {at for flag in _FLAG.finditer(text) for at in range(*flag.span())} if "\U0001f3f4" in text else set()
    start = 1 if file and text[:1] == "\ufeff" else 0
    for match in TABLED.finditer(text, start):
        at = match.start()
        if text[at] not in _NEEDED or (at not in allowed and not _needed(text, at)):
            yield at


def stripped(text: str) -> str:
    """``text`` without any character of the table, needed or not."""
    return text if _is_plain(text) else TABLED.sub("", text)


#: Letters that look like those of ASCII, one for one: wide ones, and those of other scripts.
_ALIKE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u0410\u0412\u0415\u041a\u041c\u041d\u041e"
    "\u0420\u0421\u0422\u0425\u0406\u03bf\u03b1\u03c1\u03bd\u0399\u039f\u0391\u0392\u0395\u039d\u03a1\u03a4",
    "aeopcyxijsdhABEKMHOPCTXIoapvIOABENPT",
)


def folded(text: str) -> str:
    """``text`` with the letters in it that only look like those of ASCII; every character stays at its place."""
    return text if text.isascii() else text.translate(_ALIKE)


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A text from which something was taken out, and where each of its characters stood."""

    text: str
    _starts: tuple[int, ...]
    _shifts: tuple[int, ...]

    def origin(self, at: int) -> int:
        """The index in the first text of what is at ``at``."""
        return at + self._shifts[bisect_right(self._starts, at) - 1]


def squeeze(text: str, gone: re.Pattern[str] = TABLED) -> Squeezed:
    """``text`` without what ``gone`` finds; left out, without the characters of the table."""
    pieces: list[str] = []
    starts, shifts = [0], [0]
    last = size = 0
    for match in gone.finditer(text):
        pieces.append(text[last : match.start()])
        size += match.start() - last
        last = match.end()
        starts.append(size)
        shifts.append(last - size)
    pieces.append(text[last:])
    return Squeezed("".join(pieces), tuple(starts), tuple(shifts))


def _is_plain(text: str) -> bool:
    """Whether there is certainly nothing: most texts are such, and this is asked of each of them."""
    return text.isascii() and not text.encode().translate(None, PLAIN)


def _needed(text: str, at: int) -> bool:
    code = ord(text[at])
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before:
        return False
    if code == 0x200C:
        return _joins(before)
    if code == 0x200D:
        return _joins(before) or (_emoji_ends(before) and _is_symbol(after))
    if 0xFE00 <= code <= 0xFE0F:
        if before in _KEYCAPS:
            return code == 0xFE0F and after == "\u20e3"
        if code >= 0xFE0E:
            return _is_symbol(before) or before in _EMOJI_TOO
        return _is_symbol(before) or _is_ideograph(before)
    if 0xE0100 <= code <= 0xE01EF:
        return _is_ideograph(before)
    if 0x180B <= code <= 0x180F and code != 0x180E:
        return 0x1820 <= ord(before) <= 0x18AA
    return False


def _joins(char: str) -> bool:
    """Whether a joiner may stand behind ``char``: a letter or mark of a script that joins."""
    return unicodedata.category(char)[0] in "LM" and any(first <= ord(char) <= last for first, last in _JOINING)


def _emoji_ends(char: str) -> bool:
    # the colours of skin are symbols by their category
    return _is_symbol(char) or char == "\ufe0f"


def _is_symbol(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in {"So", "Sm", "Sk"} and not char.isascii()


def _is_ideograph(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK ")
