"""Lock: one writer at a time in one memdir. Waiting is bounded and names the holder; readers never lock.

The kernel's lock on ``local/lock`` decides alone, so it dies with its holder. ``local/lock.json`` only
tells who holds it; it may be missing or stale and never blocks anybody.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, LockedError
from memdir_cli.storage import disk
from memdir_cli.storage.faults import fault
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.layout import HOLDER, LOCK
from memdir_cli.storage.reading import stat_file

if TYPE_CHECKING:
    from filelock import BaseFileLock

DEFAULT_TIMEOUT = 10.0
_POLL = 0.02


@contextmanager
def locked(root: str, timeout: float = DEFAULT_TIMEOUT, command: str = "", *, private: bool = False) -> Iterator[None]:
    """Hold the lock of a memdir for the time of the block: over the whole read, decide and write.

    :param timeout: seconds to wait at most; 0 tries once.
    :param command: what is being done, told to those who wait, such as ``memdir remember``.
    :param private: whether files made on the way are for this account alone.
    :raises LockedError: if another process holds it all the time.
    :raises FaultError: at once, if the lock file cannot be used (a link, a folder, a read-only memdir).
    """
    disk.ensure_file(root, LOCK, private=private)
    lock = _file_lock(os.path.join(root, LOCK), 0o600 if private else 0o644)
    _acquire(lock, root, max(0.0, timeout))
    try:
        _tell(root, command, private=private)
        yield
    finally:
        lock.release()


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


def _file_lock(path: str, mode: int) -> BaseFileLock:
    from filelock import FileLock

    try:
        return FileLock(path, mode=mode, fallback_to_soft=False)
    except TypeError:  # before 4.0, which never falls back by itself
        return FileLock(path, mode=mode)


def _acquire(lock: BaseFileLock, root: str, timeout: float) -> None:
    from filelock import Timeout

    try:
        lock.acquire(timeout=timeout, poll_interval=_POLL)
    except Timeout:
        who = holder(root)
        raise LockedError(
            f"The memdir is locked by {who}; waited {timeout:g} s.",
            hint="try again, or wait longer with `--lock-timeout`",
            holder=who,
        ) from None
    except OSError as error:
        raise fault(error, LOCK) from error
    except NotImplementedError as error:
        raise FaultError(
            "The file system of the memdir knows no locks.",
            hint="move the memdir to a local disk",
            code="no_locks",
        ) from error


def _tell(root: str, command: str, *, private: bool) -> None:
    """Leave word who holds the lock; where that fails nobody is worse off."""
    told = json.dumps({"pid": os.getpid(), "command": command}).encode() + b"\n"
    try:
        disk.write_file(root, HOLDER, told, new_transaction_id(), private=private)
    except FaultError:
        return
