"""Text of memories on its way to a person: nothing in it may steer a terminal or hide."""

from __future__ import annotations


def printable(text: str) -> str:
    """``text`` with every control, format and odd space character replaced by its escape."""
    # nearly all has nothing to escape
    return text if text.isprintable() else "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()
