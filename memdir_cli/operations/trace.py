"""trace: which sessions were shown a memory, what they did then, and what derives from it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from memdir_cli.domain import incident, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.happenings import Happened, newest_first
from memdir_cli.domain.incident import Affected, Exported, Followed, Incident, Showing
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.operations import isolating, referring
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage import access, exports, layout


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
    place = referring.anywhere(workplace, ref, level=level)
    bare, _, number = ref.partition("@")
    memory_id = place[1].memory.id if place is not None else bare.lower()
    revision = int(number) if number.isascii() and number.isdigit() else 0
    happened = _happened(workplace, memory_id)
    affected, since, warnings = _affected(workplace, memory_id, revision)
    found = _standing(memory_id, records, happened)
    given = tuple(_exports(workplace, memory_id))
    if not (found.memdirs or happened or affected or given):
        raise referring.unknown(workplace, ref)
    if transcripts is not None:
        affected, troubles = _followed(transcripts, affected)
        warnings = (*warnings, *troubles)
    return replace(
        found,
        now=workplace.runtime.now,
        revision=revision,
        affected=affected,
        exports=given,
        since=since,
        looked=transcripts is not None,
        warnings=warnings,
    )


def _standing(memory_id: str, records: list[Record], happened: tuple[Happened, ...]) -> Incident:
    """What files and receipts tell of the memory itself."""
    lying = [one for one in records if one.memory.id == memory_id]
    own = [inside for one in lying for inside in _inside(one)]
    if not own:
        return Incident(memory_id, "", level=happened[-1].level if happened else "", happened=happened)
    # what stands or waits speaks for it, else its latest revision
    memory = isolating.speaking(own).memory
    isolated = any(one.folder == layout.QUARANTINE for one in lying)
    return Incident(
        memory_id,
        "",
        status="quarantined" if isolated else memory.status,
        level=memory.scope.level,
        memdirs=tuple(sorted({one.layer for one in own})),
        sources=dict(sorted(Counter(source.kind for source in memory.source).items())),
        happened=happened,
        derived=incident.derived(memory_id, own, records),
    )


def _records(workplace: Workplace) -> list[Record]:
    """Everything in both memdirs but what is another user's."""
    return [
        record
        for store in workplace.stores
        for record in store.snapshot().records
        if not visibility.another_users(resolving.judge(record, workplace.runtime))
    ]


def _inside(record: Record) -> tuple[Record, ...]:
    """A record; of one in quarantine, what is under its seal, which is asked about and not told."""
    try:
        return isolating.opened(record)
    except FaultError:
        return (record,)


def _happened(workplace: Workplace, memory_id: str) -> tuple[Happened, ...]:
    told = newest_first((store.layer, store.receipts(memory_id)) for store in workplace.stores)
    return tuple(one for one in reversed(told) if one.id == memory_id)


def _exports(workplace: Workplace, memory_id: str) -> Iterator[Exported]:
    for store in workplace.stores:
        yield from (
            Exported(export.form, export.path, store.layer)
            for export in exports.recorded(store)
            if memory_id in export.ids
        )


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
