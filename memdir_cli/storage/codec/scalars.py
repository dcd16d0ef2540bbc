"""Text to YAML: one line that every YAML 1.1 and 1.2 reader takes for exactly that text."""

from __future__ import annotations

import re

from memdir_cli.errors import UsageError

#: A value as a header holds it: every scalar is text.
Value = str | list["Value"] | dict[str, "Value"]

#: Begins with a letter, so that it is no number, date, or indicator; `: ` and ` #` are looked for apart.
_PLAIN = re.compile(r"[^\W\d_](?:[^#:\\]|:(?=\S))*\Z")

#: Words that some reader takes for a boolean, a null or a number.
_WORDS = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "nan", "inf", "infinity"}
)

#: What YAML calls not printable or a line break, and what a double-quoted scalar must escape.
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def quote(text: str) -> str:
    """``text`` as a YAML scalar on one line: plain where that is safe everywhere, else double-quoted.

    :raises UsageError: if ``text`` holds half of a surrogate pair, which no file can.
    """
    # isprintable is false for every white space but the blank
    if _PLAIN.match(text) and text[-1] != " " and text.isprintable() and text.lower() not in _WORDS:
        return text
    return double_quote(text)


def double_quote(text: str) -> str:
    """``text`` as a double-quoted YAML scalar on one line.

    :raises UsageError: as :func:`quote`.
    """
    return f'"{_ESCAPED.sub(_escape, text)}"'


def block(value: Value, indent: int = 0) -> str:
    """``value`` as it stands behind ``key:``: a blank and a scalar, or lines that begin with a line feed.

    :param indent: the column of the key.
    """
    if isinstance(value, str):
        return f" {quote(value)}"
    if not value:
        return " []" if isinstance(value, list) else " {}"
    margin = "\n" + " " * (indent + 2)
    if isinstance(value, dict):
        return "".join(f"{margin}{quote(key)}:{block(inner, indent + 2)}" for key, inner in value.items())
    return "".join(f"{margin}- {_entry(inner, indent + 4)}" for inner in value)


def _entry(value: Value, indent: int) -> str:
    """One entry of a list, without its dash; further lines begin at ``indent``."""
    if isinstance(value, dict) and value:
        margin = "\n" + " " * indent
        return margin.join(f"{quote(key)}:{block(inner, indent)}" for key, inner in value.items())
    # a list inside a list begins on a line of its own
    return block(value, indent - 2).removeprefix(" ")


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if "\ud800" <= char <= "\udfff":
        raise UsageError("The text holds bytes that are not UTF-8.", hint="type it in UTF-8")
    return _SHORT.get(char) or f"\\u{ord(char):04x}"
