"""The memory files of one memdir, read without a lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from memdir_cli.domain.snapshot import Layer, Record, Unreadable, digest_of
from memdir_cli.errors import FaultError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.cache import NOTHING, Rows, Stats, matching, stats_of
from memdir_cli.storage.journal import Pending, read_after
from memdir_cli.storage.reading import Entry, is_folder, list_folder, names_in, opened, read_at

Found = Record | Unreadable


def read_folder(
    root: str,
    layer: Layer,
    folder: str,
    pending: Pending | None,
    *,
    rows: Rows = NOTHING,
    stats: Stats | None = None,
    consume: bool = False,
) -> Iterator[Found]:
    """Every memory file in ``folder``, in the order of their names.

    :param pending: a committed but unfinished transaction whose outcome counts as done.
    :param rows: the cache; a file that is as its row says is not read.
    :param stats: how the files stand, where that is known; left out, they are looked at.
    :param consume: as of :func:`cache.matching`.
    """
    stats = stats_of(root, folder) if stats is None and rows else stats or {}
    if stats and pending is None:
        # the folder need not be listed twice
        yield from _read_among(root, layer, folder, rows, stats, consume=consume)
        return
    paths = paths_in(root, folder, pending)
    settled = [path for path in paths if pending is None or path not in pending.staged]
    known = matching(root, settled, rows, layer, stats, consume=consume)
    with opened_if_there(root, folder) as descriptor:
        for path in paths:
            found: Found | None = known.get(path) or read_record(root, layer, path, pending, descriptor)
            if found is not None:
                yield found


def read_named(
    root: str, layer: Layer, folder: str, pending: Pending | None, stem: str, names: Iterable[str] | None = None
) -> Iterator[Found]:
    """Every memory file in ``folder`` whose identity may have this stem, in the order of their names.

    :param names: the names there that begin like this, where they are known; left out, the folder is listed.
    """
    names = names_in(root, folder, stem) if names is None else names
    with opened_if_there(root, folder) as descriptor:
        for path in sorted(paths_named(root, folder, pending, names)):
            name = layout.name_of(path)
            staged = pending is not None and path in pending.staged
            if _may_hold(name, stem) and (staged or not is_folder(descriptor, name)):
                found = read_record(root, layer, path, pending, descriptor)
                if found is not None:
                    yield found


def _read_among(root: str, layer: Layer, folder: str, rows: Rows, stats: Stats, *, consume: bool) -> Iterator[Found]:
    """Every memory file in ``folder``, of which is known how everything in it stands."""
    begins = len(folder) + 1
    paths = sorted(path for path in stats if path.endswith(".md") and path[begins] != ".")
    known = matching(root, paths, rows, layer, stats, consume=consume)
    with opened_if_there(root, folder) as descriptor:
        for path in paths:
            found: Found | None = known.pop(path, None)
            if found is None and not is_folder(descriptor, layout.name_of(path)):
                found = read_record(root, layer, path, None, descriptor)
            if found is not None:
                yield found


def read_record(
    root: str, layer: Layer, path: str, pending: Pending | None, descriptor: int | None = None
) -> Found | None:
    """The memory at ``path``; ``None`` if no file is there (any more).

    :param descriptor: as for :func:`content_of`.
    """
    try:
        content = content_of(root, path, pending, descriptor)
    except FaultError as error:
        return Unreadable(path, error.code, error.message, layer=layer)
    return None if content is None else parse_record(path, content, layer)


def content_of(root: str, path: str, pending: Pending | None, descriptor: int | None = None) -> bytes | None:
    """The bytes of a memory file, ``None`` if it is not there (any more).

    :param descriptor: the folder, if it is open: opening each component for each file costs dearly.
    :raises FaultError: if it cannot be read.
    """
    if descriptor is None or (pending is not None and path in pending.staged):
        return read_after(root, path, pending)
    try:
        return read_at(descriptor, layout.name_of(path), path)
    except FileNotFoundError:
        return None


@contextmanager
def opened_if_there(root: str, folder: str) -> Iterator[int | None]:
    """The descriptor of a folder for the time of the block, ``None`` if there is no such folder yet."""
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(opened(root, folder))
        except OSError:
            descriptor = None
        yield descriptor


def parse_record(path: str, content: bytes, layer: Layer) -> Found:
    """The memory that ``content`` holds, as if it lay at ``path``."""
    return parse_noticing(path, content, layer)[0]


def parse_noticing(path: str, content: bytes, layer: Layer) -> tuple[Found, tuple[codec.Notice, ...], bool]:
    """As :func:`parse_record`, what is to be noticed although it could be read, and whether its header is plain."""
    try:
        header = codec.read_header(content, layout.limit_of(path))
        memory = codec.header_to_memory(header)
    except codec.Malformed as error:
        return Unreadable(path, error.reason, error.message, error.line, error.column, layer), (), False
    return Record(memory, path, digest_of(content), layer), header.notices, header.plain


def paths_in(root: str, folder: str, pending: Pending | None, beginning: str = "") -> list[str]:
    """The paths of the memory files in ``folder``, readable or not, sorted.

    :param beginning: files in the folder of which the names begin otherwise are left out.
    """
    return paths_among(list_folder(root, folder, beginning), folder, pending)


def paths_named(root: str, folder: str, pending: Pending | None, names: Iterable[str] | None = None) -> list[str]:
    """As :func:`paths_in`, of what is there by name: what kind of file it is is not looked at, and the order is any.

    :param names: those that are known to be there; left out, the folder is listed.
    """
    found = names_in(root, folder) if names is None else names
    paths = [layout.join(folder, name) for name in found if name.endswith(".md") and name[0] != "."]
    if pending is None:
        return paths
    return sorted({*paths, *_staged_in(folder, pending)} - pending.removed)


def is_memory_name(entry: Entry) -> bool:
    """Whether a name is looked at as that of a memory file."""
    # links and special files are kept: reading them tells what they are, and hides nothing
    return entry.name.endswith(".md") and entry.kind != "folder"


def paths_among(entries: Iterable[Entry], folder: str, pending: Pending | None) -> list[str]:
    """As :func:`paths_in`, of the ``entries`` of the folder."""
    paths = {layout.join(folder, entry.name) for entry in entries if is_memory_name(entry)}
    if pending is not None:
        paths.update(_staged_in(folder, pending))
        paths -= pending.removed
    return sorted(paths)


def _staged_in(folder: str, pending: Pending) -> Iterator[str]:
    """The paths of the memory files that a transaction puts into ``folder``; older sources lie there as well."""
    return (path for path in pending.staged if layout.folder_of(path) == folder and path.endswith(".md"))


def _may_hold(name: str, stem: str) -> bool:
    rest = name.removesuffix(".md").removeprefix(stem) if name.startswith(stem) else None
    return rest is not None and (rest == "" or rest.startswith(("--", "~")))
