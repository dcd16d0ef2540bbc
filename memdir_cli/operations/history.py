"""history: every revision of a key with its sources, oldest first."""

from __future__ import annotations

from memdir_cli.domain import listing, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.identity import fold, parse_predicate
from memdir_cli.domain.listing import HistoryAnswer, Listed
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.scope import Level
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout


def history(
    workplace: Workplace,
    key: str,
    level: Level | None = None,
    *,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
) -> HistoryAnswer:
    """Everything that ``key`` ever was in this place; the losers of settled conflicts too.

    :param level: look at this level only.
    :raises UsageError: if ``key`` is not one.
    """
    predicate = parse_predicate(key)
    if ignored:
        return HistoryAnswer(predicate, ignored=True)
    seen = looks(workplace) if verdicts is None else verdicts
    found = [
        resolving.judge(record, workplace.runtime, seen)
        for store in workplace.stores
        for record in store.find(predicate, layout.memory_folders(store.layer))
        if level is None or level == record.memory.scope.level
    ]
    revisions = tuple(Listed(one) for one in listing.revisions(found))
    near = "" if revisions else _nearest(workplace, predicate)
    return HistoryAnswer(predicate, revisions, nearest=near)


def _nearest(workplace: Workplace, key: str) -> str:
    judged = [
        resolving.judge(record, workplace.runtime) for store in workplace.stores for record in store.snapshot().records
    ]
    names = {one.memory.predicate for one in judged if visibility.here(one)}
    return nearest(key, [name for name in names if fold(name) != fold(key)])
