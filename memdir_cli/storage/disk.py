"""Disk: the only module that changes one. Each operation is durable, or undone, or reported.

Files are never written in place: a new version is staged beside its target, synced, and renamed over it.
The one exception is :func:`append_line`. Nothing below the root is written through a link.

The functions reach the system through this module's name ``os``, which tests replace by a faulty one.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.storage.faults import fault, reported
from memdir_cli.storage.layout import folder_of, is_private, is_temp_name, join, name_of, temp_path
from memdir_cli.storage.reading import Entry as Entry
from memdir_cli.storage.reading import checked, opened, stat_file
from memdir_cli.storage.reading import list_folder as list_folder
from memdir_cli.storage.reading import read_at as read_at
from memdir_cli.storage.reading import read_file as read_file

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCKED = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def check_target(root: str, path: str) -> os.stat_result | None:
    """The status of the file that a write would replace or remove, ``None`` if there is none.

    :raises FaultError: if it is a link, not a regular file, or read-only, or lies below a link.
    """
    status = stat_file(root, path)
    if status is None:
        return None
    if stat.S_ISLNK(status.st_mode):
        with reported(path):
            raise OSError(errno.ELOOP, "")
    if not stat.S_ISREG(status.st_mode):
        with reported(path):
            raise OSError(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO, "")
    if not status.st_mode & stat.S_IWUSR:
        from shlex import quote

        raise FaultError(
            f"`{printable(path)}` is read-only; somebody wants it kept as it is.",
            hint=f"chmod u+w {printable(quote(os.path.join(root, path)))}",
            code="read_only",
            path=path,
        )
    return status


def stage(root: str, path: str, content: bytes | bytearray, temp: str, *, private: bool, durable: bool = True) -> None:
    """Write the coming version of ``path`` into the new file ``temp`` of the same folder.

    The mode is that of the file that will be replaced. A new file gets 0600 where ``private``, else 0644
    masked by umask. The folder is made if it is missing; it is not synced: see :func:`sync_folders`.

    :raises FaultError: nothing is left behind.
    """
    replaced = check_target(root, path)
    ensure_folder(root, folder_of(path), private=private)
    with reported(path), opened(root, folder_of(path)) as folder:
        name = name_of(checked(temp))
        descriptor = os.open(name, _NEW, _file_mode(path, private), dir_fd=folder)
        try:
            try:
                if replaced is not None:
                    os.fchmod(descriptor, stat.S_IMODE(replaced.st_mode) & 0o777)
                _write(descriptor, content)
                if os.fstat(descriptor).st_size != len(content):
                    raise OSError(errno.EIO, "short file")
                if durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except BaseException:
            _discard(folder, name)
            raise


def replace(root: str, temp: str, path: str) -> None:
    """Rename ``temp`` over ``path``, in one folder or across two. The folders are not synced."""
    with (
        reported(path),
        opened(root, folder_of(checked(temp))) as source,
        opened(root, folder_of(checked(path))) as target,
    ):
        os.rename(name_of(temp), name_of(path), src_dir_fd=source, dst_dir_fd=target)


def remove(root: str, path: str) -> None:
    """Remove a file; one that is missing is removed already. The folder is not synced."""
    with reported(path), suppress(FileNotFoundError), opened(root, folder_of(checked(path))) as folder:
        os.unlink(name_of(path), dir_fd=folder)


def remove_empty_folders(root: str, folder: str, keep: str = "") -> None:
    """Remove a folder below the root and those above it, up to the first in which something lies.

    :param keep: the folder to end at, which stays; left out, the root.
    """
    while folder not in {"", keep}:
        above = folder_of(checked(folder))
        with reported(folder), suppress(FileNotFoundError), opened(root, above) as descriptor:
            try:
                os.rmdir(name_of(folder), dir_fd=descriptor)
            except OSError as error:
                if error.errno in {errno.ENOTEMPTY, errno.EEXIST}:
                    return
                raise
            os.fsync(descriptor)
        folder = above


def sync_folders(root: str, folders: Iterable[str]) -> None:
    """Make the names in each folder durable, each folder once; a folder that is gone has none."""
    for folder in sorted(set(folders)):
        with reported(folder), suppress(FileNotFoundError), opened(root, folder) as descriptor:
            os.fsync(descriptor)


def write_file(
    root: str, path: str, content: bytes | bytearray, transaction: str, *, private: bool, durable: bool = True
) -> None:
    """Replace one file on its own: staged, renamed, synced.

    :param durable: otherwise it is not synced: a crash of the machine may leave anything in its place.
    """
    temp = temp_path(path, transaction, 0)
    stage(root, path, content, temp, private=private, durable=durable)
    try:
        replace(root, temp, path)
    except BaseException:
        remove_quietly(root, temp)
        raise
    if durable:
        sync_folders(root, [folder_of(path)])


def append_line(root: str, path: str, line: bytes, *, private: bool) -> None:
    """Append one line (without its line end) to a file of lines, which is made if it is missing.

    A last line that was cut is ended first; if it is the beginning of this very line, which a killed
    process left, it is taken back. If the line cannot be written whole the file gets its old length back.
    Only under the lock.

    :raises FaultError: the file is as it was.
    """
    ensure_folder(root, folder_of(path), private=private)
    made = check_target(root, path) is None
    with reported(path), opened(root, folder_of(path)) as folder:
        flags = _APPEND | (os.O_CREAT | os.O_EXCL if made else 0)
        descriptor = os.open(name_of(path), flags, _file_mode(path, private), dir_fd=folder)
        try:
            _append(descriptor, line + b"\n")
            if made:
                os.fsync(folder)
        finally:
            os.close(descriptor)


def append_unlocked(root: str, path: str, line: bytes, *, private: bool) -> None:
    """Append one line in one call, for logs that many processes share without a lock; not synced.

    A line that could not be written whole stays torn, and blank lines occur: readers pass over both.

    :raises FaultError: perhaps nothing, perhaps a part was written.
    """
    ensure_folder(root, folder_of(path), private=private)
    check_target(root, path)
    with reported(path), opened(root, folder_of(path)) as folder:
        descriptor = os.open(name_of(path), _APPEND | os.O_CREAT, _file_mode(path, private), dir_fd=folder)
        try:
            torn = _cut_tail(descriptor, os.fstat(descriptor).st_size, 1)
            os.write(descriptor, (b"\n" if torn else b"") + line + b"\n")
        finally:
            os.close(descriptor)


def open_lock(root: str, path: str, *, private: bool) -> int:
    """The descriptor of a file that stands for a lock, which is made, empty, unless it is there.

    :raises FaultError: if it is a link, not a regular file, or may not be written.
    """
    ensure_folder(root, folder_of(path), private=private)
    check_target(root, path)
    with reported(path), opened(root, folder_of(path)) as folder:
        descriptor = os.open(name_of(path), _LOCKED, _file_mode(path, private), dir_fd=folder)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # it was put there since it was looked at
            os.close(descriptor)
            raise OSError(errno.ENXIO, "")
        return descriptor


def ensure_folder(root: str, folder: str, *, private: bool) -> None:
    """Make a folder below the root, and those above it, where they are missing; new names are synced."""
    above = ""
    for part in checked(folder).split("/") if folder else ():
        below = join(above, part)
        status = stat_file(root, below)
        if status is None:
            _make_folder(root, below, private=private)
        elif not stat.S_ISDIR(status.st_mode):
            with reported(below):
                raise OSError(errno.ENOTDIR, "")
        above = below


def create_root(root: str, *, private: bool) -> None:
    """Make the root of a memdir, and what lies above it, unless it exists.

    :param private: mode 0700, also for a root that exists.
    :raises FaultError: if something else is in its place.
    """
    _refuse_in_the_way(root)
    with reported(""):
        above = os.path.dirname(root)
        _make_above(above)
        with suppress(FileExistsError):  # what it is shows when it is opened
            os.mkdir(root, 0o700 if private else 0o755)
        with opened(root, "") as descriptor:
            if private and os.fstat(descriptor).st_mode & 0o077:
                os.fchmod(descriptor, 0o700)
        with opened(above, "") as descriptor:
            os.fsync(descriptor)


def sweep(root: str, folders: Iterable[str], keep: Iterable[str] = ()) -> tuple[str, ...]:
    """Remove the temporary files that a killed process left; only under the lock.

    :param keep: paths that a journal still needs.
    :returns: the paths removed.
    """
    needed = set(keep)
    left = [path for path in temporaries(root, folders) if path not in needed]
    for path in left:
        remove(root, path)
    return tuple(left)


def temporaries(root: str, folders: Iterable[str]) -> tuple[str, ...]:
    """The temporary files of ours that lie in these folders."""
    return tuple(join(folder, name) for folder in folders for name in _temporaries(root, folder))


@contextmanager
def unpacked(files: Mapping[str, bytes], links: Mapping[str, bytes]) -> Iterator[str]:
    """A copy of a memdir in a temporary folder of this account, for the time of the block.

    :param files: contents by POSIX path from its root.
    :param links: targets of symbolic links by path; they are there to be seen, nothing follows them.
    :raises FaultError: if there is no room for it.
    """
    import tempfile

    with reported(""):
        folder = tempfile.TemporaryDirectory(prefix="memdir-")
    with folder as root:
        with reported(""):
            for path, content in files.items():
                whole = os.path.join(root, path)
                os.makedirs(os.path.dirname(whole), exist_ok=True)
                with open(whole, "wb") as stream:
                    stream.write(content)
            for path, target in links.items():
                whole = os.path.join(root, path)
                os.makedirs(os.path.dirname(whole), exist_ok=True)
                os.symlink(os.fsdecode(target), whole)
        yield root


def remove_quietly(root: str, path: str) -> None:
    """Remove a temporary file on the way out of a failure; if that fails too, the next sweep does it."""
    with suppress(FaultError):
        remove(root, path)


def _temporaries(root: str, folder: str) -> list[str]:
    try:
        with opened(root, folder) as descriptor:
            names = [name for name in os.listdir(descriptor) if name[0] == "." and is_temp_name(name)]
            return [
                name
                for name in names
                if not stat.S_ISDIR(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
            ]
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
            return []  # no folder of ours, so nothing of ours is in it
        raise fault(error, folder) from error


def _refuse_in_the_way(root: str) -> None:
    """Refuse where a file, or a link to nothing, has the place of the root of a memdir or of a folder above it."""
    standing = os.path.abspath(root)
    while not os.path.lexists(standing):
        standing = os.path.dirname(standing)
    if not os.path.isdir(standing):
        sentence = f"`{printable(standing)}` is no folder, so no memdir can be made there."
        raise FaultError(sentence, code="in_the_way", hint="move it away, or give another place")


def _make_above(folder: str) -> None:
    """Make a folder that lies in no memdir, and those above it, where they are missing; new names are synced."""
    if os.path.isdir(folder):
        return
    above = os.path.dirname(folder)
    if above != folder:
        _make_above(above)
    with suppress(FileExistsError):
        os.mkdir(folder)
    with opened(above, "") as descriptor:
        os.fsync(descriptor)


def _make_folder(root: str, folder: str, *, private: bool) -> None:
    with reported(folder), opened(root, folder_of(folder)) as descriptor:
        try:
            os.mkdir(name_of(folder), 0o700 if private or is_private(folder) else 0o755, dir_fd=descriptor)
        except FileExistsError:
            return  # another process was faster; what it is shows when it is opened
        os.fsync(descriptor)


def _file_mode(path: str, private: bool) -> int:
    return 0o600 if private or is_private(path) else 0o644


def _write(descriptor: int, content: bytes | bytearray) -> None:
    """Write all of ``content``, however little the system takes at a time."""
    rest = memoryview(content)
    while rest:
        try:
            written = os.write(descriptor, rest)
        except InterruptedError:
            continue
        if written <= 0:
            raise OSError(errno.EIO, "nothing was written")
        rest = rest[written:]


def _append(descriptor: int, line: bytes) -> None:
    length = os.fstat(descriptor).st_size
    cut = _cut_tail(descriptor, length, len(line))
    if cut and line.startswith(cut):
        length -= len(cut)
        os.ftruncate(descriptor, length)
        cut = b""
    try:
        _write(descriptor, (b"\n" if cut else b"") + line)
        os.fsync(descriptor)
    except BaseException:
        os.ftruncate(descriptor, length)
        raise


def _cut_tail(descriptor: int, length: int, size: int) -> bytes:
    """What follows the last line end in the last ``size`` bytes: ``b""`` if the last line is whole."""
    tail = os.pread(descriptor, size, max(0, length - size))
    return tail.rpartition(b"\n")[2]


def _discard(folder: int, name: str) -> None:
    with suppress(OSError):  # the next sweep does it
        os.unlink(name, dir_fd=folder)
