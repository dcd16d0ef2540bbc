"""Examining: one memdir, gathered for the rules. Takes no lock and writes nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from memdir_cli.checks.examined import Examined, Index, Leftovers, Notice, Settings, Stray, Tombstones
from memdir_cli.domain import remarks
from memdir_cli.domain.snapshot import Record, Snapshot, Unreadable
from memdir_cli.errors import ChangedError, FaultError
from memdir_cli.operations import exhuming
from memdir_cli.operations.rejoining import Sharing, rejoin, sharing_of
from memdir_cli.operations.shelving import Shelf
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.git import Heard
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import replace
from memdir_cli.storage import index as memory_index
from memdir_cli.storage import inspection, layout
from memdir_cli.storage.journal import Pending, moment, pending, prepared, read_after
from memdir_cli.storage.store import READINGS, Store

#: Seconds after which what a writer has staged counts as left behind, if it still lies there.
PATIENCE = 0.3

#: Larger strays are not looked into.
STRAY_LIMIT = 1 << 20

Found = TypeVar("Found")


class Look:
    """One look at a memdir.

    :ivar journal: the transaction that counts as done, ``None`` if there is none.
    :ivar troubles: what kept from looking; each becomes a finding.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.root = store.root
        self.journal: Pending | None = None
        self.troubles: list[Unreadable] = []

    def attempt(self, path: str, look: Callable[[], Found]) -> Found | None:
        """What ``look`` gives, ``None`` where it meets a fault.

        :param path: what the fault is about, if it does not say so itself.
        """
        try:
            return look()
        except FaultError as error:
            where = str(error.facts.get("path") or path)
            self.troubles.append(Unreadable(where, error.code, error.message, layer=self.store.layer))
            return None


def examine(
    store: Store,
    now: str,
    by_git: str = "",
    *,
    environ: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
    heard: Heard | None = None,
) -> Examined:
    """Everything that rules judge about one memdir, of one moment.

    :param by_git: the repository id that git gives where the memdir lies, ``""`` if it gives none.
    :param environ: with what git is asked how a merge stands; ``None``: it is not asked.
    :param patience: seconds that a running writer is given to take away what it has staged.
    :param heard: takes down what git was asked and said.
    :raises FaultError: if the memdir cannot be opened at all.
    """
    sharing = Sharing() if environ is None else sharing_of(store, environ, heard)
    for attempt in range(READINGS):
        before = moment(store.root)
        try:
            examined = _examined(store, now, by_git, sharing, keep_texts=attempt > 0)
        except ChangedError:
            continue  # somebody edited a file whose text was let go of
        left = examined.leftovers
        if moment(store.root) != before:
            continue
        if not patience or left == replace(left, journal="none", temporary=()):
            break
        time.sleep(patience)
        if _leftovers(Look(store)) == left and moment(store.root) == before:
            break
    return examined


def git_repository(workplace: Workplace, store: Store) -> str:
    """The id that git gives where ``store`` lies; ``""`` for a memdir outside the working tree."""
    top = workplace.checkout.top if workplace.checkout is not None else ""
    inside = bool(top) and is_within(os.path.realpath(store.root), top)
    return (workplace.runtime.repository.value or "") if inside and store.layer == "project" else ""


def shown(workplace: Workplace, store: Store, path: str) -> str:
    """``path`` of a memdir for people: from the repository's root, else absolute; POSIX."""
    # only the memdir itself is resolved: a file in it may be a link that leads elsewhere
    whole = os.path.normpath(os.path.join(os.path.realpath(store.root), *path.split("/")))
    root = os.path.realpath(workplace.root) if workplace.root else ""
    if root and is_within(whole, root):
        whole = os.path.relpath(whole, root)
    return whole.replace(os.sep, "/")


