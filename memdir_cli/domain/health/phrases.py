"""Phrases: numbers in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


def many(count: int, one: str = "memory") -> str:
    """``1 memory``, ``3 memories``."""
    if count == 1:
        return f"1 {one}"
    return f"{count:,} {f'{one[:-1]}ies' if one.endswith('y') and one != 'day' else f'{one}s'}"


def said(sentence: str, count: int, one: str = "memory") -> str:
    """``sentence`` of ``count``: ``#`` is the number with its noun, ``[is|are]`` what goes with it."""
    chosen = _CHOICE.sub(lambda match: match[1] if count == 1 else match[2], sentence)
    return chosen.replace("#", many(count, one))


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def verb(count: int, one: str, more: str) -> str:
    """What goes with ``count``: ``is`` or ``are``."""
    return one if count == 1 else more
