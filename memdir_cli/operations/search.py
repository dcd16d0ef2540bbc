"""search: which memories of the current view may be meant. It finds candidates and identifies nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from memdir_cli.domain import access as accessing
from memdir_cli.domain import finding, listing, terms
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.doubt import doubts, unreadable
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.finding import Result, SearchAnswer
from memdir_cli.domain.listing import Filter, Listed
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.search import Hit, Place
from memdir_cli.domain.snapshot import Snapshot
from memdir_cli.operations.looking import looks
from memdir_cli.operations.scoring import Indexes, hits, indexes
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import access
from memdir_cli.storage.search import FEW, Index
from memdir_cli.storage.store import Store


def search(
    workplace: Workplace,
    text: str,
    wanted: Filter = Filter(),  # noqa: B008 (frozen)
    *,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
    feeds: bool = True,
) -> SearchAnswer:
    """The memories that hold words of ``text``, the best first.

    :param wanted: which memories; left out, those that may be used in this run, for any path and topic.
    :param verdicts: what to believe of evidence instead of looking at the workspace.
    :param ignored: memory is not to be used; nothing is read.
    :param feeds: an agent reads it, so it is logged.
    """
    if ignored:
        return SearchAnswer(ignored=True)
    words = terms.asked(text)
    if not words:
        return SearchAnswer(remarks=("There is no word to look for.",))
    with ExitStack() as opened:
        answer = _search(workplace, words, wanted, indexes(workplace, opened, wide=wanted.wide), verdicts)
    if feeds:
        _note(workplace, answer, text)
    return answer


def _search(
    workplace: Workplace, words: Sequence[str], wanted: Filter, indexes: Indexes, verdicts: Verdicts | None
) -> SearchAnswer:
    found = hits(words, indexes)
    seen = looks(workplace) if verdicts is None else verdicts
    results = [result for pair in indexes for result in _results(workplace, *pair, found, wanted, seen)]
    remarks = [
        remark
        for store, index in indexes
        for remark in unreadable(Snapshot(store.layer, unreadable=tuple(index.unreadable)))
    ]
    return SearchAnswer(finding.ordered(results), remarks=tuple(remarks))


def _results(
    workplace: Workplace, store: Store, index: Index, found: Mapping[Place, Hit], wanted: Filter, verdicts: Verdicts
) -> list[Result]:
    records = index.records(path for layer, path in found if layer == store.layer)
    judged = map(resolving.judging(workplace.runtime, verdicts), records)
    kept = listing.chosen(judged, wanted)
    if len(kept) > FEW:
        store.open_ledger()
    return [_result(store, one, found[store.layer, one.record.path]) for one in kept]


def _result(store: Store, judged: Judged, hit: Hit) -> Result:
    unsupported = store.unattributed(judged.record) if judged.record.current else ""
    warnings = doubts(judged, unsupported)
    if judged.effective.status == "conflicted":
        memory = judged.memory
        hint = f"in conflict: ask which value holds; see `memdir show {memory.id}`"
        warnings = (Caution("conflict", hint), *warnings)
    return Result(Listed(finding.told(judged), unsupported), hit, warnings)


def _note(workplace: Workplace, answer: SearchAnswer, text: str) -> None:
    given = [result.listed.judged for result in answer.results]
    shown = [one for one in given if one.effective.status not in {"conflicted", "quarantined"}]
    unsettled = [(one.record, "conflict") for one in given if one.effective.status == "conflicted"]
    access.note(workplace.stores, accessing.access("search", workplace.runtime, shown, unsettled, query=text))
