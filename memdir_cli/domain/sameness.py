"""Sameness: whether two memories of one identity say the same."""

from __future__ import annotations

from memdir_cli.domain.memory import Memory


def same_value(one: Memory, other: Memory) -> bool:
    """Whether both say the same, character for character; without values their bodies speak.

    Line ends around a body are nobody's statement.
    """
    if one.none or other.none:
        return one.none == other.none
    if one.value is None and other.value is None:
        return one.body.strip("\r\n") == other.body.strip("\r\n")
    return one.value == other.value
