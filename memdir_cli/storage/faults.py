"""Faults: what the operating system refused, in a sentence that a person can act on."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = "free some space and repeat the command"
_OWNER = "check the owner and the mode of the memdir"
_REPEAT = "check the disk, then repeat the command"
_LATER = "repeat the command in a moment"
_LINK = "put the real file in its place"
_MOVE = "move it out of the memdir"
_MOUNT = "mount it for writing, or work where this account may write"
_CHECK = "`memdir check` tells what lies there"

#: errno → (code, what follows the path in the sentence, hint)
SENTENCES: dict[int, tuple[str, str, str]] = {
    errno.ENOSPC: ("disk_full", "cannot be written: the disk is full", _SPACE),
    errno.EDQUOT: ("disk_full", "cannot be written: the disk quota is used up", _SPACE),
    errno.EFBIG: ("disk_full", "cannot be written: this account may not write a file so large", "check `ulimit -f`"),
    errno.EROFS: ("read_only", "cannot be written: the file system is mounted read-only", _MOUNT),
    errno.EACCES: ("no_permission", "may not be used by this account", _OWNER),
    errno.EPERM: ("no_permission", "may not be used by this account", _OWNER),
    errno.EIO: ("disk_error", "cannot be used: the disk reports an error", _REPEAT),
    errno.ELOOP: ("symlink", "is a symbolic link, which memdir does not follow", _LINK),
    errno.ENOTDIR: ("not_a_folder", "lies below a link or a file, where a folder should be", _CHECK),
    errno.ENOENT: ("missing", "is missing", _CHECK),
    errno.EISDIR: ("special_file", "is a folder, not a file", _MOVE),
    errno.ENXIO: ("special_file", "is not a regular file", _MOVE),
    errno.EEXIST: ("in_the_way", "is in the way", _MOVE),
    errno.ENOTEMPTY: ("in_the_way", "is in the way", _MOVE),
    errno.ENAMETOOLONG: ("bad_path", "has a name that is too long for this file system", "choose a shorter one"),
    errno.EMFILE: ("too_many_files", "cannot be opened: too many files are open", "check `ulimit -n`"),
    errno.ENFILE: ("too_many_files", "cannot be opened: too many files are open on this machine", _LATER),
}


def fault(error: OSError, path: str) -> FaultError:
    """The fault that ``error`` means for ``path``, a path from the memdir's root (``""``: the root)."""
    number = error.errno or 0
    code, sentence, hint = SENTENCES.get(number, ("fault", f"cannot be used: {os.strerror(number)}", ""))
    subject = f"`{printable(path)}`" if path else "The memdir"
    return FaultError(f"{subject} {sentence}.", hint=hint, code=code, path=path)


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Turn every :class:`OSError` inside into the :class:`FaultError` that names ``path``."""
    try:
        yield
    except OSError as error:
        raise fault(error, path) from error
