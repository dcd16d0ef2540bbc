"""list: the current view of both memdirs for this runtime, and on request what is not in it."""

from __future__ import annotations

from memdir_cli.domain import listing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.effective import UNSEEN, Verdicts
from memdir_cli.domain.listing import Filter, ListAnswer, Listed
from memdir_cli.domain.snapshot import Snapshot
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout


def list_memories(
    workplace: Workplace,
    wanted: Filter = Filter(),  # noqa: B008 (frozen)
    *,
    verdicts: Verdicts = UNSEEN,
    ignored: bool = False,
) -> ListAnswer:
    """The memories that may be used here, with any qualifiers; wider if ``wanted`` says so."""
    if ignored:
        return ListAnswer(ignored=True)
    memories: list[Listed] = []
    remarks: list[str] = []
    for store in workplace.stores:
        folders = layout.memory_folders(store.layer) if wanted.wide else (layout.MEMORIES, layout.TASKS)
        snapshot = store.snapshot(folders)
        remarks += unreadable(snapshot)
        judged = [resolving.judge(record, workplace.runtime, verdicts) for record in snapshot.records]
        store.read_claims()
        memories += [
            Listed(one, store.unattributed(one.record) if one.record.current else "")
            for one in listing.chosen(judged, wanted)
        ]
    return ListAnswer(tuple(listing.ordered(memories)), remarks=tuple(remarks))


def unreadable(snapshot: Snapshot) -> list[str]:
    """The remark about files that could not be read; Markdown that is not memdir's is none of its business."""
    count = sum(one.reason != "unmanaged" for one in snapshot.unreadable)
    if not count:
        return []
    files = "1 file" if count == 1 else f"{count} files"
    return [f"{files} in the {snapshot.layer} memdir cannot be read; see `memdir check`"]
