"""history: every revision of a key with its sources, oldest first."""

from __future__ import annotations

from memdir_cli.domain import listing, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.identity import fold, parse_predicate
from memdir_cli.domain.listing import HistoryAnswer, Listed
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import Source
from memdir_cli.operations import sourcing
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
    ordered = listing.revisions(found)
    last = {one.memory.id: one for one in ordered}
    revisions = tuple(
        Listed(one, older=_older(workplace, one) if one is last[one.memory.id] else ()) for one in ordered
    )
    near = "" if revisions else _nearest(workplace, predicate)
    return HistoryAnswer(predicate, revisions, nearest=near)


def _older(workplace: Workplace, one: Judged) -> tuple[Source, ...]:
    """The sources that the last revision of a memory keeps beside its file; none of what is withheld."""
    if one.effective.status == "quarantined":
        return ()
    store = next(store for store in workplace.stores if store.layer == one.record.layer)
    return sourcing.older(store, one.memory)


def _nearest(workplace: Workplace, key: str) -> str:
    judged = [
        resolving.judge(record, workplace.runtime) for store in workplace.stores for record in store.snapshot().records
    ]
    names = {one.memory.predicate for one in judged if visibility.here(one)}
    return nearest(key, [name for name in names if fold(name) != fold(key)])
