"""Text of memories on its way to a person: nothing in it may steer a terminal or hide."""

from __future__ import annotations


def printable(text: str) -> str:
    """``text`` with every control, format and odd space character replaced by its escape."""
    if text.isascii() and text.isprintable():
        return text
    # dear to import, and seldom needed
    import unicodedata

    return "".join(_escaped(char) if unicodedata.category(char)[0] in "CZ" and char != " " else char for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()
