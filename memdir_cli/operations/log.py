"""log: what happened, from the receipts of both memdirs. They hold no content, so it is told at all times."""

from __future__ import annotations

from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import visibility
from memdir_cli.domain.happenings import LogAnswer, named, newest_first
from memdir_cli.operations.workplace import Workplace


def log(workplace: Workplace, *, ignored: bool = False) -> LogAnswer:
    """The events of both memdirs, newest first, with the keys of the memories that still exist.

    :param ignored: memory is not to be used; keys are of the memories.
    """
    events = newest_first((store.layer, store.receipts()) for store in workplace.stores)
    return LogAnswer(events if ignored else named(events, _keys(workplace)))


def _keys(workplace: Workplace) -> dict[str, str]:
    """By id, the keys of all memories but another user's."""
    records = (record for store in workplace.stores for record in store.snapshot().records)
    return {
        record.memory.id: record.memory.predicate
        for record in records
        if not visibility.another_users(resolving.judge(record, workplace.runtime))
    }