def _examined(store: Store, now: str, by_git: str, sharing: Sharing, *, keep_texts: bool) -> Examined:
    look = Look(store)
    if store.fault is not None:
        look.troubles.append(Unreadable(layout.CONFIG, store.fault.code, store.fault.message, layer=store.layer))
    leftovers = _leftovers(look)
    torn = _torn(look)
    # whoever knows of an unfinished write looks at the texts once more
    calm = not keep_texts and look.journal is None and store.fault is None and not look.troubles
    shelf = Shelf(store, wanted=calm)
    folders = [_folder(look, folder, shelf) for folder in layout.memory_folders(store.layer)]
    files = [one for folder in folders for one in folder.found]
    graves = _graves(look, files)
    records = graves.records
    homes = {record.path: _home(record) for record in records}
    # without the key of the settings no digest can be compared
    unattributed = _unattributed(look, records, homes, shelf.doubts) if store.fault is None else {}
    index, settings = _index(look, records), _settings(look, by_git, sharing)
    unreadable = [one.found for one in files if isinstance(one.found, Unreadable)]
    return Examined(
        # one trouble that was met on several ways is one
        Snapshot(
            store.layer, records, tuple(dict.fromkeys([*unreadable, *look.troubles])), graves.returned, graves.copies
        ),
        now,
        homes=homes,
        names=frozenset[str]().union(*(folder.names for folder in folders)),
        notices=tuple(_notice(one.found.path, notice) for one in files for notice in one.notices),
        strays=tuple(_stray(entry) for folder in folders for entry in folder.strays),
        unattributed=unattributed,
        index=index,
        traces=(*((one.found.path, trace) for one in files for trace in one.traces), *_beside(look, index, folders)),
        remarks={one.found.path: one.remarks for one in files if one.remarks},
        lines_above={one.found.path: one.lines_above for one in files if one.remarks},
        unsealed=look.attempt(layout.QUARANTINE, lambda: _in_the_clear(store)) or {},
        torn_receipts=torn,
        leftovers=leftovers,
        tombstones=graves.facts,
        torn=rejoin(store, sharing.unmerged, records, unreadable),
        settings=settings,
    )


def _graves(look: Look, files: Iterable[inspection.Inspected]) -> exhuming.Graves:
    """The memories, with what was forgotten kept apart."""
    lying = tuple(one.found for one in files)
    graves = look.attempt(layout.TOMBSTONES, lambda: exhuming.graves(look.store, lying))
    if graves is not None:
        return graves
    # nothing is served while nobody knows what was forgotten, which is a finding of its own
    return exhuming.Graves(tuple(one for one in lying if isinstance(one, Record)), (), Tombstones())


def _folder(look: Look, folder: str, shelf: Shelf) -> inspection.Folder:
    then = shelf.take if shelf.open and folder == layout.MEMORIES else None
    found = look.attempt(
        folder, lambda: inspection.inspect_folder(look.root, look.store.layer, folder, look.journal, then)
    )
    return found or inspection.Folder()


def _leftovers(look: Look) -> Leftovers:
    """What writers have left; finds the transaction that counts as done on the way."""
    unreadable = False
    try:
        look.journal = pending(look.root)
    except FaultError as error:
        unreadable = error.code == "journal"
        if not unreadable:
            look.troubles.append(Unreadable(layout.JOURNAL, error.code, error.message))
    other = look.attempt(layout.PREPARED, lambda: prepared(look.root))
    halves = [one for one in (look.journal, other) if one is not None]
    needed = {temp for one in halves for temp in one.staged.values()}
    temporary = look.attempt("", lambda: tuple(inspection.temporaries(look.root))) or ()
    return Leftovers(
        "unreadable" if unreadable else "unfinished" if halves else "none",
        tuple(sorted(path for path in temporary if path not in needed)),
        look.attempt(layout.SET_ASIDE, lambda: inspection.set_aside(look.root)) or (),
    )


def _home(record: Record) -> str:
    """Where a record belongs; nearly always the very path that it has."""
    home = layout.path_of(record.memory, record.layer)
    return record.path if home == record.path else home


def _in_the_clear(store: Store) -> dict[str, str]:
    """Files beside the memories that tell something of what is in quarantine."""
    if not store.isolated():
        return {}
    # dear to import, and most memdirs have nothing in quarantine
    from memdir_cli.operations import isolating

    return isolating.in_the_clear(store)


def _torn(look: Look) -> tuple[tuple[str, int], ...]:
    """Path and line of what should be a receipt and is none; the others are known to the store from then on."""

    def read() -> tuple[tuple[str, int], ...]:
        torn: list[tuple[str, int]] = []
        look.store.read_claims(torn)
        return tuple(torn)

    return look.attempt(layout.RECEIPTS, read) or ()


