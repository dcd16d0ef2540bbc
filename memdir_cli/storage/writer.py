"""Writer: the right to change one memdir, for as long as its lock is held."""

from __future__ import annotations

import json
from collections.abc import Iterable

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.changes import ChangeSet, Put, Remove, Write, replacing
from memdir_cli.domain.event import Event
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, Unreadable, digest_of
from memdir_cli.domain.source import dropped
from memdir_cli.domain.text import printable
from memdir_cli.domain.tombstone import Tombstone
from memdir_cli.errors import ChangedError, FaultError, RefusedError, UsageError
from memdir_cli.storage import cache, codec, derived, index, layout, memories, receipts, roll, tombstones, transaction
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
        removed = {record.path for record in changes.removes}
        puts = [put for write in changes.writes if (put := self._put(write, removed)) is not None]
        puts += [put for write in changes.writes if (put := self._older(write, changes)) is not None]
        removes = (*(Remove(record.path, record.digest) for record in changes.removes), *changes.discards)
        named = {remove.path for remove in removes}
        held = derived.naming(self.store.root, _withdrawn(changes)).items()
        removes += tuple(Remove(path, digest) for path, digest in held if path not in named)
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
                    f"{_named(memory)} was forgotten.",
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

    def _put(self, write: Write, removed: set[str]) -> Put | None:
        """The file of one write, ``None`` where it already stands like that.

        :param removed: files that go away in the same transaction.
        """
        store, base, memory = self.store, write.base, write.memory
        path = layout.path_of(memory, store.layer)
        in_place = base is not None and base.path == path
        if base is not None and not in_place and base.path not in removed:
            _refuse_misplaced(base.path, path)
        covered = None if in_place else self._covered(path, memory)
        if base is None:
            return Put(path, _rendered(memory), covered)
        old = read_file(store.root, base.path)
        if old is None:
            raise FaultError(f"`{base.path}` vanished while it was being changed.", hint="try again")
        if digest_of(old) != base.digest:
            raise ChangedError(
                f"`{printable(base.path)}` was changed by somebody else meanwhile; nothing was written.",
                hint="read again, then repeat the command",
            )
        try:
            new = codec.update(old, base.memory, memory)
        except codec.Malformed as error:
            if memory.body != base.memory.body:
                _rendered(memory)
            raise FaultError(
                f"`{base.path}` cannot be edited without touching other lines: {error.message}",
                code="not-editable",
                hint="run `memdir check` and mend the file by hand",
            ) from None
        if not in_place:
            return Put(path, new, covered)
        return Put(path, new, base.digest) if new != old else None

    def _older(self, write: Write, changes: ChangeSet) -> Put | None:
        """The sources for which a memory has no room any more, added to those in history."""
        base, memory = write.base, write.memory
        if base is None or base.memory.id != memory.id or not base.current:
            return None
        # what goes to history as a revision, or as the side that lost, takes its sources along
        kept = tuple(source for one in changes.writes for source in one.memory.sources)
        gone = dropped(base.memory.sources, kept)
        if not gone:
            return None
        path = layout.older_sources_path(memory, self.store.layer)
        standing = read_file(self.store.root, path)
        keys = (((name, getattr(source, name)) for name in source.__slots__) for source in gone)
        lines = (json.dumps({key: text for key, text in entry if text}, ensure_ascii=False) for entry in keys)
        content = (standing or b"") + "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
        return replacing(path, content, standing)

    def _covered(self, path: str, memory: Memory) -> str | None:
        """The digest of the forgotten file that a new one may cover, ``None`` where nothing lies.

        :raises RefusedError: if anything else lies there: two identities may not share a path.
        :raises FaultError: if it cannot be read, or does not belong there.
        """
        standing = self.store.read(path)
        if standing is None:
            return None
        if isinstance(standing, Record) and self.store.tombstone(standing.memory) is not None:
            return standing.digest
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


def _rendered(memory: Memory) -> bytes:
    """The bytes of a new file; a text that no file can hold is the caller's mistake."""
    try:
        return codec.render(memory)
    except codec.Malformed as error:
        raise UsageError(
            f"The text for `{printable(memory.predicate)}` cannot be kept: {error.message}",
            code="text-unkeepable",
            hint="change the text; a memory is one short page without a header of its own",
        ) from None


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
