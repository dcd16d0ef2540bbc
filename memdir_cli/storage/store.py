"""Store: one memdir, open. Reads without a lock; writes as one transaction. Decides nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memdir_cli.domain.attribution import Claim, unsupported
from memdir_cli.domain.identity import Identity, fold, stem
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record, Snapshot, Unreadable
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, layout, memories, receipts, transaction
from memdir_cli.storage.config import Config, read_config
from memdir_cli.storage.journal import Pending, moment, pending
from memdir_cli.storage.reading import read_file

if TYPE_CHECKING:
    from memdir_cli.storage.writer import Writer

#: How often a reader starts anew because a writer was faster; then it takes what it has.
READINGS = 5


class Store:
    """One memdir.

    :ivar root: absolute path.
    :ivar layer: whether it is a project's or the user's.
    :ivar config: its settings, as they were when it was opened.
    :ivar fault: why the settings cannot be read, where ``lenient`` let that pass; they are the defaults then.
    :ivar cache_key: secret of this user with which the cache is signed, ``""`` for no cache.
    """

    def __init__(self, root: str, layer: Layer, cache_key: str = "", *, lenient: bool = False) -> None:
        self.root = root
        self.layer: Layer = layer
        self.fault: FaultError | None = None
        try:
            self.config: Config = read_config(root)
        except FaultError as error:
            if not lenient:
                raise
            self.fault, self.config = error, Config()
        self.cache_key = cache_key
        self._claims: dict[str, list[Claim]] | None = None

    def snapshot(self, folders: Iterable[str] = ()) -> Snapshot:
        """Everything that can be read now; a committed but unfinished transaction counts as done.

        :param folders: read these only.
        """
        folders = tuple(folders) or layout.memory_folders(self.layer)
        rows = self.cached() if layout.MEMORIES in folders else cache.NOTHING
        found = self._settled(
            lambda pending: [
                entry
                for folder in folders
                for entry in memories.read_folder(self.root, self.layer, folder, pending, rows=rows)
            ]
        )
        return Snapshot(
            self.layer,
            tuple(entry for entry in found if isinstance(entry, Record)),
            tuple(entry for entry in found if isinstance(entry, Unreadable)),
        )

    def find(self, predicate: str, folders: Iterable[str] = ()) -> tuple[Record, ...]:
        """The records of one key, without reading the files of others.

        :param folders: where to look; left out, where current records lie.
        """
        return self.named(predicate, folders).records

    def named(self, predicate: str, folders: Iterable[str] = ()) -> Snapshot:
        """As :meth:`find`, with the files that by their names hold the key and cannot be read."""
        bare = stem(Identity("", predicate, Scope("user")), repository=False)
        folders = tuple(folders) or ((layout.MEMORIES, layout.TASKS) if self.layer == "user" else (layout.MEMORIES,))
        found = self._settled(
            lambda pending: [
                entry
                for folder in folders
                for entry in memories.read_folder(self.root, self.layer, folder, pending, stem=bare)
            ]
        )
        wanted = fold(predicate)
        return Snapshot(
            self.layer,
            tuple(entry for entry in found if isinstance(entry, Record) and fold(entry.memory.predicate) == wanted),
            tuple(entry for entry in found if isinstance(entry, Unreadable)),
        )

    def cached(self) -> cache.Rows:
        """The rows of the cache."""
        return cache.load(self.root, self.cache_key)

    def read(self, path: str) -> Record | Unreadable | None:
        """The memory at ``path``, ``None`` if nothing is there."""
        return memories.read_record(self.root, self.layer, path, pending(self.root))

    def content(self, path: str) -> bytes | None:
        """The bytes of a file of the memdir, ``None`` if it is not there."""
        return read_file(self.root, path)

    def absolute(self, path: str) -> str:
        """The path of a file of the memdir as the operating system knows it."""
        return os.path.join(self.root, *path.split("/"))

    def receipts(self, naming: str = "") -> Iterator[receipts.Receipt]:
        """The receipts, oldest first, that of a committed but unfinished transaction last.

        :param naming: only those in whose line this text stands, such as an id.
        """
        # looked at first: what is finished while the files are read stands in one of both
        try:
            journal = pending(self.root)
        except FaultError:
            journal = None  # whoever writes next will meet it
        promised = receipts.parse(journal.receipt.line.encode()) if journal and journal.receipt else None
        for receipt in receipts.read(self.root, naming):
            yield receipt
            if promised is not None and receipt.get("txn") == promised.get("txn"):
                promised = None
        if promised is not None:
            yield promised

    def unattributed(self, record: Record) -> str:
        """What the receipts do not support about this record, as a code; ``""`` if they do."""
        memory_id = record.memory.id
        if self._claims is None:
            recorded = receipts.claims(self.receipts(memory_id)).get(memory_id, [])
        else:
            recorded = self._claims.get(memory_id, [])
        doubt = unsupported(receipts.claim(self.config.key, record.memory), recorded)
        # a writer was faster: these receipts speak of another version than the one that was read
        return doubt if doubt and not self._replaced(record) else ""

    def _replaced(self, record: Record) -> bool:
        standing = self.read(record.path)
        return not (isinstance(standing, Record) and standing.digest == record.digest)

    def read_claims(self) -> None:
        """Read all receipts once, for a caller that will ask :meth:`unattributed` of many records."""
        self._claims = receipts.claims(self.receipts())

    def _settled(self, read: Callable[[Pending | None], list[memories.Found]]) -> list[memories.Found]:
        """What ``read`` finds, of one moment: read again if a writer finished meanwhile."""
        for _ in range(READINGS):
            before = moment(self.root)
            found = read(pending(self.root))
            if moment(self.root) == before:
                break
        return found

    @contextmanager
    def writing(self, timeout: float, command: str = "", *, force: bool = False) -> Iterator[Writer]:
        """Hold the lock of this memdir; what an interrupted writer left is finished first.

        :param timeout: seconds to wait for another writer.
        :param force: set a journal that cannot be read aside instead of stopping at it.
        :raises LockedError: if it did not let go in time.
        """
        from memdir_cli.storage.lock import locked
        from memdir_cli.storage.writer import Writer

        private = self.layer == "user"
        with locked(self.root, timeout, command, private=private):
            yield Writer(self, transaction.recover(self.root, force=force))
