"""The memory files of one memdir, read without a lock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from memdir_cli.domain.snapshot import Layer, Record, Unreadable
from memdir_cli.errors import FaultError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.cache import NOTHING, Rows, matching
from memdir_cli.storage.codec.fences import FILE_LIMIT
from memdir_cli.storage.journal import Pending, read_after
from memdir_cli.storage.reading import list_folder, opened, read_at

Found = Record | Unreadable


def read_folder(
    root: str, layer: Layer, folder: str, pending: Pending | None, *, stem: str = "", rows: Rows = NOTHING
) -> Iterator[Found]:
    """Every memory file in ``folder``, in the order of their names.

    :param pending: a committed but unfinished transaction whose outcome counts as done.
    :param stem: read only files whose identity may have this stem.
    :param rows: the cache; a file that is as its row says is not read.
    """
    paths = [path for path in paths_in(root, folder, pending) if not stem or _may_hold(layout.name_of(path), stem)]
    settled = [path for path in paths if pending is None or path not in pending.staged]
    known = matching(root, folder, settled, rows, layer)
    with _opened(root, folder) as descriptor:
        for path in paths:
            found: Found | None = known.get(path)
            if found is None and descriptor is not None and (pending is None or path not in pending.staged):
                found = _record_in(descriptor, layer, path)
            elif found is None:
                found = read_record(root, layer, path, pending)
            if found is not None:
                yield found


def read_record(root: str, layer: Layer, path: str, pending: Pending | None) -> Found | None:
    """The memory at ``path``; ``None`` if no file is there (any more)."""
    try:
        content = read_after(root, path, pending, limit=FILE_LIMIT)
    except FaultError as error:
        return Unreadable(path, error.code, error.message, layer=layer)
    return None if content is None else parse_record(path, content, layer)


def _record_in(descriptor: int, layer: Layer, path: str) -> Found | None:
    """As :func:`read_record`, in a folder that is open: opening each component for each file costs dearly."""
    try:
        content = read_at(descriptor, layout.name_of(path), path, limit=FILE_LIMIT)
    except FileNotFoundError:
        return None
    except FaultError as error:
        return Unreadable(path, error.code, error.message, layer=layer)
    return parse_record(path, content, layer)


@contextmanager
def _opened(root: str, folder: str) -> Iterator[int | None]:
    """The descriptor of a folder for the time of the block, ``None`` if there is no such folder yet."""
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(opened(root, folder))
        except OSError:
            descriptor = None
        yield descriptor


def parse_record(path: str, content: bytes, layer: Layer) -> Found:
    """The memory that ``content`` holds, as if it lay at ``path``."""
    try:
        memory = codec.parse_memory(content)
    except codec.Malformed as error:
        return Unreadable(path, error.reason, error.message, error.line, error.column, layer)
    return Record(memory, path, hashlib.sha256(content).hexdigest(), layer)


def paths_in(root: str, folder: str, pending: Pending | None) -> list[str]:
    """The paths of the memory files in ``folder``, readable or not, sorted."""
    # links and special files are kept: reading them tells what they are, and hides nothing
    paths = {
        layout.join(folder, entry.name)
        for entry in list_folder(root, folder)
        if entry.name.endswith(".md") and entry.kind != "folder"
    }
    if pending is not None:
        paths |= {path for path in pending.staged if layout.folder_of(path) == folder and path.endswith(".md")}
        paths -= pending.removed
    return sorted(paths)


def _may_hold(name: str, stem: str) -> bool:
    rest = name.removesuffix(".md").removeprefix(stem) if name.startswith(stem) else None
    return rest is not None and (rest == "" or rest.startswith(("--", "~")))
