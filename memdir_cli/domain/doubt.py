"""Doubt: why a value that is served should be verified first, and that some files could not be read at all."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Snapshot
from memdir_cli.domain.text import printable

#: Of each code of :func:`attribution.unsupported`, the sentence for people.
UNATTRIBUTED = {
    "no-receipt": "no receipt names this memory",
    "status": "no receipt gave it this status",
    "authority": "no receipt gave it this authority",
    "source": "a source of it is in no receipt",
    "content": "it was changed by hand since the last receipt",
}


def doubts(judged: Judged, unsupported: str) -> tuple[Caution, ...]:
    """The warnings that go with a value.

    :param unsupported: what the receipts do not support, ``""`` if they support it.
    """
    found = []
    if judged.effective.status == "stale":
        why = printable(judged.effective.sentence)
        found.append(Caution("stale", "stale: verify first" + (f": {why}" if why else "")))
    if unsupported:
        why = UNATTRIBUTED.get(unsupported, unsupported)
        found.append(Caution("unattributed", f"unattributed: verify first: {why}; `memdir confirm` adopts it"))
    return tuple(found)


def obscured(snapshots: Iterable[Snapshot]) -> tuple[Caution, ...]:
    """The warnings about files of the key in question that say nothing here, whatever is in them."""
    found = []
    for snapshot in snapshots:
        found += [
            Caution(
                "unreadable",
                f"`{one.path}` of the {one.layer} memdir cannot be read and may say otherwise; {_see(snapshot)}",
            )
            for one in snapshot.unreadable
        ]
        found += [
            Caution("quarantined", f"`{one.path}` is a copy of what is in quarantine; {_see(snapshot)}")
            for one in snapshot.copies
        ]
        found += [
            Caution("forgotten", f"`{one.path}` holds what was forgotten; {_see(snapshot)}")
            for one in snapshot.returned
        ]
    return tuple(found)


#: Files that nobody meant to be memories; the table of reasons is ``storage.problems``.
UNMANAGED = frozenset({"no-header", "unmanaged"})


def unreadable(snapshot: Snapshot) -> list[str]:
    """The remarks about files that are not told of; Markdown that is not memdir's is none of its business."""
    count = sum(one.reason not in UNMANAGED for one in snapshot.unreadable)
    found = [f"{_files(count)} in the {snapshot.layer} memdir cannot be read; {_see(snapshot)}"] if count else []
    if snapshot.returned:
        hold = "holds" if len(snapshot.returned) == 1 else "hold"
        told = f"{_files(len(snapshot.returned))} in the {snapshot.layer} memdir {hold} what was forgotten"
        found.append(f"{told}; {_see(snapshot)}")
    if snapshot.copies:
        told = f"{_files(len(snapshot.copies))} in the {snapshot.layer} memdir"
        found.append(f"{told} of what is in quarantine, which nothing serves; {_see(snapshot)}")
    return found


def _see(snapshot: Snapshot) -> str:
    """Who judges it: in a project `memdir check` looks at the project's memdir."""
    return "see `memdir check`" + (" with `--dir` and your own memdir" if snapshot.layer == "user" else "")


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
