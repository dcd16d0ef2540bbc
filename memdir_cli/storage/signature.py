"""Signature: how files and folders stand, by what the file system says of them. None of them is opened and read.

Two equal signatures mean that nothing was changed, added, removed or moved in between, if nothing was fresh when
the first was taken. Imports next to nothing: it is on the way of commands that must be quick.
"""

from __future__ import annotations

import errno
import marshal
import os
import stat
import time
from _blake2 import blake2b  # hashlib's own, which by itself brings OpenSSL along
from collections.abc import Collection, Iterable

#: A file that was changed less than this long ago, in nanoseconds, may change again without another time: two ticks
#: of the clock that file systems go by, and where times are whole hundredths of a second, as old ones keep them,
#: what the oldest need.
TICKS, COARSE = 20_000_000, 2_000_000_000
_HUNDREDTH = 10_000_000

#: By folder of a memdir, what comes and goes there without a word on any memory.
PASSING: dict[str, frozenset[str]] = {"local": frozenset({"lock", "lock.json", "cache", "search", "roll"})}

#: Folders of a memdir of which only what a killed writer leaves is looked at.
LOGS = frozenset({"local/access", "local/prompts", "local/refusals"})
_TEMPORARY = ".memdir-"

#: How many numbers are taken of a folder, and of anything else.
_OF_FOLDER, _OF_FILE = 4, 5

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Signature:
    """Names and numbers of everything that was looked at, in the order of the looks.

    :ivar taken: before the first look, in nanoseconds since 1970.
    :ivar blind: there is a folder into which nobody could look.
    """

    def __init__(self) -> None:
        self.taken = time.time_ns()
        self.blind = False
        self._names: list[str] = []
        self._numbers: list[int] = []
        self._changed: list[int] = []
        #: By folder, which of the names and from which of the numbers on are those of what lies in it.
        self._inside: dict[str, tuple[slice, int]] = {}

    def add(self, text: str) -> None:
        """Take a text in as it is."""
        self._names.append(text)

    def look(self, path: str, *, follow: bool = False) -> None:
        """Take in how one path stands: a file with its times, a folder without what happens in it.

        :param follow: of a link, where it leads and how that stands.
        """
        self._names.append(os.path.realpath(path) if follow else path)
        try:
            self._take(os.stat(path, follow_symlinks=follow))
        except OSError as error:
            self._numbers.append(error.errno or 0)

    def folder(self, path: str, below: str = "") -> list[str]:
        """Take in everything in a folder; gives the names of the folders in it.

        :param below: the path of the folder in its memdir, ``""`` for the root.
        """
        self._names.append(path)
        passing, log = PASSING.get(below, frozenset()), below in LOGS
        try:
            descriptor = os.open(path, _FOLDER)
        except OSError as error:
            self._numbers.append(error.errno or 0)
            self.blind |= error.errno != errno.ENOENT
            return []
        try:
            names = [name for name in os.listdir(descriptor) if name not in passing]
            names = sorted(name for name in names if name.startswith(_TEMPORARY)) if log else sorted(names)
            begun = len(self._names)
            self._names += names
            self._inside[path] = slice(begun, len(self._names)), len(self._numbers)
            look, take = os.stat, self._take
            # the order of the names is that of the numbers
            return [name for name in names if take(look(name, dir_fd=descriptor, follow_symlinks=False))]
        finally:
            os.close(descriptor)

    def stats(self, path: str) -> dict[str, tuple[int, int, int, int]]:
        """Of every name in a folder that was looked into and is no folder: inode, size and both times."""
        found: dict[str, tuple[int, int, int, int]] = {}
        names, at = self._inside.get(path, (slice(0), 0))
        numbers = self._numbers
        for name in self._names[names]:
            if stat.S_ISDIR(numbers[at]):
                at += _OF_FOLDER
                continue
            _, inode, size, written, changed = numbers[at : at + _OF_FILE]
            found[name] = (inode, size, written, changed)
            at += _OF_FILE
        return found

    def follow(self, path: str) -> None:
        """Take in where one path leads, and how that stands."""
        self.look(path, follow=True)

    def names(self, path: str) -> None:
        """Take in one folder by its times, which change with every name that comes, goes or moves in it."""
        self.look(path)
        try:
            status = os.stat(path, follow_symlinks=False)
        except OSError:
            return  # the look has told it
        self._numbers += (status.st_mtime_ns, status.st_ctime_ns)
        self._changed.append(status.st_ctime_ns)

    def memdir(self, root: str, leave: Collection[str] = ()) -> None:
        """Take in a memdir: what lies in its root, in the folders there, and in those of this machine alone.

        :param leave: folders in the root that do not matter.
        """
        self.look(root, follow=True)
        root = os.path.realpath(root)
        for name in self.folder(root):
            if name not in leave:
                inner = self.folder(f"{root}/{name}", name)
                for deeper in inner if name == "local" else ():
                    self.folder(f"{root}/local/{deeper}", f"local/{deeper}")

    @property
    def fresh(self) -> bool:
        """Whether something was changed so recently that a later change might not show."""
        return any(at > self.taken - (TICKS if at % _HUNDREDTH else COARSE) for at in self._changed)

    @property
    def digest(self) -> str:
        """What two signatures are compared by."""
        names = "\0".join(self._names).encode("utf-8", "surrogateescape")
        numbers = marshal.dumps(self._numbers, 2)
        return blake2b(blake2b(names).digest() + numbers, digest_size=20).hexdigest()

    def _take(self, status: os.stat_result) -> bool:
        """Take the numbers of one status in; tells whether it is a folder."""
        mode = status.st_mode
        if stat.S_ISDIR(mode):
            # whose it is and who may look into it; its times tell of names, which are looked at
            self._numbers += (mode, status.st_dev, status.st_ino, status.st_uid)
            return True
        self._numbers += (mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        self._changed.append(status.st_ctime_ns)
        return False


def ancestors(path: str) -> Iterable[str]:
    """An absolute path and every folder above it."""
    while True:
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above
