"""Rows: lines of JSON, such as receipts and logs are. Anybody may have written anything there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeGuard


def row(line: str | bytes) -> dict[str, object] | None:
    """The object that a line holds, ``None`` if it holds none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


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
