"""Markdown: text that was written by anybody, put on a line of ours from which it can not break out."""

from __future__ import annotations

from memdir_cli.domain.text import printable


def plain(text: str) -> str:
    """``text`` on one line, with nothing in it that Markdown or a terminal would take for structure."""
    line = printable(" ".join(text.split()))
    return line.replace("<!--", "&lt;!--").replace("```", "'''")


def code(text: str) -> str:
    """``text`` as one span of code on one line, however many backticks it holds."""
    shown = printable(text)
    fence = "`"
    while fence in shown:
        fence += "`"
    pad = " " if not shown or shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def cut(text: str, size: int) -> str:
    """``text``, or its beginning and ``…``."""
    return text if len(text) <= size else f"{text[: size - 1]}…"
