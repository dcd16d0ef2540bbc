"""Gathering: what a report is made from, out of both memdirs. Takes no lock and writes nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.checks import registry
from memdir_cli.checks.configured import Wishes, configured
from memdir_cli.checks.examined import Examined, Index
from memdir_cli.domain import archiving, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.archiving import Chill
from memdir_cli.domain.effective import UNSEEN, Verdicts
from memdir_cli.domain.happenings import Happened, newest_first
from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.facts import Fired, IndexSize, Known, Refused
from memdir_cli.domain.health.reads import Line, Reads, gathered
from memdir_cli.domain.health.replay import Name, Past
from memdir_cli.domain.health.state import Limits, standing
from memdir_cli.domain.health.withdrawn import COLD
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Layer, Record, Snapshot, Unreadable
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.operations import cooling
from memdir_cli.operations.examining import examine, git_repository
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, logs
from memdir_cli.storage.store import Store

#: Longest subject that is told.
SUBJECT_CHARACTERS = 120

#: Rules about dates and evidence, of which other sections tell.
TOLD_ELSEWHERE = ("M31", "M32")


@dataclass(frozen=True, slots=True)
class Gathered:
    """What lies in both memdirs; of other users' memories nothing.

    :ivar judged: the memories that could be read, whatever their folder, as they stand now.
    :ivar unattributed: by memdir and path, what no receipt supports.
    :ivar verdicts: of each memory with evidence, what was seen of it; nothing of one that belongs elsewhere.
    :ivar cold: what may be put away.
    :ivar fired: ``None`` where nothing was looked at.
    """

    judged: tuple[Judged, ...]
    unattributed: dict[tuple[Layer, str], str]
    verdicts: dict[Name, Verdicts]
    cold: tuple[Chill, ...] | None = None
    fired: tuple[Fired, ...] | None = None
    indexes: tuple[IndexSize, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        """The memories that could be read."""
        return tuple(one.record for one in self.judged)

    def known(self, past: Past, limits: Limits) -> tuple[Known, ...]:
        """The memories as they stand now.

        :param past: what the receipts say of now.
        """
        return tuple(
            standing(
                one,
                past,
                self.verdicts.get((one.record.layer, one.memory.id), UNSEEN),
                limits,
                self.unattributed.get((one.record.layer, one.record.path), ""),
            )
            for one in self.judged
        )


@dataclass(frozen=True, slots=True)
class Logged:
    """What receipts and logs tell, up to the time of the report.

    :ivar happened: oldest first.
    :ivar since: the first month of which this machine has a log of reads or refusals, ``""`` for none.
    """

    happened: tuple[Happened, ...]
    reads: Reads
    refused: tuple[Refused, ...]
    since: str


def gather(workplace: Workplace, latest: Mapping[Name, str], *, looking: bool) -> Gathered:
    """The files of both memdirs.

    :param latest: when each memory was last given.
    :param looking: look at evidence, index and faults too; else they only tell what the receipts speak of.
    """
    seen = looks(workplace) if looking else UNSEEN
    judged: list[Judged] = []
    unattributed: dict[tuple[Layer, str], str] = {}
    fired: list[Fired] = []
    indexes: list[IndexSize] = []
    for store in workplace.stores:
        if not looking:
            records = store.snapshot().records
        else:
            examined = _examined(workplace, store)
            records = examined.records
            unattributed |= {(store.layer, path): code for path, code in examined.unattributed.items()}
            fired += _fired(store, examined)
            indexes += _index(store, examined)
        for record in records:
            one = resolving.judge(record, workplace.runtime, seen)
            if not visibility.another_users(one):
                judged.append(one)
    if not looking:
        return Gathered(tuple(judged), {}, {})
    return Gathered(
        tuple(judged),
        unattributed,
        _verdicts(judged, dict(seen)),
        _cold(workplace, judged, latest, seen),
        tuple(fired),
        tuple(indexes),
    )


def told(workplace: Workplace) -> Logged:
    """What receipts and logs of both memdirs tell."""
    now, stores = workplace.runtime.now, workplace.stores
    events = newest_first((store.layer, store.receipts()) for store in stores)
    refused = [_refused(entry) for store in stores for entry in _entries(store, layout.REFUSALS)]
    reads = gathered(_lines(stores), now)
    months = [*reads.months, *(one.at[:7] for one in refused if one is not None)]
    return Logged(
        tuple(event for event in reversed(events) if calendar.is_time(event.at) and event.at <= now),
        reads,
        tuple(one for one in refused if one is not None and one.at <= now),
        min(months, default=""),
    )


def subject(workplace: Workplace) -> str:
    """What the report is about; never a path of this machine."""
    named = printable(workplace.project.config.repository if workplace.project is not None else "")
    if not named or named[0] in "/~." or "\\" in named or ":/" in named:
        return "this project" if workplace.project is not None else "the user memdir"
    return named[:SUBJECT_CHARACTERS]


def tombstones(workplace: Workplace) -> int:
    """How many memories both memdirs keep from coming back."""
    return len({stone.id for store in workplace.stores for stone in store.forgotten().standing})


def is_shallow(workplace: Workplace) -> bool:
    """Whether the checkout holds no history."""
    checkout = workplace.checkout
    return checkout is not None and os.path.exists(os.path.join(checkout.common_dir, "shallow"))


def _verdicts(judged: Iterable[Judged], seen: Verdicts) -> dict[Name, Verdicts]:
    """By memory, what was seen; of one that belongs elsewhere nothing, so that it is unknown."""
    nothing: Verdicts = {}
    return {
        (one.record.layer, one.memory.id): seen if visibility.here(one) else nothing
        for one in judged
        if one.memory.depends_on
    }


def _cold(
    workplace: Workplace, judged: Iterable[Judged], latest: Mapping[Name, str], seen: Verdicts
) -> tuple[Chill, ...]:
    """What `memdir archive --cold` would put away."""
    found: list[Chill] = []
    for store in workplace.stores:
        own = [
            one
            for one in judged
            if (one.record.layer, one.record.folder) == (store.layer, layout.MEMORIES)
            and one.record.current
            and one.memory.subject in workplace.runtime.subjects
        ]
        shown = {name[1]: at for name, at in latest.items() if name[0] == store.layer}
        gone = cooling.gone(workplace, [one.record for one in own])
        found += archiving.cold(own, f"{COLD}d", workplace.runtime.now, shown, seen, gone)
    return tuple(found)


def _examined(workplace: Workplace, store: Store) -> Examined:
    now = workplace.runtime.now
    try:
        return examine(store, now, git_repository(workplace, store))
    except FaultError as error:
        # the memdir itself cannot be opened: one finding, and no number of it
        trouble = Unreadable("", error.code, error.message, layer=store.layer)
        return Examined(Snapshot(store.layer, (), (trouble,)), now, index=Index(readable=False))


def _fired(store: Store, examined: Examined) -> Iterator[Fired]:
    wishes = Wishes(store.layer, store.config.check_ignore, store.config.check_severity)
    rules = [rule for rule in configured(registry.RULES, wishes) if not rule.code.startswith(TOLD_ELSEWHERE)]
    counted = Counter(rule.code for rule, _ in registry.sightings(examined, rules))
    for rule in rules:
        if counted[rule.code]:
            yield Fired(store.layer, rule.code, rule.name, rule.severity, counted[rule.code])


def _index(store: Store, examined: Examined) -> Iterator[IndexSize]:
    index = examined.index
    if index.readable and index.standing is not None:
        listed = sum(record.current and record.folder == layout.MEMORIES for record in examined.records)
        size = len(index.standing)
        yield IndexSize(store.layer, index.standing.count(b"\n"), size, listed - len(index.due_links))


def _lines(stores: Iterable[Store]) -> Iterator[Line]:
    for store in stores:
        for entry in _entries(store, layout.ACCESS):
            yield store.layer, entry


def _entries(store: Store, folder: str) -> list[dict[str, object]]:
    """The lines of a log; none where it cannot be read: then it is not known what it tells."""
    try:
        return list(logs.read(store.root, folder))
    except FaultError:
        return []


def _refused(entry: Mapping[str, object]) -> Refused | None:
    at, reason = entry.get("at"), entry.get("reason")
    return Refused(at, reason) if calendar.is_time(at) and isinstance(reason, str) else None
