"""One memory whole, for people: its keys as in the file's header, then the text below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memdir_cli.domain.text import printable
from memdir_cli.domain.view import Document

#: Not keys of the header: they are told elsewhere, or below it.
ASIDE = frozenset({"body", "warnings"})


def lines(document: Document) -> str:
    """``key: value`` lines and, after an empty one, the body."""
    keys = {key: value for key, value in document.items() if key not in ASIDE and value is not None}
    header = "\n".join(_mapping(keys, ""))
    body = "\n".join(printable(line.removesuffix("\r")) for line in str(document.get("body") or "").split("\n"))
    return f"{header}\n\n{body.rstrip()}" if body.strip() else header


def _mapping(keys: Mapping[str, object], indent: str) -> Iterator[str]:
    for key, value in keys.items():
        name = f"{indent}{printable(str(key))}:"
        if isinstance(value, Mapping):
            yield name
            yield from _mapping(value, f"{indent}  ")
        elif isinstance(value, list | tuple):
            yield name
            yield from _items(value, indent)
        else:
            yield f"{name} {_scalar(value)}"


def _items(items: list[object] | tuple[object, ...], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, Mapping):
            first, *rest = _mapping(item, f"{indent}    ")
            yield f"{indent}  - {first.strip()}"
            yield from rest
        else:
            yield f"{indent}  - {_scalar(item)}"


def _scalar(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else printable(str(value))
