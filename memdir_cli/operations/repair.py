"""repair: finish what a crash interrupted, and mend what can be mended without anybody's word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdir_cli.checks import registry
from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain import diffing
from memdir_cli.domain.changes import ChangeSet, Put, Remove, together
from memdir_cli.domain.repairs import Action, RepairAnswer
from memdir_cli.errors import FaultError, NoMemdirError
from memdir_cli.operations import mending
from memdir_cli.operations.examining import examine, shown
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import disk, layout, transaction
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer

#: How often it is looked again: moving one file may free the place of another.
PASSES = 8

Fixable = tuple[tuple[Rule, Sighting], ...]


def repair(workplace: Workplace, *, dry_run: bool = False) -> RepairAnswer:
    """Mend everything that ``check`` calls fixable, in both memdirs, the user's first.

    Nothing is overwritten, and no file is touched that cannot be read. Where there is nothing to do
    nothing is written, not even the lock.

    :param dry_run: only say what would be done.
    :raises NoMemdirError: if there is no memdir.
    :raises FaultError: if a memdir could not be mended; the other one was.
    """
    if not workplace.stores:
        raise NoMemdirError("There is no memdir to repair.", hint="type `memdir init` to make one")
    actions: list[Action] = []
    diffs: list[str] = []
    failed: list[FaultError] = []
    for store in workplace.stores:
        try:
            actions += _repair(workplace, store, dry_run=dry_run)
            if dry_run:
                diffs += _diffs(workplace, store)
        except FaultError as error:
            failed.append(error)
    if failed:
        raise failed[0]
    return RepairAnswer(tuple(sorted(set(actions))), dry_run, "\n".join(diffs))


def _diffs(workplace: Workplace, store: Store) -> Iterator[str]:
    """What would change, file by file, as far as one look shows; nothing is written, and no lock taken."""
    examined = examine(store, workplace.runtime.now, environ=workplace.environ)
    planned = tuple(pair for pair in _fixable(examined) if pair[0].code not in mending.BY_RECOVERY)
    if not planned:
        return
    changes = _changes(store, examined, planned)
    for _, sighting in planned:
        if sighting.target:
            yield diffing.moved(shown(workplace, store, sighting.path), shown(workplace, store, sighting.target))
    moves = {sighting.target for _, sighting in planned if sighting.target}
    removes = (*(Remove(record.path, record.digest) for record in changes.removes), *changes.discards)
    index = Writer(store, transaction.Outcome()).index(changes.files, removes)
    if examined.tombstones.returned or examined.snapshot.copies:
        index = None  # it may name what was forgotten or taken out, which no diff shows again
    for path in (path for path, content in examined.torn.files.items() if content is None):
        yield diffing.unified(shown(workplace, store, path), store.content(path), b"")
    for put in (*changes.files, *((index,) if index is not None else ())):
        if put.path not in moves and layout.folder_of(put.path) not in {layout.QUARANTINE, layout.SOURCES}:
            yield diffing.unified(shown(workplace, store, put.path), store.content(put.path), put.content)


def _repair(workplace: Workplace, store: Store, *, dry_run: bool) -> Iterator[Action]:
    now = workplace.runtime.now
    planned = _fixable(examine(store, now, environ=workplace.environ))
    if not dry_run and planned:
        with store.writing(workplace.lock_timeout, "memdir repair", force=True) as writer:
            planned = tuple(pair for pair in planned if pair[0].code in mending.BY_RECOVERY)
            for _ in range(PASSES):
                # opened anew: what was mended may be the settings
                anew = Store(store.root, store.layer, guard=store.guard)
                examined = examine(anew, now, environ=workplace.environ, patience=0)
                found = tuple(pair for pair in _fixable(examined) if pair[0].code not in mending.BY_RECOVERY)
                if not found:
                    break
                _mend(writer, examined, found, now)
                planned += found
            yield from _kept_aside(workplace, writer)
    for rule, sighting in planned:
        yield Action(shown(workplace, store, sighting.path), _deed(workplace, store, rule, sighting), rule.code)


def _fixable(examined: Examined) -> Fixable:
    seen = registry.sightings(examined)
    return tuple((rule, sighting) for rule, sighting in seen if rule.fixable and sighting.fixable)


def _mend(writer: Writer, examined: Examined, planned: Fixable, now: str) -> None:
    """Carry out what is planned, all files in one transaction."""
    if any(rule.code == mending.OPEN_TO_OTHERS for rule, _ in planned):
        disk.create_root(writer.store.root, private=True)
    writer.commit(_changes(writer.store, examined, planned), now)
    writer.attest(examined.torn.files, now)


def _changes(store: Store, examined: Examined, planned: Fixable) -> ChangeSet:
    codes = {rule.code for rule, _ in planned}
    if codes & mending.REJOINED:
        # first one file of two, then everything else, for which it may matter
        return mending.rejoined(store, examined)
    targets = {sighting.path: sighting.target for _, sighting in planned if sighting.target}
    moved = [record for record in examined.records if record.path in targets]
    files = (Put(targets[record.path], content) for record in moved if (content := store.content(record.path)))
    moves = ChangeSet(removes=tuple(moved), files=tuple(files))
    return together((moves, *(mending.changes(code, store, examined) for code in sorted(codes))))


def _deed(workplace: Workplace, store: Store, rule: Rule, sighting: Sighting) -> str:
    if sighting.target:
        return f"moved to {shown(workplace, store, sighting.target)}"
    return mending.DEEDS[rule.code]


def _kept_aside(workplace: Workplace, writer: Writer) -> Iterable[Action]:
    """What recovery could not put in its place, because somebody edited the file meanwhile."""
    outcome = writer.recovered
    for path, aside in outcome.set_aside if outcome.transaction else ():
        deed = f"kept as it is; the other version lies at {shown(workplace, writer.store, aside)}"
        yield Action(shown(workplace, writer.store, path), deed, "M714")
