"""Random ids: the only place where chance enters a memdir."""

from __future__ import annotations

import os

#: Crockford's base 32 in lower case: no i, l, o, u, which are misread or spell words.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LETTERS = ALPHABET[10:]
LENGTH = 13


def new_id() -> str:
    """A new memory id: 13 characters, 60 random bits after a leading letter.

    The letter keeps every YAML reader from taking an id for a number.
    """
    first, *rest = os.urandom(LENGTH)
    return LETTERS[first % len(LETTERS)] + "".join(ALPHABET[byte % 32] for byte in rest)


def new_transaction_id() -> str:
    """A new transaction id, of the same form as a memory id."""
    return new_id()
