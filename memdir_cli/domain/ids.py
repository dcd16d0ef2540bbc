"""The form of ids: what chance or a checksum is spelt in."""

from __future__ import annotations

import hashlib

#: Crockford's base 32 in lower case: no i, l, o, u, which are misread or spell words.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LETTERS = ALPHABET[10:]
LENGTH = 13


def spelt(numbers: bytes) -> str:
    """An id from at least :data:`LENGTH` bytes.

    It begins with a letter, which keeps every YAML reader from taking it for a number.
    """
    first, *rest = numbers[:LENGTH]
    return LETTERS[first % len(LETTERS)] + "".join(ALPHABET[byte % len(ALPHABET)] for byte in rest)


def derived(*texts: str) -> str:
    """The id that every machine makes of the same texts."""
    # lengths keep ("ab", "c") and ("a", "bc") apart
    message = "".join(f"{len(text)}:{text}" for text in texts).encode("utf-8", "surrogatepass")
    return spelt(hashlib.sha256(message).digest())
