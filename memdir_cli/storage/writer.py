"""Writer: the right to change one memdir, for as long as its lock is held."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.changes import ChangeSet, Put, Remove, replacing
from memdir_cli.domain.event import Event
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.domain.tombstone import Tombstone
from memdir_cli.errors import RefusedError
from memdir_cli.storage import cache, derived, index, layout, memories, putting, receipts, roll, tombstones, transaction
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.reading import read_file, stat_file
from memdir_cli.storage.store import Store


class Writer:
    """The right to change one memdir, for as long as its lock is held.

    :ivar recovered: what finishing an interrupted transaction met.
    :ivar written: SHA-256 of the content of every memory file that was written, by its path; ``""`` of one that
        was removed.
    """

    def __init__(self, store: Store, recovered: transaction.Outcome) -> None:
        self.store = store
        self.recovered = recovered
        self.finished = transaction.Outcome()
        self.written: dict[str, str] = {}
        self._roll: roll.Roll | None = None
        # the lock was just taken: this is the file system's own time, before anything is read
        status = stat_file(store.root, layout.LOCAL)
        self._began = status.st_mtime_ns if status else 0

    def cautions(self) -> tuple[Caution, ...]:
        """What a person should know of the transactions, beside what was decided."""
        remarks = dict.fromkeys((*self.recovered.remarks, *self.finished.remarks))
        return tuple(Caution("transaction", f"{remark}; see `memdir check`") for remark in remarks)

    def current(self, identity: Identity) -> tuple[Record, ...]:
        """The current records of one identity, under whatever names their files lie among the memories."""
        found = self.called().claiming(identity)
        if self.store.layer == "user":
            tasks = self.store.snapshot((layout.TASKS,)).records
            found += tuple(one for one in tasks if one.current and one.memory.identity.key == identity.key)
        return found

    def called(self) -> roll.Roll:
        """What lies among the memories; looked at once, for nobody else writes now."""
        if self._roll is None:
            self._roll = roll.call(self.store)
        return self._roll

    def commit(
        self, changes: ChangeSet, at: str, *, txn: str = "", promise: bool = True, lifted: Iterable[Tombstone] = ()
    ) -> None:
        """Make ``changes`` true together with index and receipt, or leave everything as it was.

        An index that does not fit the files is put right even where nothing else changes. An index among the
        files of ``changes`` gives the text that a person wrote into it; its lines are made anew.

        :param at: time of the receipt.
        :param txn: id of the transaction, where it is to be that of another memdir as well.
        :param promise: otherwise all is prepared only: :meth:`conclude` makes it true.
        :param lifted: what may be written although it was forgotten: its word is among ``changes``.
        :raises ChangedError: if a file is no longer what the decision was based on.
        :raises RefusedError: for a memory that was forgotten.
        """
        self._refuse_forgotten(changes, {stone.identity for stone in lifted})
        puts = putting.puts(self.store, changes)
        removes = self._removes(changes)
        index_put = self.index((*puts, *changes.files), removes)
        puts += [put for put in changes.files if put.path != layout.INDEX]
        txn = txn or new_transaction_id()
        if (put := self._kept_tombstones(puts, txn)) is not None:
            puts.append(put)
        if not (puts or removes or index_put):
            return
        after = receipts.ahead(self.store.root, {event.memory.id for event in changes.events}, at)
        self.finished = transaction.commit(
            self.store.root,
            txn=txn,
            puts=puts,
            removes=removes,
            index=index_put,
            receipt_path=layout.receipts_path(after or at),
            receipt=self._receipt(txn, at, after, changes, puts),
            private=self.store.layer == "user",
            promise=promise,
        )
        self.written |= {remove.path: "" for remove in removes}
        written = (put for put in (*puts, *changes.files) if put.path.endswith(".md"))
        self.written |= {put.path: digest_of(put.content) for put in written}
        if promise:
            self._keep(txn)
        self._roll = None

    def _removes(self, changes: ChangeSet) -> tuple[Remove, ...]:
        """What goes away, with what was derived of it."""
        removes = (*(Remove(record.path, record.digest) for record in changes.removes), *changes.discards)
        named = {remove.path for remove in removes}
        held = derived.naming(self.store.root, _withdrawn(changes)).items()
        return (*removes, *(Remove(path, digest) for path, digest in held if path not in named))

    def _kept_tombstones(self, puts: Iterable[Put], txn: str) -> Put | None:
        """What this machine keeps of the user's tombstones: that of this transaction, and what receipts tell of."""
        store = self.store
        new = tombstones.unkept(store.root, puts) if store.layer == "user" else ()
        own = [entry for entry in new if entry.transaction == txn]
        if len(own) < len(new):
            own += store.told(entry for entry in new if entry.transaction != txn)
        return tombstones.added(store.root, own, layout.KEPT_TOMBSTONES) if own else None

    def _refuse_forgotten(self, changes: ChangeSet, lifted: set[str]) -> None:
        """Whoever writes it: what was forgotten is not written again."""
        store = self.store
        known = store.forgotten()
        for memory in (write.memory for write in changes.writes) if known else ():
            identity = tombstones.of_identity(store.config.key, memory, store.layer)
            if memory.id in known.ids or (identity in known.identities and identity not in lifted):
                raise RefusedError(
                    f"{putting.named(memory)} was forgotten.",
                    code="forgotten",
                    hint=f"`memdir remember {memory.predicate} VALUE --after-forget`, if the user wants it back",
                )

    def attest(self, paths: Iterable[str], at: str) -> None:
        """Write down what a merge has made of the memories at ``paths``, where the receipts of both sides speak for it.

        Whoever comes later then need not find both sides again.
        """
        store = self.store
        found = [record for path in paths if isinstance(record := store.read(path), Record) and record.current]
        events = [Event("merged", record.memory) for record in found if store.is_of_a_merge(record)]
        if not events:
            return
        txn = new_transaction_id()
        after = receipts.ahead(store.root, {event.memory.id for event in events}, at)
        line = receipts.line(store.config.key, txn, at, events, {}, after=after)
        transaction.commit(
            store.root,
            txn=txn,
            receipt_path=layout.receipts_path(after or at),
            receipt=line,
            private=store.layer == "user",
        )

    def conclude(self) -> None:
        """Make true what was prepared, after the other memdir has done its half.

        :raises FaultError: it stays prepared; the next writer goes on.
        """
        self.finished = transaction.conclude(self.store.root)

    def withdraw(self) -> None:
        """Take back what was prepared."""
        transaction.withdraw(self.store.root)

    def _keep(self, txn: str) -> None:
        """Save for the next one what was read."""
        store = self.store
        called = self._roll
        if called is None or not store.cache_key or len(called.stats) < cache.WORTH_SAVING:
            return
        unsearchable = stat_file(store.root, layout.SEARCH) is None
        if called.rows and not unsearchable:
            return
        called = called.whole()
        # what this transaction has changed or taken away is not as it was read
        kept = [record for record in called.records.values() if record.path not in self.written]
        private, now = store.layer == "user", self._began
        fresh = cache.save(
            store.root, store.cache_key, txn, kept, called.stats, store.cached(), now=now, private=private
        )
        if fresh:
            store.uncached()
        roll.save(called, kept, txn, now=now, private=private)
        if fresh or unsearchable:
            # dear to import, and seldom needed
            from memdir_cli.storage import search

            documents = cache.settled(kept, called.stats, now)
            search.save(store.root, store.cache_key, txn, documents, called.stats, private=private)

    def index(self, puts: Iterable[Put] = (), removes: Iterable[Remove] = ()) -> Put | None:
        """The index over the files as they will be, ``None`` if it stays as it is."""
        store = self.store
        called = self.called()
        after = called.listed()
        for remove in removes:
            after.pop(remove.path, None)
        for put in puts:
            if layout.folder_of(put.path) == layout.MEMORIES:
                record = memories.parse_record(put.path, put.content, store.layer)
                if isinstance(record, Record):
                    after.pop(put.path, None)
                    after |= {put.path: index.listed(record, index.line(record))} if record.current else {}
        standing = read_file(store.root, layout.INDEX)
        given = next((put.content for put in puts if put.path == layout.INDEX), standing)
        content = index.render_listed(given, after.values(), called.line)
        if content == standing:
            return None
        return replacing(layout.INDEX, content, standing)

    def _receipt(self, txn: str, at: str, after: str, changes: ChangeSet, puts: Iterable[Put]) -> bytes:
        if not changes.events:
            return b""
        contents = {put.path: put.content for put in (*puts, *changes.files)}
        files = {
            event.memory.ref: contents.get(layout.path_of(event.memory, self.store.layer), b"")
            for event in changes.events
        }
        return receipts.line(self.store.config.key, txn, at, changes.events, files, after=after)


def _withdrawn(changes: ChangeSet) -> frozenset[str]:
    """The ids of memories of which a text goes where nobody may read it any more, or is gone altogether."""
    moved = {write.base.path for write in changes.writes if write.base and write.memory.status != "quarantined"}
    gone = {record.memory.id for record in changes.removes if record.path not in moved}
    return frozenset(gone | {write.memory.id for write in changes.writes if write.memory.status == "quarantined"})
