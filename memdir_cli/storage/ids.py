"""Random ids: the only place where chance enters a memdir."""

from __future__ import annotations

import os

from memdir_cli.domain.ids import ALPHABET as ALPHABET
from memdir_cli.domain.ids import LENGTH as LENGTH
from memdir_cli.domain.ids import LETTERS as LETTERS
from memdir_cli.domain.ids import spelt


def new_id() -> str:
    """A new memory id: 13 characters, 60 random bits after a leading letter."""
    return spelt(os.urandom(LENGTH))


def new_transaction_id() -> str:
    """A new transaction id, of the same form as a memory id."""
    return new_id()
