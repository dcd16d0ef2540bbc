"""Exports: which memories memdir wrote into files of other programs, so that they can be taken out again.

``local/exports.json`` holds paths, ids and keyed digests of what was written, nothing that a memory says.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, get_args

from memdir_cli.domain.changes import Put, replacing
from memdir_cli.domain.exporting import Form
from memdir_cli.domain.installing import Edit
from memdir_cli.domain.rows import are_words
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass, field, replace
from memdir_cli.storage import layout
from memdir_cli.storage.exported import INDEX, speaks, without_lines, without_records
from memdir_cli.storage.reading import read_file
from memdir_cli.storage.receipts import digest
from memdir_cli.storage.store import Store

FORMAT = 1

#: Why nothing can be taken out of a place.
GONE = "nothing is there any more"

#: Larger files are not ours.
LIMIT = 64 << 20


@dataclass(frozen=True, slots=True)
class Page:
    """A file that holds one memory.

    :ivar digests: keyed, of what was written there last; of two where it is not known which one lies there.
    """

    id: str
    digests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Export:
    """What one memdir has given to one place.

    :ivar path: absolute path of the file, or of the folder for the form ``claude``.
    :ivar ids: the memories that were given.
    :ivar pages: for the form ``claude``, by name, the files of memories.
    """

    form: Form
    path: str
    ids: frozenset[str] = frozenset()
    pages: Mapping[str, Page] = field(default_factory=dict)


def recorded(store: Store) -> tuple[Export, ...]:
    """What this memdir has given away; nothing where that cannot be read."""
    try:
        keys: Any = json.loads(read_file(store.root, layout.EXPORTS) or b"{}")
    except (ValueError, RecursionError, FaultError):
        return ()
    entries = keys.get("exports") if isinstance(keys, dict) and keys.get("format") == FORMAT else None
    return tuple(filter(None, map(_export, entries if isinstance(entries, list) else ())))


def at(store: Store, form: Form, path: str) -> Export:
    """What this memdir has given to one place."""
    found = (one for one in recorded(store) if (one.form, one.path) == (form, path))
    return next(found, Export(form, path))


def noted(store: Store, changed: Iterable[Export]) -> Put | None:
    """The record with each of ``changed`` in place of what it says of that place, ``None`` if it stays as it is.

    Of a place that holds nothing any more, nothing is recorded. Only under the lock.
    """
    standing = read_file(store.root, layout.EXPORTS)
    by_place = {(one.form, one.path): one for one in recorded(store)}
    by_place |= {(one.form, one.path): one for one in changed}
    entries = [_keys(one) for _, one in sorted(by_place.items()) if one.ids or one.pages]
    content = json.dumps({"format": FORMAT, "exports": entries}, indent=1).encode() + b"\n"
    if content == standing or (standing is None and not entries):
        return None
    return replacing(layout.EXPORTS, content, standing)


def page(store: Store, memory_id: str, content: bytes) -> Page:
    """How a file of a memory is recorded."""
    return Page(memory_id, (mark(store, content),))


def mark(store: Store, content: bytes) -> str:
    """The keyed digest by which a file is known again."""
    return digest(store.config.key, "export", content.decode("utf-8", "surrogateescape"))


def without(export: Export, ids: Collection[str], texts: Collection[str] = ()) -> tuple[Edit, ...]:
    """What takes memories out of the place of an export. What else stands there stays as it is.

    :param texts: what they said, by which a line is known that has lost its id.
    :raises FaultError: if it cannot be looked at.
    """
    if export.form == "claude":
        return tuple(_pages_without(export, ids, texts))
    before = _content(export.path)
    if before is None:
        return ()
    after = without_lines(before, ids, texts=texts) if export.form == "agents-md" else without_records(before, ids)
    return () if after == before else (Edit(export.path, before, after),)


def left(export: Export, ids: Collection[str], texts: Collection[str]) -> Iterator[tuple[str, str]]:
    """Where memories still are after :func:`without`, because somebody changed or moved what was written there.

    :returns: absolute paths, each with a clause that says why; ``GONE`` where there is nothing to look at.
    """
    folder = export.form == "claude"
    if not (os.path.isdir if folder else os.path.exists)(export.path):
        yield export.path, GONE
        return
    others = {name for name, one in export.pages.items() if one.id not in ids}
    for path in _files(export.path, others) if folder else (export.path,):
        try:
            content = _content(path) or b""
        except FaultError as error:
            yield path, error.message
            continue
        if speaks(content, ids, texts):
            yield path, "text there that is not memdir's any more still says it"


def _files(folder: str, but: Collection[str]) -> Iterator[str]:
    with os.scandir(folder) as entries:
        found = [entry for entry in entries if entry.is_file(follow_symlinks=False) and entry.name not in but]
        yield from sorted(entry.path for entry in found)


def rest(export: Export, ids: Collection[str]) -> Export:
    """An export once ``ids`` are taken out of it."""
    pages = {name: one for name, one in export.pages.items() if one.id not in ids}
    return replace(export, ids=export.ids - frozenset(ids), pages=pages)


def _pages_without(export: Export, ids: Collection[str], texts: Collection[str]) -> Iterator[Edit]:
    """The files go away, and the lines that lead to them: first the lines."""
    names = {name for name, one in export.pages.items() if one.id in ids}
    index = os.path.join(export.path, INDEX)
    before = _content(index)
    after = without_lines(before, ids, names, texts) if before is not None else None
    if before != after:
        yield Edit(index, before, after)
    for name in sorted(names):
        path = os.path.join(export.path, name)
        content = _content(path)
        if content is not None:
            yield Edit(path, content, None)


def _content(path: str) -> bytes | None:
    folder, name = os.path.split(path)
    return read_file(folder, name, limit=LIMIT) if os.path.isdir(folder) else None


def _keys(export: Export) -> dict[str, object]:
    keys: dict[str, object] = {"form": export.form, "path": export.path, "ids": sorted(export.ids)}
    if export.pages:
        keys["pages"] = {name: [one.id, *one.digests] for name, one in sorted(export.pages.items())}
    return keys


def _export(keys: Any) -> Export | None:
    """An entry of the record, ``None`` if it is none: the file may hold anything."""
    if not isinstance(keys, dict) or keys.get("form") not in get_args(Form) or not _is_place(keys.get("path")):
        return None
    pages = keys.get("pages", {})
    ids: Any = keys.get("ids")
    if not are_words(ids) or not isinstance(pages, dict):
        return None
    known = {name: Page(told[0], tuple(told[1:])) for name, told in pages.items() if are_words(told) and told}
    plain = {name: one for name, one in known.items() if name and "/" not in name and name not in {".", ".."}}
    return Export(keys["form"], keys["path"], frozenset(ids), plain)


def _is_place(value: object) -> bool:
    return isinstance(value, str) and os.path.isabs(value) and "\0" not in value
