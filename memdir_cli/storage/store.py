"""Store: one memdir, open. Reads without a lock; writes as one transaction. Decides nothing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from memdir_cli.domain.attribution import Claim, unsupported
from memdir_cli.domain.changes import ChangeSet, Put, Remove, Write
from memdir_cli.domain.identity import Identity, fold, stem
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record, Snapshot, Unreadable
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, RefusedError
from memdir_cli.storage import codec, index, layout, memories, receipts, transaction
from memdir_cli.storage.config import Config, read_config
from memdir_cli.storage.journal import Pending, moment, pending
from memdir_cli.storage.reading import read_file

#: How often a reader starts anew because a writer was faster; then it takes what it has.
READINGS = 5


class Store:
    """One memdir.

    :ivar root: absolute path.
    :ivar layer: whether it is a project's or the user's.
    :ivar config: its settings, as they were when it was opened.
    """

    def __init__(self, root: str, layer: Layer) -> None:
        self.root = root
        self.layer: Layer = layer
        self.config: Config = read_config(root)
        self._claims: dict[str, list[Claim]] | None = None

    def snapshot(self, folders: Iterable[str] = ()) -> Snapshot:
        """Everything that can be read now; a committed but unfinished transaction counts as done.

        :param folders: read these only.
        """
        folders = tuple(folders) or layout.memory_folders(self.layer)
        found = self._settled(
            lambda pending: [
                entry
                for folder in folders
                for entry in memories.read_folder(self.root, self.layer, folder, pending)
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
        return tuple(
            entry for entry in found if isinstance(entry, Record) and fold(entry.memory.predicate) == wanted
        )

    def read(self, path: str) -> Record | Unreadable | None:
        """The memory at ``path``, ``None`` if nothing is there."""
        return memories.read_record(self.root, self.layer, path, pending(self.root))

    def content(self, path: str) -> bytes | None:
        """The bytes of a file of the memdir, ``None`` if it is not there."""
        return read_file(self.root, path)

    def absolute(self, path: str) -> str:
        """The path of a file of the memdir as the operating system knows it."""
        return os.path.join(self.root, *path.split("/"))

    def receipts(self) -> Iterator[receipts.Receipt]:
        """The receipts, oldest first."""
        return receipts.read(self.root)

    def unattributed(self, record: Record) -> str:
        """What the receipts do not support about this record, as a code; ``""`` if they do."""
        memory_id = record.memory.id
        if self._claims is None:
            recorded = receipts.claims(receipts.read(self.root, memory_id)).get(memory_id, [])
        else:
            recorded = self._claims.get(memory_id, [])
        return unsupported(receipts.claim(self.config.key, record.memory), recorded)

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

        private = self.layer == "user"
        with locked(self.root, timeout, command, private=private):
            yield Writer(self, transaction.recover(self.root, force=force))


class Writer:
    """The right to change one memdir, for as long as its lock is held.

    :ivar recovered: what finishing an interrupted transaction met.
    """

    def __init__(self, store: Store, recovered: transaction.Outcome) -> None:
        self.store = store
        self.recovered = recovered
        self._memories: tuple[Record, ...] | None = None

    def current(self, identity: Identity) -> tuple[Record, ...]:
        """The current records of one identity, under whatever names their files lie among the memories."""
        found = self.memories()
        if self.store.layer == "user":
            found += self.store.snapshot((layout.TASKS,)).records
        return tuple(record for record in found if record.current and record.memory.identity.key == identity.key)

    def memories(self) -> tuple[Record, ...]:
        """What lies among the memories; read once, for nobody else writes now."""
        if self._memories is None:
            self._memories = self.store.snapshot((layout.MEMORIES,)).records
        return self._memories

    def commit(self, changes: ChangeSet, at: str) -> None:
        """Make ``changes`` true together with index and receipt, or leave everything as it was.

        An index that does not fit the files is put right even where nothing else changes.

        :param at: time of the receipt.
        :raises ChangedError: if a file is no longer what the decision was based on.
        """
        from memdir_cli.storage.ids import new_transaction_id

        removed = {record.path for record in changes.removes}
        puts = [put for write in changes.writes if (put := self._put(write, removed)) is not None]
        removes = tuple(Remove(record.path, record.digest) for record in changes.removes)
        index_put = self.index((*puts, *changes.files), removes)
        if not (puts or removes or changes.files or index_put):
            return
        txn = new_transaction_id()
        transaction.commit(
            self.store.root,
            txn=txn,
            puts=(*puts, *changes.files),
            removes=removes,
            index=index_put,
            receipt_path=layout.receipts_path(at),
            receipt=self._receipt(txn, at, changes, puts),
            private=self.store.layer == "user",
        )
        self._memories = None

    def index(self, puts: Iterable[Put] = (), removes: Iterable[Remove] = ()) -> Put | None:
        """The index over the files as they will be, ``None`` if it stays as it is."""
        store = self.store
        after = {record.path: record for record in self.memories()}
        for remove in removes:
            after.pop(remove.path, None)
        for put in puts:
            if layout.folder_of(put.path) == layout.MEMORIES:
                record = memories.parse_record(put.path, put.content, store.layer)
                if isinstance(record, Record):
                    after[put.path] = record
        standing = read_file(store.root, layout.INDEX)
        content = index.render(standing, after.values())
        if content == standing:
            return None
        return Put(layout.INDEX, content, hashlib.sha256(standing).hexdigest() if standing is not None else None)

    def _put(self, write: Write, removed: set[str]) -> Put | None:
        """The file of one write, ``None`` where it already stands like that.

        :param removed: files that go away in the same transaction.
        """
        store, base, memory = self.store, write.base, write.memory
        path = layout.path_of(memory, store.layer)
        in_place = base is not None and base.path == path
        if base is not None and not in_place and base.path not in removed:
            _refuse_misplaced(base.path, path)
        if not in_place:
            self._refuse_taken(path, memory)
        if base is None:
            return Put(path, codec.render(memory))
        old = read_file(store.root, base.path)
        if old is None:
            raise FaultError(f"`{base.path}` vanished while it was being changed.", hint="try again")
        try:
            new = codec.update(old, base.memory, memory)
        except codec.Malformed as error:
            raise FaultError(
                f"`{base.path}` cannot be edited without touching other lines: {error.message}",
                code="not-editable",
                hint="run `memdir check` and mend the file by hand",
            ) from None
        if not in_place:
            return Put(path, new)
        return Put(path, new, base.digest) if new != old else None

    def _refuse_taken(self, path: str, memory: Memory) -> None:
        """A new file never covers another: two identities may not share a path."""
        standing = self.store.read(path)
        if standing is None:
            return
        if isinstance(standing, Unreadable):
            raise FaultError(
                f"`{path}` is in the way and cannot be read: {standing.message}",
                code="path-taken",
                hint="run `memdir check` and mend or move that file",
            )
        other = standing.memory
        if other.identity.key == memory.identity.key:
            raise FaultError(
                f"`{path}` is in the way: it is {other.status}, which does not belong there.",
                code="path-taken",
                hint="run `memdir check` and mend or move that file",
            )
        raise RefusedError(
            f"{_named(memory)} would need the file of {_named(other)}, `{path}`.",
            code="path-taken",
            hint="choose another key",
        )

    def _receipt(self, txn: str, at: str, changes: ChangeSet, puts: Iterable[Put]) -> bytes:
        if not changes.events:
            return b""
        contents = {put.path: put.content for put in puts}
        files = {
            event.memory.ref: contents.get(layout.path_of(event.memory, self.store.layer), b"")
            for event in changes.events
        }
        return receipts.line(self.store.config.key, txn, at, changes.events, files)


def _refuse_misplaced(lying: str, path: str) -> None:
    """A file that somebody moved within its folder is not written anew: then it would be there twice."""
    if layout.folder_of(lying) == layout.folder_of(path):
        raise FaultError(
            f"`{lying}` lies under the wrong name; it belongs at `{path}`.",
            code="misplaced",
            hint=f"move it there, or run `memdir check`: `{lying}` to `{path}`",
        )


def _named(memory: Memory) -> str:
    where = "\n".join(part for part in (memory.scope.text, memory.scope.qualifiers) if part).replace("\n", ", ")
    return printable(f"`{memory.predicate}` ({memory.subject}, {where}, id {memory.id})")
