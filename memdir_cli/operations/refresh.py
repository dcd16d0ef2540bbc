"""refresh: move statuses to what clock and evidence say now. Repeating it writes nothing."""

from __future__ import annotations

from memdir_cli.domain import refreshing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.refreshing import Change, RefreshAnswer
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, RefusedError
from memdir_cli.operations import retaining
from memdir_cli.operations.looking import Looks, looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer

#: Faults of one memory file, which do not keep the others from being moved.
OF_ONE_FILE = frozenset({"not-editable", "misplaced", "path-taken", "read_only"})


@dataclass(frozen=True, slots=True)
class Found:
    """What one memdir is to become."""

    changes: tuple[Change, ...]
    files: ChangeSet

    def __bool__(self) -> bool:
        return bool(self.changes or self.files)


def refresh(workplace: Workplace, *, dry_run: bool = False) -> RefreshAnswer:
    """Find what has changed under the memories of both memdirs, and write it down.

    Evidence counts only for memories of this repository and task: elsewhere it cannot be seen. Where nothing
    moves no lock is taken. What the settings keep for a while only is let go of in the same transaction.

    :param dry_run: only say what would move.
    """
    answers = [_refresh(workplace, store, dry_run=dry_run) for store in workplace.stores]
    return RefreshAnswer(
        tuple(change for answer in answers for change in answer.changed),
        dry_run,
        tuple(path for answer in answers for path in answer.removed),
        tuple(trouble for answer in answers for trouble in answer.troubles),
        tuple(sorted({sentence for answer in answers for sentence in answer.unreadable})),
        frozenset[str]().union(*(answer.looked_at for answer in answers)),
        tuple(one for answer in answers for one in answer.written),
    )


def _refresh(workplace: Workplace, store: Store, *, dry_run: bool) -> RefreshAnswer:
    seen = looks(workplace)
    found = _found(workplace, store, seen)
    troubles: list[str] = []
    written: dict[str, str] = {}
    if found and not dry_run:
        with store.writing(workplace.lock_timeout, "memdir refresh") as writer:
            # what was found without the lock may have moved since
            seen = looks(workplace)
            found = _found(workplace, store, seen)
            if len(found.changes) > 1:
                store.read_claims()
            done = _commit(writer, found, workplace.runtime.now, troubles)
            found = Found(done, found.files)
            written = writer.written
    return RefreshAnswer(
        found.changes,
        removed=tuple(store.absolute(one.path) for one in found.files.discards),
        troubles=tuple(troubles),
        unreadable=seen.unreadable,
        looked_at=seen.paths,
        written=tuple((store.absolute(path), digest) for path, digest in written.items()),
    )


def _found(workplace: Workplace, store: Store, seen: Looks) -> Found:
    now, kept = workplace.runtime.now, store.config.retention
    past = (layout.HISTORY,) if kept["history"] else ()
    records = store.snapshot((layout.MEMORIES, layout.TASKS, layout.INBOX, *past)).records
    judged = [resolving.judge(record, workplace.runtime, seen) for record in records]
    let_go = retaining.let_go(store, records, now)
    changes = refreshing.worst(
        (
            *refreshing.moved(judged),
            *refreshing.withdrawn(records, let_go.lost),
            *refreshing.overdue((one for one in records if one.folder == layout.INBOX), kept["candidates"], now),
            *_outlived(store, tuple(one for one in records if one.folder == layout.HISTORY), now),
        )
    )
    return Found(changes, let_go.files)


def _outlived(store: Store, past: tuple[Record, ...], now: str) -> tuple[Change, ...]:
    return refreshing.outlived(past, store.config.retention["history"], retaining.ended(store), now) if past else ()


def _commit(writer: Writer, found: Found, now: str, troubles: list[str]) -> tuple[Change, ...]:
    """Write everything together; where one file is in the way of that, everything but that file.

    :returns: the changes that were made.
    """
    store = writer.store
    try:
        attributed = {one.record.path for one in found.changes if not store.unattributed(one.record)}
        changes = refreshing.carry_out(
            found.changes, store.layer, lambda record: record.path in attributed, found.files
        )
        writer.commit(changes, now)
    except (FaultError, RefusedError) as error:
        if error.code not in OF_ONE_FILE or not found.changes:
            raise
        if len(found.changes) == 1 and not found.files:
            troubles.append(f"`{printable(found.changes[0].record.path)}` stays as it is: {error.message}")
            return ()
        return tuple(done for part in _parts(found) for done in _commit(writer, part, now, troubles))
    return found.changes


def _parts(found: Found) -> tuple[Found, ...]:
    """Halves, each of which may succeed on its own; the other files by themselves."""
    half = len(found.changes) // 2
    halves = (found.changes[:half], found.changes[half:])
    files = (Found((), found.files),) if found.files else ()
    return (*files, *(Found(part, ChangeSet()) for part in halves if part))
