"""Kept: what a command said, beside how everything stood, so that it can be said again while all stands so.

One file a call in the cache folder of this account, not in a memdir: who only looks changes nothing there, and a clone
can bring none along. Whatever writes to a memdir takes away what was said of it, which quotes its texts. Nothing but
speed is lost with them. Reading imports next to nothing.
"""

from __future__ import annotations

import marshal
import os
import stat
from _blake2 import blake2b  # hashlib's own, which by itself brings OpenSSL along
from collections.abc import Iterable, Mapping

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from typing import Any

#: So many calls are kept; the oldest go first.
KEPT = 64

#: What is larger is found out anew: to keep it would take more room than it is worth.
LIMIT = 16 << 20

_DIGEST = 32
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def folder(environ: Mapping[str, str]) -> str:
    """Absolute path of the cache folder, whether it exists or not; ``""`` where this account has none."""
    if os.path.isabs(place := environ.get("XDG_CACHE_HOME", "")):
        return os.path.join(place, "memdir")
    if os.path.isabs(place := environ.get("HOME", "")):
        return os.path.join(place, ".cache/memdir")
    return ""


def load(place: str, call: str) -> Any:
    """What was kept of a call, ``None`` if that is nothing, or nothing that this account has written so.

    :param place: the cache folder.
    :param call: a text that tells this call from every other one.
    """
    ending = f"-{_named(call)}"
    try:
        name = next((name for name in os.listdir(place) if name.endswith(ending)), "")
        whole = _read(os.path.join(place, name)) if name else b""
    except OSError:
        return None
    body = whole[_DIGEST:]
    if blake2b(body, digest_size=_DIGEST).digest() != whole[:_DIGEST]:
        return None
    content: Any = marshal.loads(body)  # noqa: S302 (a file of this account's alone, whole as it was written)
    return content


def save(place: str, roots: Iterable[str], call: str, content: Any) -> None:
    """Keep ``content``, which ``marshal`` knows, for a call on the memdirs at ``roots``; what cannot be is left out.

    It is not made durable: what a crash of the machine leaves of it is no whole file, and counts as none.
    """
    # dear to import, and not needed to say something again
    from memdir_cli.errors import FaultError
    from memdir_cli.storage import disk
    from memdir_cli.storage.ids import new_transaction_id

    body = marshal.dumps(content)
    whole = blake2b(body, digest_size=_DIGEST).digest() + body
    try:
        disk.create_root(place, private=True)
        _drop(place, f"-{_named(call)}")
        if len(whole) > LIMIT:
            return
        name = "-".join(("answer", *map(of, roots), _named(call)))
        disk.write_file(place, name, whole, new_transaction_id(), private=True, durable=False)
        for name in _oldest(place):
            disk.remove(place, name)
    except (FaultError, OSError):
        return


def opened(place: str, name: str) -> int:
    """The descriptor of a file in the cache folder.

    :raises OSError: if there is none, or none that this account alone has written.
    """
    if not place:
        raise FileNotFoundError(name)
    descriptor = os.open(os.path.join(place, name), _FILE)
    if not _is_own(os.fstat(descriptor)):
        os.close(descriptor)
        raise PermissionError(name)
    return descriptor


def write(place: str, name: str, content: bytes | bytearray) -> None:
    """Put a file into the cache folder, as :func:`save` does; what cannot be is left out.

    :param name: one that :func:`of` is a part of, so that :func:`drop` finds it.
    """
    from memdir_cli.errors import FaultError
    from memdir_cli.storage import disk
    from memdir_cli.storage.ids import new_transaction_id

    try:
        disk.create_root(place, private=True)
        disk.write_file(place, name, content, new_transaction_id(), private=True, durable=False)
    except (FaultError, OSError):
        return


def drop(place: str, root: str) -> None:
    """Take away what is kept of calls on the memdir at ``root``."""
    if place:
        _drop(place, f"-{of(root)}-")


def _drop(place: str, part: str) -> None:
    from memdir_cli.storage import disk

    try:
        names = [name for name in os.listdir(place) if part in name]
    except OSError:
        return
    for name in names:
        disk.remove_quietly(place, name)


def _oldest(place: str) -> list[str]:
    """What is too much; so go the leftovers of a killed process, too."""
    with os.scandir(place) as entries:
        found = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name) for entry in entries)
    return [name for _, name in found[:-KEPT]]


def _read(path: str) -> bytes:
    """The bytes of a file that nobody else can have written, none of any other."""
    descriptor = os.open(path, _FILE)
    try:
        status = os.fstat(descriptor)
        if not _is_own(status) or status.st_size > LIMIT:
            return b""
        return os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)


def _is_own(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def of(root: str) -> str:
    """What the names of all that is kept of the memdir at ``root`` have between two dashes."""
    return _named(os.path.realpath(root))


def _named(text: str) -> str:
    """A text as a part of a file name."""
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
