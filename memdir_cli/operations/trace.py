"""trace: which sessions were shown a memory, what they did then, and what derives from it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from memdir_cli.domain import incident, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.happenings import Happened, newest_first
from memdir_cli.domain.incident import Affected, Followed, Incident, Showing
from memdir_cli.domain.reference import named
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.operations import referring
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import access, layout


def trace(workplace: Workplace, ref: str, *, level: Level | None = None, transcripts: str | None = None) -> Incident:
    """What is known of the memory that ``ref`` names; an id will do where no file of it is left.

    :param level: look at this level only.
    :param transcripts: a folder of transcripts of agents.
    :raises UsageError: if nothing is known by that name, or there is no such folder.
    :raises PersonNeededError: if it names several.
    """
    if transcripts is not None and not os.path.isdir(transcripts):
        raise UsageError(
            f"`{printable(transcripts)}` is no folder.",
            hint="give the folder of the transcripts, such as `--transcripts ~/.claude/projects`",
        )
    records = _records(workplace)
    meant = _named(workplace, ref, records, level)
    bare, _, number = ref.partition("@")
    memory_id = meant.memory.id if meant is not None else bare.lower()
    revision = int(number) if number.isascii() and number.isdigit() else 0
    own = [one for one in records if one.memory.id == memory_id]
    happened = _happened(workplace, memory_id)
    affected, since, warnings = _affected(workplace, memory_id, revision)
    if not (own or happened or affected):
        raise referring.unknown(workplace, ref)
    if transcripts is not None:
        affected, troubles = _followed(transcripts, affected)
        warnings = (*warnings, *troubles)
    # what stands or waits speaks for it, else its latest revision
    record = max(own, key=lambda one: (one.folder != layout.HISTORY, one.memory.revision), default=None)
    kinds = Counter(source.kind for source in record.memory.source) if record is not None else {}
    return Incident(
        memory_id,
        workplace.runtime.now,
        revision,
        record.memory.status if record is not None else "",
        record.memory.scope.level if record is not None else (happened[-1].level if happened else ""),
        tuple(sorted({one.layer for one in own})),
        dict(sorted(kinds.items())),
        happened,
        affected,
        incident.derived(memory_id, own, records),
        since,
        transcripts is not None,
        warnings,
    )


def _records(workplace: Workplace) -> list[Record]:
    """Everything in both memdirs but what is another user's."""
    return [
        record
        for store in workplace.stores
        for record in store.snapshot().records
        if not visibility.another_users(resolving.judge(record, workplace.runtime))
    ]


def _named(workplace: Workplace, ref: str, records: Iterable[Record], level: Level | None) -> Record | None:
    judged: list[Judged] = [
        resolving.judge(record, workplace.runtime)
        for record in records
        if level is None or record.memory.scope.level == level
    ]
    found = named(ref, judged, lambda record, typed: referring.lies_at(workplace, record, typed))
    return found.record if found is not None else None


def _happened(workplace: Workplace, memory_id: str) -> tuple[Happened, ...]:
    told = newest_first((store.layer, store.receipts(memory_id)) for store in workplace.stores)
    return tuple(one for one in reversed(told) if one.id == memory_id)


def _affected(
    workplace: Workplace, memory_id: str, revision: int
) -> tuple[tuple[Affected, ...], str, tuple[Caution, ...]]:
    """The sessions, when the log begins, and what keeps from reading it."""
    found: list[Showing] = []
    began: list[str] = []
    troubles: list[Caution] = []
    for store in workplace.stores:
        try:
            lines = list(access.read(store.root))
        except FaultError as error:
            troubles.append(
                Caution("log-unreadable", f"The log of the {store.layer} memdir is left out: {error.message}")
            )
            continue
        found += incident.showings(lines, memory_id, revision)
        began += [str(line["at"]) for line in lines[:1] if line.get("at")]
    return incident.by_session(found), min(began, default=""), tuple(troubles)


def _followed(folder: str, affected: tuple[Affected, ...]) -> tuple[tuple[Affected, ...], tuple[Caution, ...]]:
    from memdir_cli.probes import aftermath

    since = {one.session: one.first for one in affected if one.session}
    trails, troubles = aftermath.follow(folder, since)
    followed = tuple(
        replace(one, followed=Followed(dict(trail.tools.most_common()), dict(trail.risks.most_common())))
        if (trail := trails.get(one.session)) is not None
        else one
        for one in affected
    )
    return followed, tuple(Caution("transcript-unreadable", sentence) for sentence in troubles)
