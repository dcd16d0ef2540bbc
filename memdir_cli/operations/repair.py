"""repair: finish what a crash interrupted, and mend what can be mended without anybody's word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdir_cli.checks import registry
from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.changes import ChangeSet, Put
from memdir_cli.domain.repairs import Action, RepairAnswer
from memdir_cli.errors import FaultError, NoMemdirError
from memdir_cli.operations import mending
from memdir_cli.operations.examining import examine, memdirs, shown
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import disk
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
    failed: list[FaultError] = []
    for store in memdirs(workplace):
        try:
            actions += _repair(workplace, store, dry_run=dry_run)
        except FaultError as error:
            failed.append(error)
    if failed:
        raise failed[0]
    return RepairAnswer(tuple(sorted(set(actions))), dry_run)


def _repair(workplace: Workplace, store: Store, *, dry_run: bool) -> Iterator[Action]:
    now = workplace.runtime.now
    planned = _fixable(examine(store, now))
    if not dry_run and planned:
        with store.writing(workplace.lock_timeout, "memdir repair", force=True) as writer:
            planned = tuple(pair for pair in planned if pair[0].code in mending.BY_RECOVERY)
            for _ in range(PASSES):
                # opened anew: what was mended may be the settings
                examined = examine(Store(store.root, store.layer), now, patience=0)
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
    store = writer.store
    codes = {rule.code for rule, _ in planned}
    if mending.OPEN_TO_OTHERS in codes:
        disk.create_root(store.root, private=True)
    targets = {sighting.path: sighting.target for _, sighting in planned if sighting.target}
    moved = [record for record in examined.records if record.path in targets]
    files = [
        *(Put(targets[record.path], content) for record in moved if (content := store.content(record.path))),
        *(put for code in sorted(codes) for put in mending.puts(code, store, examined)),
    ]
    writer.commit(ChangeSet(removes=tuple(moved), files=tuple(files)), now)


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
