"""Assembling: the report that the facts make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from memdir_cli.domain.findings import SEVERITIES
from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.facts import Facts, Known
from memdir_cli.domain.health.opening import opening
from memdir_cli.domain.health.report import Counts, Report, Section
from memdir_cli.domain.health.standing import overdue, sources, stale
from memdir_cli.domain.health.upkeep import budget, findings, index
from memdir_cli.domain.health.use import corrections, selection
from memdir_cli.domain.health.waiting import candidates, conflicts
from memdir_cli.domain.health.withdrawn import archive, forgets, quarantine, refusals
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.scope import LEVELS
from memdir_cli.domain.status import STATUSES

#: In the order in which they matter where they are equally bad.
SECTIONS: tuple[Callable[[Facts], Section], ...] = (
    quarantine, forgets, findings, index, conflicts, stale, sources, overdue, candidates, budget, corrections,
    refusals, selection, archive,
)  # fmt: skip

#: Names of the sections, as ``--fail-on`` takes them.
NAMES = tuple(section.__name__ for section in SECTIONS)

#: Ages by the most days that each takes in.
AGES = (("up to 30 days", 30), ("31 to 90 days", 90), ("91 to 180 days", 180), ("181 to 365 days", 365))
OLDER, UNKNOWN = "over a year", "unknown"


def report(facts: Facts) -> Report:
    """The report, the worst first."""
    made = (section(facts) for section in SECTIONS)
    sections = tuple(sorted(made, key=lambda section: SEVERITIES.index(section.severity)))
    return Report(
        facts.month,
        facts.now,
        facts.subject,
        facts.memdirs,
        facts.past,
        opening(facts, sections),
        counts(facts),
        sections,
        facts.trend,
        tuple(_unknown(facts)),
    )


def counts(facts: Facts) -> Counts:
    """What there is: all of it by status; what is in use by type, scope and age."""
    status = Counter(one.status for one in facts.known)
    status.update(facts.ghosts)
    status.update(facts.ended)
    memories = [one.record.memory for one in facts.current]
    return {
        "status": {name: status[name] for name in STATUSES},
        "type": _counted(TYPES, (memory.type for memory in memories)),
        "scope": _counted(LEVELS, (memory.scope.level for memory in memories)),
        "age": _counted([*(name for name, _ in AGES), OLDER, UNKNOWN], (_age(one, facts.now) for one in facts.current)),
    }


def _counted(names: Iterable[str], found: Iterable[str]) -> dict[str, int]:
    number = Counter(found)
    return {name: number[name] for name in names}


def _age(one: Known, now: str) -> str:
    days = one.days(now)
    if days is None:
        return UNKNOWN
    return next((name for name, most in AGES if days <= most), OLDER)


def _unknown(facts: Facts) -> Iterable[str]:
    """What the reader should not take for good because nothing is said about it."""
    if facts.past:
        yield (
            "That time is over: its state is put together from the receipts, so that what nobody had written down "
            "yet counts as it stood in the files."
        )
        if facts.looked:
            yield "Evidence, index and findings are as they are now."
        else:
            yield "Evidence, index and findings of that time are not known."
    if sum(facts.ghosts.values()):
        yield "Of some memories that stood then no file is left; they count by status, and nowhere else."
    if not facts.reads.since:
        yield "This machine has no log of reads: what agents were given here is unknown, not nothing."
    elif min(facts.reads.since.values()) > calendar.days_before(facts.now, 90):
        yield "The log of reads is younger than 90 days: what was not given before is unknown."
    if facts.shallow:
        yield "This is a shallow clone: what only the history of the repository could tell is unknown."
    if "user" not in facts.memdirs:
        yield "There is no user memdir here: the memories of the user are not counted."
    if "project" not in facts.memdirs:
        yield "There is no project memdir here: only the user's own memories are counted."
