"""context: what an agent may use here, within a budget."""

from __future__ import annotations

from collections.abc import Callable

from memdir_cli.domain import access as accessing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import visibility
from memdir_cli.domain.briefing import BUDGET, ContextAnswer, Form, brief, nothing
from memdir_cli.domain.doubt import doubts, unreadable
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.selection import Entry, Scores, Selection, select
from memdir_cli.errors import UsageError
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import access, layout


def context(
    workplace: Workplace,
    budget: int = BUDGET,
    query: str = "",
    level: Level | None = None,
    *,
    form: Form = "markdown",
    verdicts: Verdicts | None = None,
    ignored: bool = False,
    feeds: bool = True,
    verb: str = "context",
) -> ContextAnswer:
    """What applies here and what would elsewhere, as text that is to be printed as it is.

    :param budget: characters that the whole output may have.
    :param verb: what the access log calls this read.
    :raises UsageError: for a budget that is negative or holds no answer at all.
    """
    if budget < 0:
        raise UsageError(f"The budget `{budget}` is negative.", hint=f"give characters, such as `--budget {BUDGET}`")
    now = workplace.runtime.now
    if ignored:
        return nothing(form, budget, now)
    judged, remarks = _judged(workplace, level, looks(workplace) if verdicts is None else verdicts)
    selection = select(judged, _scores(workplace, query))
    briefing = brief(selection.entries, _doubts(workplace), workplace.runtime, budget=budget, form=form)
    if not briefing.text:
        raise UsageError(
            f"A budget of {budget} characters holds no answer.", hint=f"give more, such as `--budget {BUDGET}`"
        )
    answer = ContextAnswer(briefing, form, budget, now, remarks=tuple(remarks))
    if feeds:
        _note(workplace, answer, selection, query, verb)
    return answer


def _scores(workplace: Workplace, query: str) -> Scores:
    """How well memories fit a question, by the index that ``search`` uses; it is loaded only to answer one."""
    if not query.strip():
        return {}
    from memdir_cli.operations.scoring import relevance

    return relevance(workplace, query)


def _judged(workplace: Workplace, level: Level | None, verdicts: Verdicts) -> tuple[list[Judged], list[str]]:
    judged: list[Judged] = []
    remarks: list[str] = []
    judge = resolving.judging(workplace.runtime, verdicts)
    for store in workplace.stores:
        snapshot = store.snapshot((layout.MEMORIES, layout.TASKS))
        remarks += unreadable(snapshot)
        judged += [
            one
            for record in snapshot.records
            if (level is None or level == record.memory.scope.level)
            and not visibility.another_users(one := judge(record))
        ]
    return judged, remarks


def _doubts(workplace: Workplace) -> Callable[[Entry], tuple[str, ...]]:
    """Why an entry is to be verified first; the receipts are read when the first one is asked about."""
    ready: set[str] = set()

    def told(entry: Entry) -> tuple[str, ...]:
        record = entry.judged.record
        store = next(store for store in workplace.stores if store.layer == record.layer)
        if store.layer not in ready:
            store.open_ledger()
            ready.add(store.layer)
        return tuple(caution.message for caution in doubts(entry.judged, store.unattributed(record)))

    return told


def _note(workplace: Workplace, answer: ContextAnswer, selection: Selection, query: str, verb: str) -> None:
    items = answer.briefing.items
    shown = [item.entry.judged for item in items if item.given]
    printed = {id(item.entry) for item in items}
    dropped = [(entry.judged.record, "budget") for entry in selection.entries if id(entry) not in printed]
    unsettled = [
        (item.entry.judged.record, "conflict" if item.entry.conflict else "permission")
        for item in items
        if not item.given
    ]
    read = accessing.access(
        verb,
        workplace.runtime,
        shown,
        (*selection.passed, *unsettled, *dropped),
        budget=answer.budget,
        query=query,
        characters=len(answer.text),
    )
    access.note(workplace.stores, read)
