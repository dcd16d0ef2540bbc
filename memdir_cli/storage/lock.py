"""Lock: one writer at a time in one memdir. Waiting is bounded and names the holder; readers never lock.

The kernel's lock on ``local/lock`` decides alone, so it dies with its holder. ``local/lock.json`` only
tells who holds it; it may be missing or stale and never blocks anybody.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from contextlib import contextmanager

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, LockedError
from memdir_cli.storage import disk
from memdir_cli.storage.faults import fault
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.layout import HOLDER, LOCK
from memdir_cli.storage.reading import stat_file

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_TIMEOUT = 10.0
_POLL = 0.02

#: What a file system says that knows no locks.
_NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})


@contextmanager
def locked(root: str, timeout: float = DEFAULT_TIMEOUT, command: str = "", *, private: bool = False) -> Iterator[None]:
    """Hold the lock of a memdir for the time of the block: over the whole read, decide and write.

    :param timeout: seconds to wait at most; 0 tries once.
    :param command: what is being done, told to those who wait, such as ``memdir remember``.
    :param private: whether files made on the way are for this account alone.
    :raises LockedError: if another process holds it all the time.
    :raises FaultError: at once, if the lock file cannot be used (a link, a folder, a read-only memdir).
    """
    descriptor = _acquired(root, time.monotonic() + timeout, timeout, private=private)
    try:
        _tell(root, command, private=private)
        yield
    finally:
        # said, not only left to `close`: a program that was just started may still have it open
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def holder(root: str) -> str:
    """Who holds the lock, as far as that is known: ``process 4711 (memdir remember, since 09:30:00Z)``."""
    try:
        told = json.loads(disk.read_file(root, HOLDER, limit=65536) or b"null")
        status = stat_file(root, HOLDER)
        process, command = int(told["pid"]), str(told["command"])
        os.kill(process, 0)
    except PermissionError:
        pass  # alive, and another account's
    except (FaultError, OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return "another process"
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(status.st_mtime)) if status else "?"
    return f"process {process} (`{printable(command[:200]) or 'memdir'}`, since {since})"


def _acquired(root: str, until: float, timeout: float, *, private: bool) -> int:
    """The descriptor of the lock's file, locked.

    :param until: when to give up, by the monotonic clock; it is tried once at least.
    """
    while True:
        descriptor = disk.open_lock(root, LOCK, private=private)
        try:
            if _locked(descriptor) and _stands(descriptor, root):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if time.monotonic() >= until:
            who = holder(root)
            raise LockedError(
                f"The memdir is locked by {who}; waited {max(timeout, 0):g} s.",
                hint="try again, or wait longer with `--lock-timeout`",
                holder=who,
            )
        time.sleep(_POLL)


def _locked(descriptor: int) -> bool:
    """Whether nobody else held the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EAGAIN, errno.EACCES}:
            return False
        if error.errno in _NO_LOCKS:
            raise FaultError(
                "The file system of the memdir knows no locks.",
                hint="move the memdir to a local disk",
                code="no_locks",
            ) from error
        raise fault(error, LOCK) from error
    return True


def _stands(descriptor: int, root: str) -> bool:
    """Whether the file is still the one that others lock: somebody may have removed it, such as `git clean`."""
    standing = stat_file(root, LOCK)
    return standing is not None and os.path.samestat(os.fstat(descriptor), standing)


def _tell(root: str, command: str, *, private: bool) -> None:
    """Leave word who holds the lock; where that fails, or is lost in a crash, nobody is worse off."""
    told = json.dumps({"pid": os.getpid(), "command": command}).encode() + b"\n"
    try:
        disk.write_file(root, HOLDER, told, new_transaction_id(), private=private, durable=False)
    except FaultError:
        return
