"""refresh: move statuses to what clock and evidence say now. Repeating it writes nothing."""

from __future__ import annotations

from memdir_cli.domain import refreshing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.refreshing import Change, RefreshAnswer
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store


def refresh(workplace: Workplace, *, dry_run: bool = False) -> RefreshAnswer:
    """Find what has changed under the memories of both memdirs, and write it down.

    Evidence counts only for memories of this repository and task: elsewhere it cannot be seen.

    :param dry_run: only say what would move.
    """
    changed: list[Change] = []
    for store in workplace.stores:
        found = _changes(workplace, store)
        if found and not dry_run:
            with store.writing(workplace.lock_timeout, "memdir refresh") as writer:
                # what was found without the lock may have moved since
                found = _changes(workplace, store)
                writer.commit(refreshing.carry_out(found, store.layer), workplace.runtime.now)
        changed += found
    return RefreshAnswer(tuple(changed), dry_run)


def _changes(workplace: Workplace, store: Store) -> tuple[Change, ...]:
    now = workplace.runtime.now
    seen = looks(workplace)
    records = store.snapshot((layout.MEMORIES, layout.TASKS, layout.INBOX)).records
    judged = [resolving.judge(record, workplace.runtime, seen) for record in records]
    waiting = (record for record in records if record.folder == layout.INBOX)
    return (*refreshing.moved(judged), *refreshing.overdue(waiting, store.config.keep_candidates, now))
