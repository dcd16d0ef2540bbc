"""Reading a file of the workspace: inside it, regular, of bounded size, without ever waiting.

The one way in which probes open what a memory names. A name that leads outside, through ``..``, an absolute
form or a symbolic link, is refused before anything is opened.
"""

from __future__ import annotations

import os
import stat
from typing import Literal

from memdir_cli.shapes import dataclass

#: A file larger than this is not read.
FILE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Unseen:
    """Why a file was not read.

    :ivar reason: ``absent``, ``outside`` (the name leads out of the workspace), or ``denied`` (not a regular
        file, too large, or not readable).
    :ivar message: a clause for people, without the name of the file.
    """

    reason: Literal["absent", "outside", "denied"]
    message: str


ABSENT = Unseen("absent", "no such file here")
OUTSIDE = Unseen("outside", "the path leads out of the workspace")


def relative(path: str) -> str | None:
    """``path`` as a POSIX path inside a workspace (``""`` is its root), ``None`` if its form leads out."""
    if "\0" in path or "\\" in path or path.startswith(("/", "~")):
        return None
    segments = [segment for segment in path.split("/") if segment not in {"", "."}]
    if ".." in segments or (segments and segments[0][1:2] == ":"):
        return None
    return "/".join(segments)


def locate(root: str, path: str) -> str | Unseen:
    """Absolute real path of ``path`` in the workspace ``root``."""
    inside = relative(path)
    if inside is None:
        return OUTSIDE
    try:
        base = os.path.realpath(root)
        real = os.path.realpath(os.path.join(base, inside))
        # lexists: a link that leads nowhere is there, and is judged by where it leads
        if not os.path.lexists(os.path.join(base, inside)):
            return ABSENT
    except (OSError, ValueError):
        return Unseen("denied", "the path cannot be followed")
    if not is_within(real, base):
        return OUTSIDE
    return real


def read(root: str, path: str, limit: int = FILE_BYTES) -> bytes | Unseen:
    """The bytes of ``path`` in the workspace ``root``."""
    real = locate(root, path)
    if isinstance(real, Unseen):
        return real
    try:
        # O_NONBLOCK: a FIFO without a writer must not hold us
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        return Unseen("denied", "the file may not be read")
    try:
        content = _content(descriptor, limit)
    except OSError:
        return Unseen("denied", "the file cannot be read")
    finally:
        os.close(descriptor)
    if content is None:
        return Unseen("denied", "it is not a regular file")
    if len(content) > limit:
        return Unseen("denied", f"the file is larger than {limit} bytes")
    return content


def _content(descriptor: int, limit: int) -> bytes | None:
    """Up to one byte more than ``limit``; ``None`` if it is not a regular file."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return None
    with open(descriptor, "rb", closefd=False) as stream:
        return stream.read(limit + 1)


def is_within(path: str, directory: str) -> bool:
    """Whether the absolute real ``path`` is ``directory`` or lies below it."""
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def upwards(path: str) -> tuple[str, ...]:
    """``path`` and every directory above it inside the workspace, the root (``""``) last."""
    segments = [segment for segment in path.split("/") if segment]
    return tuple("/".join(segments[:count]) for count in range(len(segments), -1, -1))


def joined(directory: str, name: str) -> str:
    """``name`` in ``directory``, both in the workspace's own terms."""
    return f"{directory}/{name}" if directory else name
