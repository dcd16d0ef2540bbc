"""Figures on what waits for a person: conflicts, candidates, what was withdrawn."""

from __future__ import annotations

from memdir_cli.domain import times
from memdir_cli.domain.health.facts import Facts, Known, days
from memdir_cli.domain.health.figures import memories, number
from memdir_cli.domain.health.phrases import many
from memdir_cli.domain.health.report import Figure, Section
from memdir_cli.domain.scope import LEVELS
from memdir_cli.errors import UsageError

#: Days after which a conflict that nobody settles is grave.
LONG_OPEN = 30

#: Days within which a candidate that goes by itself is told of.
SOON = 7

_CONFIRM = "memdir confirm ID"


def conflicts(facts: Facts) -> Section:
    """What stands against each other, where, and for how long."""
    open_ = _oldest_first(facts.status("conflicted"))
    ages = [days(one.since, facts.now) or 0 for one in open_]
    long = max(ages, default=0)
    settle = "memdir settle ID --keep SIDE-ID"
    figures = (
        memories(
            "open", "open", open_, severity="error" if long > LONG_OPEN else "warning",
            some="# [holds|hold] values against each other and [is|are] given to nobody: settle [it|them].",
            none="Nothing is in conflict.", command=settle, note=lambda one: _waiting(one, facts.now),
            date=lambda one: one.since, overview="memdir list --status conflicted", before=facts.last_month.conflicted,
        ),
        *(_at_level(level, open_) for level in LEVELS),
        number(
            "longest", "the longest open", long, noun="day", command=(open_[0].item(command=settle).command if open_
            else "memdir list --status conflicted"), some="The oldest conflict has been open for #.",
            none="No conflict is older than today.",
        ),
        number(
            "opened", "opened this month", facts.this_month.conflicts, noun="time",
            some="# a second value of equal weight was said: often the scope is too wide, and narrowing helps.",
            none="No conflict opened this month.", command="memdir log", before=facts.last_month.conflicts, rising=True,
        ),
    )  # fmt: skip
    return Section("conflicts", "Conflicts", "Who asks for one of these gets no value until a person decides.", figures)


def candidates(facts: Facts) -> Section:
    """What waits in the inbox."""
    waiting = _oldest_first(facts.status("candidate"))
    rivals = [one for one in waiting if one.record.memory.rival]
    leaving = [one for one in waiting if _leaves_soon(one, facts)]
    oldest = max((days(one.record.memory.created_at, facts.now) or 0 for one in waiting), default=0)
    figures = (
        memories(
            "waiting", "waiting", waiting, severity="warning" if oldest > SOON or len(waiting) > SOON else "info",
            some="# [waits|wait] in the inbox, given to nobody: `memdir review` asks about one after the other.",
            none="The inbox is empty.", command=_CONFIRM, note=lambda one: one.code,
            date=lambda one: one.record.memory.created_at, overview="memdir list --status candidate",
            before=facts.last_month.candidate,
        ),
        memories(
            "rivals", "against what is remembered", rivals, severity="info",
            some="# [says|say] something else than what stands: `memdir correct` takes a value over.",
            none="No candidate contradicts what stands.", command="memdir show ID",
        ),
        memories(
            "leaving", f"gone within {SOON} days", leaving,
            some="# [goes|go] soon, because nobody confirmed [it|them]: confirm now what is right.",
            none="No candidate is about to go.", command=_CONFIRM,
        ),
        number(
            "oldest", "the longest waiting", oldest, noun="day", some="The oldest candidate has waited for #.",
            none="No candidate is older than today.", command="memdir list --status candidate",
        ),
    )  # fmt: skip
    return Section("candidates", "Candidates", "What nobody proved to be the user's word waits for one.", figures)


def _at_level(level: str, open_: list[Known]) -> Figure:
    some = [one for one in open_ if one.record.memory.scope.level == level]
    return number(
        level, f"at level {level}", len(some), noun="conflict", some=f"# at level {level}.",
        none=f"None at level {level}.", command=f"memdir list --status conflicted --scope {level}",
    )  # fmt: skip


def _oldest_first(known: list[Known]) -> list[Known]:
    return sorted(known, key=lambda one: times.order(one.since or one.record.memory.created_at))


def _waiting(one: Known, now: str) -> str:
    opened = days(one.since, now)
    sides = many(len(one.record.memory.sides), "side")
    return sides if not opened else f"{sides}, open for {many(opened, 'day')}"


def _leaves_soon(one: Known, facts: Facts) -> bool:
    memory = one.record.memory
    if memory.verified_at:
        return False
    try:
        ends = times.start(times.parse_when(facts.kept_for.get(one.record.layer, ""), memory.created_at))
    except (ValueError, UsageError):
        return False
    return ends - times.start(facts.now) <= SOON * 86400
