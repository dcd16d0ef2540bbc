"""Changing keys of a header by their lines: every other byte stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memdir_cli.storage.codec.fences import Parts, decode, encode
from memdir_cli.storage.codec.header import FIRST_LINE, read_header, read_mapping
from memdir_cli.storage.codec.keys import RANK
from memdir_cli.storage.codec.list_edit import Entries, list_lines
from memdir_cli.storage.codec.scalars import Value, block, double_quote, quote
from memdir_cli.storage.codec.spans import Span, spans
from memdir_cli.storage.problems import Malformed

#: YAML text behind the colon, the list as it shall be, or ``None`` to remove the key.
Change = str | Entries | None


def edit(data: bytes, changes: Mapping[str, Change], *, body: str | None = None) -> bytes:
    """``data`` with top-level keys set, added or removed; nothing else is touched.

    Line endings, byte order mark, comments (one behind a changed value too), order, unknown keys, a missing
    last line end and the body survive. A new key is put where memdir's own order has it. Where every key
    has its value already, the result is ``data`` itself.

    :param changes: key to YAML text: a scalar such as :func:`quote` gives, or the lines of a block as
        :func:`block` gives them, beginning with a line feed; :class:`Entries` for a list of which entries
        stay; ``None`` removes the key.
    :param body: replaces what stands after the header, ``None`` keeps it.
    :raises Malformed: if ``data`` cannot be read, or the result would not read as meant.
    """
    header = read_header(data)
    meant = _meant(header.values, changes)
    parts = header.parts
    text = parts.header
    pending = {key: changes[key] for key in changes if meant.get(key) != header.values.get(key)}
    if pending:
        text = _edited(text, pending, header.values, _line_ending(parts), FIRST_LINE)
    kept = header.body if body is None else body
    if not pending and kept == header.body:
        return data
    result = _joined(parts, text, kept)
    after = read_header(result)
    if after.values != meant or after.body != kept:
        raise Malformed("uneditable")
    return result


def edit_mapping(data: bytes, changes: Mapping[str, Change]) -> bytes:
    """As :func:`edit`, for a file that is one YAML mapping without fences, such as ``config.yaml``."""
    before = read_mapping(data)
    meant = _meant(before, changes)
    pending = {key: changes[key] for key in changes if meant.get(key) != before.get(key)}
    if not pending:
        return data
    bom, text = decode(data)
    ending = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    whole = text if not text or text.endswith("\n") else text + ending
    result = _edited(whole, pending, before, ending, 1)
    if read_mapping(result) != meant:
        raise Malformed("uneditable")
    return encode(result, bom=bom)


def _meant(values: Mapping[str, Value], changes: Mapping[str, Change]) -> dict[str, Value]:
    """What has to stand in the file afterwards."""
    result = dict(values)
    for key, change in changes.items():
        if change is None:
            result.pop(key, None)
        elif isinstance(change, Entries):
            result[key] = change.values(_list(values, key))
        else:
            result[key] = read_mapping(f"key: {change}\n")["key"]
    return result


def _list(values: Mapping[str, Value], key: str) -> list[Value]:
    value = values.get(key)
    return value if isinstance(value, list) else []


def _edited(text: str, changes: Mapping[str, Change], values: Mapping[str, Value], ending: str, first_line: int) -> str:
    """``text``, which says ``values``, after ``changes``."""
    found = spans(text, first_line)
    column = found[0].column if found else 0
    present = {span.name for span in found}
    # from the last line to the first, so that indexes stay true
    cuts = [
        (span.start, span.end, _replacement(text, span, changes[span.name], _list(values, span.name), ending))
        for span in found
        if span.name in changes
    ]
    added = {key: change for key, change in changes.items() if key not in present and change is not None}
    for key in sorted(added, key=lambda name: RANK.get(name, len(RANK))):
        change = added[key]
        new = block(change.values([])) if isinstance(change, Entries) else change
        at = _position(found, key, len(text))
        cuts.append((at, at, _lines(f"{' ' * column}{quote(key)}:", new, "", column, ending)))
    # what is put in front of a line comes after the change of that line, so that its index holds
    cuts.sort(key=lambda cut: cut[:2])
    for start, end, new in reversed(cuts):
        text = text[:start] + new + text[end:]
    return text


def _replacement(text: str, span: Span, change: Change, old: list[Value], ending: str) -> str:
    if change is None:
        return ""
    if isinstance(change, Entries):
        lines = list_lines(text[span.start : span.end], change, len(old), ending)
        if lines is not None:
            return lines
        change = block(change.values(old))
    return _lines(span.head, change, span.comment, span.column, ending)


def _lines(head: str, new: str, comment: str, column: int, ending: str) -> str:
    """The lines of a key: ``head`` ends with its colon, or with blanks that stand between it and a scalar."""
    if new.startswith("\n"):
        margin = "\n" + " " * column
        lines = head.rstrip(" ") + comment + new.replace("\n", margin)
    else:
        new = new.lstrip(" ")
        if re.match(r"\s+#\S", comment) and new[0] not in "\"'[{":
            # what looks like the tail of a value must not look like the tail of this one
            new = double_quote(new)
        lines = f"{head}{' ' if head.endswith(':') else ''}{new}{comment}"
    return lines.replace("\n", ending) + ending


def _position(found: tuple[Span, ...], key: str, end: int) -> int:
    """Where a new key goes: after the nearest key that precedes it in memdir's order, else before the next."""
    rank = RANK.get(key)
    if rank is None:
        return end
    before = [span for span in found if RANK.get(span.name, len(RANK)) < rank]
    if before:
        return max(before, key=lambda span: RANK[span.name]).end
    return min((span.start for span in found if span.name in RANK), default=end)


def _line_ending(parts: Parts) -> str:
    """The line ending of the file's first line."""
    return "\r\n" if parts.text[: parts.start].endswith("\r\n") else "\n"


def _joined(parts: Parts, header: str, body: str) -> bytes:
    closing = parts.text[parts.end : parts.body]
    if body and not closing.endswith("\n"):
        closing += _line_ending(parts)
    text = parts.text[: parts.start] + header + closing + body
    return encode(text, bom=parts.bom)
