"""Store: one memdir, open. Reads without a lock; writes as one transaction. Decides nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from memdir_cli.domain.attribution import Claim, unsupported
from memdir_cli.domain.identity import Identity, fold, stem
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record, Snapshot, Unreadable
from memdir_cli.domain.tombstone import Entry, Forgotten, Lift, Tombstone
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, kept, layout, memories, receipts, sighting, tombstones
from memdir_cli.storage.config import Config, read_config
from memdir_cli.storage.filed import whole
from memdir_cli.storage.graveyard import Graveyard, Yard
from memdir_cli.storage.journal import Pending, moment, pending
from memdir_cli.storage.reading import read_file
from memdir_cli.storage.sighting import Names, Sighting

if TYPE_CHECKING:
    from memdir_cli.storage.ledger import Ledger
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
    :ivar kept_in: the folder in which is kept what was said about this memdir, ``""`` for none.
    :ivar given: every record that was given out, for whoever must know what an answer follows from.
    :ivar unfiled: saves what was read of ``memories/`` for the next reader; ``None`` where that is not worth it.
    :ivar foreseen: how the files in ``memories/`` stood, where somebody has just looked.
    :ivar foreseen_names: the names of the files of one key, where somebody has just looked.
    :ivar widely: more was read than the files of a key.
    :ivar noted: of the last read that was logged: path and privacy of the log, time, verb, and what was told of it.
    :ivar guard: the user memdir, whose tombstones hold in this project's as well; ``None`` where there is none.
    """

    def __init__(
        self, root: str, layer: Layer, cache_key: str = "", *, lenient: bool = False, guard: Store | None = None
    ) -> None:
        self.root = root
        self.guard = guard
        self.layer: Layer = layer
        self.fault: FaultError | None = None
        try:
            self.config: Config = read_config(root)
        except FaultError as error:
            if not lenient:
                raise
            self.fault, self.config = error, Config()
        self.cache_key = cache_key
        self.kept_in = ""
        self.given: list[Record] = []
        self.foreseen: Sighting | None = None
        self.foreseen_names: Names | None = None
        self.unfiled: Callable[[], None] | None = None
        self.widely = False
        self.noted: tuple[str, bool, str, str, str] | None = None
        self._claims: dict[str, list[Claim]] | None = None
        self._ledger: Ledger | None = None
        self._graveyard: Graveyard | None = None
        self._rows: cache.Rows | None = None

    def snapshot(
        self, folders: Iterable[str] = (), *, stats: cache.Stats | None = None, only: Container[str] | None = None
    ) -> Snapshot:
        """Everything that can be read now; a committed but unfinished transaction counts as done.

        :param folders: read these only.
        :param stats: what :func:`cache.stats_of` has just said of ``memories/``; left out, the files are looked at.
        :param only: the paths that matter in ``memories/``, ``None`` for all.
        """
        self.widely = True
        folders = tuple(folders) or layout.memory_folders(self.layer)
        found = self._settled(
            lambda pending, at: [
                entry
                for folder in folders
                for entry in (
                    self._current(pending, at, stats, only)
                    if folder == layout.MEMORIES
                    else memories.read_folder(self.root, self.layer, folder, pending)
                )
            ]
        )
        return self.sorted_out(found)

    def _current(
        self, pending: Pending | None, at: object, stats: cache.Stats | None, only: Container[str] | None
    ) -> list[memories.Found]:
        """What lies in ``memories/``, as of :meth:`snapshot`.

        :param at: the moment, as of :func:`moment`.
        """
        rows, seen = self.cached(), self.sighting(at) if stats is None else None
        looked = stats if seen is None else seen.stats()
        if only is not None and looked and pending is None:
            looked = {path: stat for path, stat in looked.items() if path in only}
        # only who writes needs the rows once more, and they take much room
        read = partial(memories.read_folder, rows=rows, stats=looked, consume=seen is not None)
        found = list(read(self.root, self.layer, layout.MEMORIES, pending))
        if seen is not None:
            self.uncached()
            if only is None:
                self.unfiled = sighting.filing(self.kept_in, self.root, self.cache_key, found, rows, seen)
        return found

    def sighting(self, at: object) -> Sighting:
        """How the files in ``memories/`` stand, at a moment of :func:`moment` or later."""
        seen = self.foreseen
        return seen if seen is not None and seen.moment == at else sighting.look(self.root, at)

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
            lambda pending, at: [
                entry
                for folder in folders
                for entry in memories.read_named(
                    self.root, self.layer, folder, pending, bare, sighting.names(self.foreseen_names, at, bare, folder)
                )
            ]
        )
        wanted = fold(predicate)
        return self.sorted_out(
            entry for entry in found if isinstance(entry, Unreadable) or fold(entry.memory.predicate) == wanted
        )

    def places(self, folders: Iterable[str]) -> dict[str, list[str]]:
        """By the keys that the files in some folders have by their names, in comparable form, their paths."""
        found: dict[str, list[str]] = {}
        for folder in folders:
            for path in memories.paths_named(self.root, folder, self._promised()):
                found.setdefault(layout.key_of(path), []).append(path)
        return found

    def sorted_out(self, found: Iterable[memories.Found]) -> Snapshot:
        """What was found, with what was forgotten, and copies of what is in quarantine, kept apart."""
        records: list[Record] = []
        unreadable: list[Unreadable] = []
        returned: list[Record] = []
        copies: list[Record] = []
        graveyard, isolated = self.graveyard(), self.isolated()
        nothing_hides = graveyard.empty and not isolated
        for entry in found:
            if isinstance(entry, Unreadable):
                unreadable.append(entry)
            elif nothing_hides:
                records.append(entry)
            elif graveyard.of(entry.memory) is not None:
                returned.append(entry)
            elif entry.memory.id in isolated and entry.folder != layout.QUARANTINE:
                copies.append(entry)
            else:
                records.append(entry)
        self.given += records
        return Snapshot(self.layer, tuple(records), tuple(unreadable), tuple(returned), tuple(copies))

    def isolated(self) -> frozenset[str]:
        """The ids of what is in quarantine, by the names of the files there."""
        try:
            paths = memories.paths_in(self.root, layout.QUARANTINE, self._promised())
        except FaultError:
            return frozenset()  # a folder that is none is a finding, and hides nothing else
        return frozenset(layout.id_of(path) for path in paths)

    def graveyard(self) -> Graveyard:
        """What is forgotten here now, by the word of this memdir and of the user's.

        :raises FaultError: if that cannot be read: then nobody knows what may be served.
        """
        sources = (self,) if self.guard is None else (self, self.guard)
        yards = tuple(Yard(store.tombstones(), store.lifted) for store in sources)
        if self._graveyard is None or self._graveyard.contents != tuple(yard.content for yard in yards):
            self._graveyard = Graveyard(
                yards, self.layer, self.config.key, self.user_key, lambda named: any(self.receipts(named))
            )
        return self._graveyard

    def forgotten(self) -> Forgotten:
        """The tombstones of :meth:`graveyard`."""
        return self.graveyard().forgotten

    def tombstone(self, memory: Memory) -> Tombstone | None:
        """What keeps ``memory`` from being served here, ``None`` if nothing does."""
        return self.graveyard().of(memory)

    def tombstones(self) -> bytes:
        """The lines of this memdir's own tombstones, those of a committed but unfinished transaction too.

        A user's stand whatever git did to the file.
        """
        written, kept_here = self.written_tombstones(), self.kept_tombstones()
        return written if kept_here in (b"", written) else b"\n".join((written, kept_here))

    def written_tombstones(self) -> bytes:
        """The lines of the file that git sees."""
        return tombstones.read(self.root, self._promised())

    def kept_tombstones(self) -> bytes:
        """The lines that this machine keeps of it."""
        return tombstones.kept(self.root, self._promised()) if self.layer == "user" else b""

    def told(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Those of ``entries`` of which a receipt of this memdir tells, and that nobody wrote by hand."""
        entries = tuple(entries)
        told = {event for receipt in self.receipts('"forgotten"') for event in receipts.happened(receipt)}
        yield from (entry for entry in entries if isinstance(entry, Tombstone) and ("forgotten", entry.id) in told)
        yield from self.lifted(entry for entry in entries if isinstance(entry, Lift))

    def lifted(self, lifts: Iterable[Lift]) -> tuple[Lift, ...]:
        """Those of ``lifts`` of which a receipt of this memdir tells."""
        told = {
            (receipt.get("txn"), memory_id)
            for receipt in self.receipts('"lifted"')
            for kind, memory_id in receipts.happened(receipt)
            if kind == "lifted"
        }
        return tuple(lift for lift in lifts if (lift.transaction, lift.id) in told)

    @property
    def user_key(self) -> str:
        """The key of the user memdir, ``""`` where there is none."""
        if self.layer == "user":
            return self.config.key
        return self.guard.config.key if self.guard is not None else ""

    def cached(self) -> cache.Rows:
        """The rows of the cache, as it was when it was first asked for: what has changed since then has no row."""
        if self._rows is None:
            self._rows = cache.load(self.root, self.cache_key, self.kept_in)
        return self._rows

    def uncached(self) -> None:
        """Load the cache anew when it is next asked for: it was written."""
        self._rows = None

    def read(self, path: str) -> Record | Unreadable | None:
        """The memory at ``path``, ``None`` if nothing is there."""
        return memories.read_record(self.root, self.layer, path, pending(self.root))

    def content(self, path: str) -> bytes | None:
        """The bytes of a file of the memdir, ``None`` if it is not there."""
        return read_file(self.root, path)

    def absolute(self, path: str) -> str:
        """The path of a file of the memdir as the operating system knows it."""
        return os.path.join(self.root, *path.split("/"))

    def receipts(self, naming: str = "", torn: list[tuple[str, int]] | None = None) -> Iterator[receipts.Receipt]:
        """The receipts, oldest first, that of a committed but unfinished transaction last.

        :param naming: only those in whose line this text stands, such as an id.
        :param torn: as of :func:`receipts.read`.
        """
        # looked at first: what is finished while the files are read stands in one of both
        journal = self._promised()
        promised = _promise(journal)
        for receipt in receipts.read(self.root, naming, torn):
            yield receipt
            if promised is not None and receipt.get("txn") == promised.get("txn"):
                promised = None
        if promised is not None:
            yield promised

    def _promised(self) -> Pending | None:
        """The transaction that awaits its end; one that cannot be read is met by whoever writes next."""
        try:
            return pending(self.root)
        except FaultError:
            return None

    def unattributed(self, record: Record) -> str:
        """What the receipts do not support about this record, as a code; ``""`` if they do."""
        memory = whole(record.memory)
        recorded = self._recorded(memory.id)
        doubt = unsupported(receipts.claim(self.config.key, memory), recorded)
        if doubt and doubt != "status" and self._made_of(memory, recorded):
            doubt = ""
        # a writer was faster: these receipts speak of another version than the one that was read
        return doubt if doubt and not self._replaced(record) else ""

    def is_of_a_merge(self, record: Record) -> bool:
        """Whether no receipt names what this record says, but those of two sides speak for it together."""
        recorded = self._recorded(record.memory.id)
        alone = unsupported(receipts.claim(self.config.key, record.memory), recorded)
        return bool(alone) and not self.unattributed(record)

    def _recorded(self, memory_id: str) -> list[Claim]:
        if self._claims is None and self._ledger is not None:
            return self._ledger.claims(memory_id)
        claims = receipts.claims(self.receipts(memory_id)) if self._claims is None else self._claims
        return claims.get(memory_id, [])

    def _made_of(self, memory: Memory, recorded: list[Claim]) -> bool:
        """Whether the receipts support what a merge made ``memory`` of, under whatever id it was said."""
        if not recorded:
            return False
        from memdir_cli.storage.descent import is_supported  # seldom asked

        every = receipts.claims(self.receipts()) if self._claims is None else self._claims
        self.widely = True
        past = [one.memory for one in self.find(memory.predicate, (layout.HISTORY,)) if one.memory.id == memory.id]
        return is_supported(self.config.key, memory, past, recorded, every)

    def _replaced(self, record: Record) -> bool:
        standing = self.read(record.path)
        return not (isinstance(standing, Record) and standing.digest == record.digest)

    def read_claims(self, torn: list[tuple[str, int]] | None = None) -> None:
        """Read all receipts once, for a caller that will ask :meth:`unattributed` of many records.

        :param torn: as of :func:`receipts.read`.
        """
        self._claims = receipts.claims(self.receipts(torn=torn))

    def open_ledger(self) -> None:
        """Read all receipts once, for a caller that will ask :meth:`unattributed` of some out of many records."""
        from memdir_cli.storage.ledger import Ledger

        journal = self._promised()
        self._ledger = Ledger(self.root, _promise(journal))

    def _settled(self, read: Callable[[Pending | None, object], list[memories.Found]]) -> list[memories.Found]:
        """What ``read``, which is told the moment, finds of one moment: read again if a writer finished meanwhile."""
        for _ in range(READINGS):
            before = moment(self.root)
            found = read(pending(self.root), before)
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
        from memdir_cli.storage import transaction
        from memdir_cli.storage.lock import locked
        from memdir_cli.storage.writer import Writer

        private = self.layer == "user"
        with locked(self.root, timeout, command, private=private):
            kept.drop(self.kept_in, self.root)
            try:
                yield Writer(self, transaction.recover(self.root, force=force, done=self._is_forgotten_elsewhere))
            finally:
                # whoever read meanwhile may have kept what was true before
                kept.drop(self.kept_in, self.root)

    def _is_forgotten_elsewhere(self, txn: str) -> bool:
        """Whether the user memdir holds its half of a forgetting that was prepared here."""
        if self.guard is None:
            return False
        stones, _ = tombstones.entries(self.guard.tombstones())
        return any(stone.transaction == txn for stone in stones)


def _promise(journal: Pending | None) -> receipts.Receipt | None:
    """The receipt of a transaction that awaits its end."""
    return receipts.parse(journal.receipt.line.encode()) if journal and journal.receipt else None
