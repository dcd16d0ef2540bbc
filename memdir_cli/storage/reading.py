"""Reading: files below a memdir's root, never through a link and never waiting.

The root itself may be reached through a symbolic link; nothing below it may be one. Every component is
opened relative to the one above it, so a folder swapped for a link in between is refused as well. Imports next to
nothing: it is on the way of commands that must be quick.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.storage.faults import fault, reported
from memdir_cli.storage.layout import limit_of

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    EntryKind = Literal["file", "folder", "link", "special"]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1 << 20


class Entry:
    """A name in a folder, and what it is (a link is not followed)."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: EntryKind) -> None:
        self.name = name
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and (self.name, self.kind) == (other.name, other.kind)

    def __hash__(self) -> int:
        return hash((self.name, self.kind))


def checked(path: str) -> str:
    """``path`` itself.

    :raises FaultError: unless it is a plain relative POSIX path.
    """
    parts = path.split("/")
    if "\0" in path or "\\" in path or any(part in {"", ".", ".."} for part in parts):
        raise FaultError(f"`{printable(path)}` is not a path inside the memdir.", code="bad_path", path=path)
    return path


@contextmanager
def opened(root: str, folder: str) -> Iterator[int]:
    """The descriptor of a folder below ``root`` (``""``: the root), for the time of the block.

    :raises OSError: ``ENOENT`` if it is missing, ``ENOTDIR`` or ``ELOOP`` if a component is a link.
    """
    descriptor = os.open(root, _FOLDER)
    try:
        for part in checked(folder).split("/") if folder else ():
            below = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def read_file(root: str, path: str, *, limit: int | None = None) -> bytes | None:
    """The bytes of a regular file, ``None`` if there is no such file.

    :param limit: refuse files with more bytes; left out, with more than such a file can have.
    :raises FaultError: code ``symlink``, ``special_file``, ``too_large`` or what the system said.
    """
    folder, _, name = checked(path).rpartition("/")
    with reported(path):
        try:
            with opened(root, folder) as descriptor:
                return read_at(descriptor, name, path, limit=limit)
        except FileNotFoundError:
            return None


def read_at(folder: int, name: str, path: str, *, limit: int | None = None) -> bytes:
    """The bytes of the regular file ``name`` in an opened folder.

    :param path: the path that a fault names.
    :param limit: as of :func:`read_file`.
    :raises FileNotFoundError: if there is none.
    :raises FaultError: code ``symlink``, ``special_file``, ``too_large`` or what the system said.
    """
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise fault(error, path) from error
    try:
        return _read_regular(descriptor, path, limit_of(path) if limit is None else limit)
    except OSError as error:
        raise fault(error, path) from error
    finally:
        os.close(descriptor)


def open_file(root: str, path: str) -> int:
    """The descriptor of a regular file.

    :raises OSError: if there is none.
    """
    folder, _, name = checked(path).rpartition("/")
    with opened(root, folder) as above:
        descriptor = os.open(name, _FILE, dir_fd=above)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ENXIO, "no regular file")
    return descriptor


def list_folder(root: str, folder: str, beginning: str = "", *, hidden: bool = False) -> tuple[Entry, ...]:
    """What lies in a folder, sorted by name; nothing if there is no such folder.

    :param beginning: names that begin otherwise are left out.
    :param hidden: otherwise names that start with a dot are left out: they are nobody's memories (ours among them
        are temporary).
    :raises FaultError: if the folder is a link, a file, or cannot be read.
    """
    with reported(folder):
        try:
            with opened(root, folder) as descriptor, os.scandir(descriptor) as entries:
                found = [
                    Entry(name, _kind(entry))
                    for entry in entries
                    if (name := entry.name).startswith(beginning) and (hidden or name[0] != ".")
                ]
        except FileNotFoundError:
            return ()
    return tuple(sorted(found, key=lambda entry: entry.name))


def names_in(root: str, folder: str, beginning: str = "") -> list[str]:
    """The names in a folder that begin like this, in any order; nothing if there is no such folder.

    :raises FaultError: as :func:`list_folder`.
    """
    with reported(folder):
        try:
            with opened(root, folder) as descriptor:
                return [name for name in os.listdir(descriptor) if name.startswith(beginning)]
        except FileNotFoundError:
            return []


def stat_file(root: str, path: str) -> os.stat_result | None:
    """The status of whatever lies at ``path`` (a link itself, not its target); ``None`` if nothing does."""
    folder, _, name = checked(path).rpartition("/")
    with reported(path):
        try:
            with opened(root, folder) as descriptor:
                return os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None


def is_folder(folder: int | None, name: str) -> bool:
    """Whether ``name`` in an opened folder is one itself, and no link to one."""
    try:
        return folder is not None and stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _read_regular(descriptor: int, path: str, limit: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO, "")
    if status.st_size > limit:
        raise FaultError(
            f"`{printable(path)}` holds {status.st_size} bytes; {limit} are read at most.",
            code="too_large",
            path=path,
        )
    content = os.read(descriptor, status.st_size + 1)
    while len(content) != status.st_size:  # rare: it grew, or the system gave it in pieces
        part = os.read(descriptor, _CHUNK)
        if not part:
            break
        content += part
    return content


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    # nearly everything is one
    if entry.is_file(follow_symlinks=False):
        return "file"
    if entry.is_symlink():
        return "link"
    return "folder" if entry.is_dir(follow_symlinks=False) else "special"
