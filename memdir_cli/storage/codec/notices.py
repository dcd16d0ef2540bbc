"""Notices: what a reader of a header saw that is no error and still not what the writer meant."""

from __future__ import annotations

from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell about one place in a header.

    :ivar reason: stable word, so far only ``lost-tail``.
    :ivar line: 1-based line; in the file where the notice stands in a header of one.
    :ivar column: 1-based column in characters.
    """

    reason: str
    message: str
    line: int
    column: int


def lost_tail(text: str, number: int, length: int) -> Notice:
    """The notice of a value of which YAML drops the end, because a blank and ``#`` begin a comment.

    :param number: index of the line in ``text``.
    :param length: characters from the ``#`` to the end of the line.
    """
    line = text.split("\n")[number].rstrip("\r")
    tail = line[len(line) - length :]
    shown = tail if len(tail) <= 40 else f"{tail[:39]}…"
    message = f"The value ends before ` {shown}`: a blank and `#` begin a comment; quote the value to keep it."
    return Notice("lost-tail", message, number + 1, len(line) - length + 1)
