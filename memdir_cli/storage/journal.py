"""Journal: the promise of a transaction, on disk. Once it lies there, the transaction will be finished.

``local/journal.json`` names what is staged where, and what each target held before; readers answer from
it as if all of it had been done already.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from memdir_cli.domain.snapshot import digest_of
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass
from memdir_cli.storage.layout import JOURNAL, LOCAL, PREPARED, RECEIPTS, folder_of, is_temp_name, limit_of, name_of
from memdir_cli.storage.reading import checked, read_file, stat_file

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Staged:
    """A coming version of ``path`` that lies at ``temp`` until it is moved.

    :ivar expected: SHA-256 of what it replaces, ``None`` if it is new.
    :ivar digest: SHA-256 of its own bytes.
    """

    path: str
    temp: str
    expected: str | None
    digest: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A file that goes, if it still has the digest ``expected``."""

    path: str
    expected: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """One line (without its line end) for the receipts file at ``path``."""

    path: str
    line: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A committed transaction that is not finished yet.

    :ivar private: whether new files are for this account alone.
    :ivar index: the coming MEMORY.md.
    """

    transaction: str
    private: bool = False
    puts: tuple[Staged, ...] = ()
    removes: tuple[Removal, ...] = ()
    index: Staged | None = None
    receipt: Receipt | None = None

    @property
    def versions(self) -> tuple[Staged, ...]:
        """Everything staged, the index last."""
        return self.puts if self.index is None else (*self.puts, self.index)

    @property
    def staged(self) -> dict[str, str]:
        """By the path at which it will lie, where each coming version lies now."""
        return {version.path: version.temp for version in self.versions}

    @property
    def removed(self) -> frozenset[str]:
        """The paths that a reader must take for gone."""
        return frozenset(removal.path for removal in self.removes)


def pending(root: str) -> Pending | None:
    """The committed transaction that awaits its end, ``None`` if there is none. Takes no lock.

    :raises FaultError: code ``journal``, if there is a journal that cannot be read.
    """
    return _read(root, JOURNAL)


def prepared(root: str) -> Pending | None:
    """The transaction that counts as soon as another memdir has done its half; ``None`` if there is none.

    :raises FaultError: code ``journal``, if it cannot be read; it was never promised.
    """
    return _read(root, PREPARED)


def moment(root: str) -> object:
    """Something that changes with every transaction: equal before and after reading, and nobody wrote.

    The time at which names in ``local/`` changed last; each journal comes and goes there.
    """
    status = stat_file(root, LOCAL)
    return None if status is None else (status.st_ino, status.st_mtime_ns)


def read_after(root: str, path: str, journal: Pending | None, *, limit: int | None = None) -> bytes | None:
    """The bytes of a file as they are once ``journal`` is done; ``None`` if there is no such file then.

    A staged version that vanished meanwhile has been moved to its place.

    :param limit: refuse files with more bytes; left out, with more than such a file can have.
    """
    limit = limit_of(path) if limit is None else limit
    if journal is not None:
        if path in journal.removed:
            return None
        temp = journal.staged.get(path)
        content = None if temp is None else read_file(root, temp, limit=limit)
        if content is not None:
            return content
    return read_file(root, path, limit=limit)


def encode(journal: Pending) -> bytes:
    """The journal as one line of JSON that holds its own digest."""
    body: dict[str, Any] = {
        "format": FORMAT,
        "transaction": journal.transaction,
        "private": journal.private,
        "puts": [_row(put) for put in journal.puts],
        "index": _row(journal.index) if journal.index else None,
        "removes": [[removal.path, removal.expected] for removal in journal.removes],
        "receipt": [journal.receipt.path, journal.receipt.line] if journal.receipt else None,
    }
    return json.dumps({**body, "digest": digest_of(_canonical(body))}).encode() + b"\n"


def decode(content: bytes) -> Pending:
    """The journal that :func:`encode` wrote.

    :raises FaultError: code ``journal``, for anything else; it is never guessed at.
    """
    try:
        body = json.loads(content)
        told = body.pop("digest")
        if body["format"] != FORMAT or told != digest_of(_canonical(body)):
            raise ValueError("not as it was written")
        journal = Pending(
            body["transaction"],
            body["private"],
            tuple(Staged(*row) for row in body["puts"]),
            tuple(Removal(*row) for row in body["removes"]),
            Staged(*body["index"]) if body["index"] else None,
            Receipt(*body["receipt"]) if body["receipt"] else None,
        )
        _check_texts(journal)
        for path in _paths(journal):
            checked(path)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, FaultError) as error:
        raise _unreadable() from error
    return journal


def _read(root: str, path: str) -> Pending | None:
    try:
        content = read_file(root, path)
    except FaultError as error:
        if error.code in {"symlink", "special_file", "too_large"}:
            raise _unreadable() from error
        raise
    return None if content is None else decode(content)


def _unreadable() -> FaultError:
    return FaultError(
        f"`{JOURNAL}` cannot be read: it was cut, edited or replaced after it was written.",
        hint="run `memdir repair`, which sets it aside",
        code="journal",
        path=JOURNAL,
    )


def _row(staged: Staged) -> list[str | None]:
    return [staged.path, staged.temp, staged.expected, staged.digest]


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def _check_texts(journal: Pending) -> None:
    """Refuse what has the form of a journal, and a digest, but was never one of ours."""
    optional = [version.expected for version in journal.versions if version.expected is not None]
    texts = [journal.transaction, *optional, *(version.digest for version in journal.versions)]
    texts += [part for removal in journal.removes for part in (removal.path, removal.expected)]
    texts += [part for version in journal.versions for part in (version.path, version.temp)]
    texts += [journal.receipt.path, journal.receipt.line] if journal.receipt else []
    if not isinstance(journal.private, bool):
        raise TypeError("neither private nor not")
    for text in texts:
        os.fsencode(text)  # a lone surrogate is no text, and neither is a number
    if not journal.transaction.isalnum():
        raise ValueError("no transaction has that id")
    if journal.receipt and (folder_of(journal.receipt.path) != RECEIPTS or "\n" in journal.receipt.line):
        raise ValueError("no receipt lies there")


def _paths(journal: Pending) -> Iterator[str]:
    for staged in journal.versions:
        if not is_temp_name(name_of(staged.temp)) or folder_of(staged.temp) != folder_of(staged.path):
            raise ValueError("staged in a strange place")
        yield staged.path
        yield staged.temp
    yield from (removal.path for removal in journal.removes)
    if journal.receipt:
        yield journal.receipt.path
