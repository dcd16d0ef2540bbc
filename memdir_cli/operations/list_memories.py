"""list: the current view of both memdirs for this runtime, and on request what is not in it."""

from __future__ import annotations

from memdir_cli.domain import listing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.doubt import unreadable
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.listing import Filter, ListAnswer, Listed
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout


def list_memories(
    workplace: Workplace,
    wanted: Filter = Filter(),  # noqa: B008 (frozen)
    *,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
) -> ListAnswer:
    """The memories that may be used in this run, for any path and topic; wider if ``wanted`` says so."""
    if ignored:
        return ListAnswer(ignored=True)
    seen = looks(workplace) if verdicts is None else verdicts
    judge = resolving.judging(workplace.runtime, seen)
    memories: list[Listed] = []
    remarks: list[str] = []
    for store in workplace.stores:
        folders = layout.memory_folders(store.layer) if wanted.wide else (layout.MEMORIES, layout.TASKS)
        snapshot = store.snapshot(folders)
        remarks += unreadable(snapshot)
        judged = list(map(judge, snapshot.records))
        store.open_ledger()
        memories += [
            Listed(one, store.unattributed(one.record) if one.record.current else "")
            for one in listing.chosen(judged, wanted)
        ]
    return ListAnswer(tuple(listing.ordered(memories)), remarks=tuple(remarks))
