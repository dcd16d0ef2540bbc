"""Marks: by what a file is known again, so that a change is told from a mere event."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping

from memdir_cli.shapes import dataclass

#: Larger files are known by their status alone.
DIGESTED_BYTES = 4 * 1024 * 1024

#: Device, inode, size and time of the last change of content; ``()`` where there is nothing.
Status = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A file as it was.

    :ivar digest: of its content, ``""`` where the status alone counts.
    """

    status: Status
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked after; absolute paths.

    :ivar files: each is known by its content: a touch is no change.
    :ivar folders: every memory file in one counts, known by its status.
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def counts(self, path: str) -> bool:
        """Whether a change of the file at ``path`` is one of what is wanted."""
        folder, _, name = path.rpartition(os.sep)
        return path in self.files or (folder in self.folders and is_memory_name(name))

    def leads(self, path: str) -> bool:
        """Whether a folder at ``path`` is one in which something wanted lies, however deep."""
        below = path + os.sep
        return any(one.startswith(below) for one in self.files) or any(
            one == path or one.startswith(below) for one in self.folders
        )


Marks = Mapping[str, Mark]


def is_memory_name(name: str) -> bool:
    """Whether a memory file may have this name; temporary files of ours and of editors have others."""
    return name.endswith(".md") and not name.startswith(".")


def take(wanted: Wanted) -> dict[str, Mark]:
    """The marks of everything wanted that is there, now."""
    marks = {path: mark for path in wanted.files if (mark := file_mark(path)) is not None}
    for folder in wanted.folders:
        for path, status in _statuses(folder):
            # a file may be wanted by both ways
            marks.setdefault(path, Mark(status))
    return marks


def file_mark(path: str) -> Mark | None:
    """The mark of one file with the digest of its content, ``None`` where there is nothing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    readable = stat.S_ISREG(status.st_mode) and status.st_size <= DIGESTED_BYTES
    return Mark(_status(status), _digest(path) if readable else "")


def changed(before: Marks, after: Marks) -> tuple[str, ...]:
    """The paths that came, went, or are not what they were, sorted."""
    paths = before.keys() | after.keys()
    return tuple(sorted(path for path in paths if not _same(before.get(path), after.get(path))))


def _same(one: Mark | None, other: Mark | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.digest and other.digest:
        return one.digest == other.digest
    return one.status == other.status


def _statuses(folder: str) -> Iterator[tuple[str, Status]]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_memory_name(entry.name)]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        try:
            yield path, _status(os.lstat(path))
        except OSError:
            continue


def _status(status: os.stat_result) -> Status:
    if stat.S_ISDIR(status.st_mode):
        # what lies in it is no change of the folder itself
        return (status.st_dev, -1)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _digest(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as stream:
            return hashlib.sha256(stream.read(DIGESTED_BYTES)).hexdigest()
    except OSError:
        return ""