def _unattributed(
    look: Look, records: tuple[Record, ...], homes: dict[str, str], known: dict[str, str]
) -> dict[str, str]:
    """What the receipts do not support, of the memories that are served or want to be.

    :param known: that of some, by path.
    Nothing where receipts cannot be read: they may support all of it.
    """
    store = look.store
    if not store.config.key or any(one.path.startswith(layout.RECEIPTS) for one in look.troubles):
        return {}
    served = {layout.MEMORIES, layout.TASKS}
    # the receipt of a transaction that awaits its end is not among the receipts yet
    coming = look.journal.staged if look.journal is not None else {}
    judged = [
        record
        for record in records
        if (record.current or layout.folder_of(homes[record.path]) in served) and record.path not in coming
    ]
    codes = (
        (record.path, known[record.path] if record.path in known else store.unattributed(record)) for record in judged
    )
    return {path: code for path, code in codes if code}


def _index(look: Look, records: tuple[Record, ...]) -> Index:
    before = len(look.troubles)
    standing = look.attempt(layout.INDEX, lambda: read_after(look.root, layout.INDEX, look.journal))
    if len(look.troubles) > before:
        return Index(readable=False)
    due = memory_index.render(standing, (record for record in records if record.folder == layout.MEMORIES))
    links = tuple(memory_index.links(standing or b""))
    due_links = frozenset(path for _, path in memory_index.links(due))
    beside = _beside_generated(standing or b"", due)
    return Index(standing, due, links, due_links, beside=beside, remarks=tuple(remarks.of_text(beside)))


def _beside_generated(standing: bytes, due: bytes) -> str:
    """The text of the index with an empty line for each that was generated of a memory."""
    wanted = [line.rstrip(b"\r") for line in due.split(b"\n")]
    # from the first marker to the last, whatever a person wrote around them
    marks = [
        at for at, line in enumerate(wanted) if line.strip() in {memory_index.BEGIN.encode(), memory_index.END.encode()}
    ]
    generated = set(wanted[marks[0] : marks[-1]]) if marks else set()
    lines = (line.rstrip(b"\r") for line in standing.split(b"\n"))
    return b"\n".join(b"" if line in generated else line for line in lines).decode("utf-8", "replace")


def _beside(look: Look, index: Index, folders: Iterable[inspection.Folder]) -> Iterator[tuple[str, inspection.Trace]]:
    """What may stand in no file, in the files beside the memories; what was generated of memories is theirs."""
    lines = index.beside.split("\n")
    for trace in inspection.file_traces(index.standing or b""):
        if trace.line > len(lines) or lines[trace.line - 1]:
            yield layout.INDEX, trace
    strays = (entry.name for folder in folders for entry in folder.strays if entry.kind == "file")
    for path in (layout.CONFIG, *strays):
        for trace in inspection.file_traces(_content(look, path)):
            yield path, trace


def _content(look: Look, path: str) -> bytes:
    """The bytes of a file, none where it cannot be read: if that matters, another finding says so."""
    try:
        return read_after(look.root, path, look.journal, limit=STRAY_LIMIT) or b""
    except FaultError:
        return b""


def _settings(look: Look, by_git: str, sharing: Sharing) -> Settings:
    store = look.store
    before = len(look.troubles)
    gitignore = look.attempt(layout.GITIGNORE, lambda: read_after(look.root, layout.GITIGNORE, None))
    if len(look.troubles) > before:
        gitignore = b"/local/\n"  # what cannot be read has its finding already
    receipts = look.attempt(layout.RECEIPTS, lambda: inspection.receipt_files(store.root))
    return Settings(
        repository=store.config.repository,
        user=store.config.user,
        key=bool(store.config.key),
        git_repository=by_git,
        gitignore=gitignore,
        receipts=bool(receipts),
        open_to_others=inspection.open_to_others(store.root),
        driver_missing=sharing.driver_missing,
    )


def _notice(path: str, notice: inspection.Notice) -> Notice:
    return Notice(path, notice.reason, notice.message, notice.line, notice.column)


def _stray(entry: inspection.Entry) -> Stray:
    return Stray(entry.name, "folder" if entry.kind == "folder" else "file")
