"""Nesting: how deep a text goes, told before a reader tries to follow."""

from __future__ import annotations

import re

#: Brackets open at once beyond which nobody means what stands there, and readers of YAML take ever longer.
BEYOND_ALL_BOUNDS = 500

_BRACKET = re.compile(r"[\[\]{}]")


def is_bottomless(text: str) -> bool:
    """Whether more brackets are open at once than any configuration has, wherever they stand."""
    depth = 0
    for bracket in _BRACKET.findall(text):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        if depth > BEYOND_ALL_BOUNDS:
            return True
    return False
