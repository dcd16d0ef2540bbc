"""Derived: files in ``local/`` that were made from the memory files and hold their texts once more.

Each is signed with a key of this user, so that one that came along with a clone, or was damaged, is not even
looked into. Every one of them may be dropped at any time: nothing but speed is lost.
"""

from __future__ import annotations

import hashlib
import hmac
import marshal
from collections.abc import Collection
from typing import Any

from memdir_cli.domain.snapshot import digest_of
from memdir_cli.errors import FaultError
from memdir_cli.storage import disk, layout
from memdir_cli.storage.reading import read_file

_DIGEST = 32


def load(root: str, path: str, key: str, version: str) -> Any:
    """The content of a derived file; ``None`` if there is none of this version, key and content.

    :param key: the secret of this user, ``""`` where there is none: then nothing is derived.
    """
    if not key:
        return None
    try:
        whole = read_file(root, path) or b""
    except FaultError:
        return None
    # a view: the largest of these files need not be there twice
    body = memoryview(whole)[_DIGEST:]
    if not hmac.compare_digest(whole[:_DIGEST], digest(key, body)):
        return None
    told, content = marshal.loads(body)  # noqa: S302 (the digest shows that it is our own)
    return content if told == version else None


def save(root: str, path: str, key: str, version: str, content: Any, txn: str, *, private: bool) -> None:
    """Write a derived file anew; what cannot be written is left out. Only under the lock.

    :param content: what ``marshal`` knows.
    :param txn: an id for the temporary file.
    """
    if not key:
        return
    body = marshal.dumps((version, content))
    try:
        disk.write_file(root, path, digest(key, body) + body, txn, private=private)
    except FaultError:
        return


def naming(root: str, ids: Collection[str]) -> dict[str, str]:
    """The derived files that hold one of these memories, in whichever revision, and the SHA-256 of each.

    A file that cannot be read is left alone; nobody can take anything from it.
    """
    found: dict[str, str] = {}
    for path in layout.DERIVED if ids else ():
        try:
            content = read_file(root, path)
        except FaultError:
            continue
        if content is not None and any(one.encode() in content for one in ids):
            found[path] = digest_of(content)
    return found


def digest(key: str, body: bytes | memoryview) -> bytes:
    """The signature of a derived file."""
    return hashlib.blake2b(body, key=key.encode()[:64], digest_size=_DIGEST).digest()
