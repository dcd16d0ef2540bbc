"""Rows: lines of JSON, such as receipts and logs are. Anybody may have written anything there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeGuard

#: The part of ``json.loads`` that does the work: reads a value out of a text, and says where it ends.
_READ: Callable[[str, int], tuple[object, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


def row(line: str | bytes) -> dict[str, object] | None:
    """The object that a line holds, ``None`` if it holds none."""
    try:
        found = _value(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _value(line: str | bytes) -> object:
    """What a line holds; most hold an object from their first character to their last."""
    if line[:1] in ("{", b"{"):
        try:
            text = line if isinstance(line, str) else line.decode()
            found, end = _READ(text, 0)
        except (ValueError, StopIteration):
            pass  # another encoding, or an object that is none; it is said below which
        else:
            if end == len(text):
                return found
    return json.loads(line)


def rows(content: bytes) -> Iterator[dict[str, object]]:
    """The objects in a file, a line each; what is none is passed over."""
    for line in content.split(b"\n"):
        found = row(line)
        if found is not None:
            yield found


def text_of(found: Mapping[str, object], name: str) -> str:
    """The text under a name, ``""`` where there is none."""
    told = found.get(name)
    return told if isinstance(told, str) else ""


def is_word(value: object) -> TypeGuard[str]:
    """Whether it is a text, and not an empty one."""
    return isinstance(value, str) and bool(value)


def are_words(value: object) -> TypeGuard[list[str]]:
    """Whether it is a list of such texts."""
    return isinstance(value, list) and all(is_word(one) for one in value)
