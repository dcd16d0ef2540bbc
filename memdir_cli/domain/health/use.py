"""Figures on how memories are used: what is never given, what always is, what users had to correct."""

from __future__ import annotations

from collections import Counter

from memdir_cli.domain.health.calendar import days_before, twelve
from memdir_cli.domain.health.facts import Facts, Known, by_date, by_key
from memdir_cli.domain.health.figures import memories, number, unknown
from memdir_cli.domain.health.phrases import many
from memdir_cli.domain.health.reads import LATELY
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.health.report import Figure, Section
from memdir_cli.shapes import replace

#: How many of the most selected memories are told.
MOST = 5

#: Left out so often, and never given, a memory is crowded out.
OFTEN = 5

#: Corrected so often in twelve months, a memory has the wrong scope or no evidence.
REPEATED = 2

_SHOW = "memdir show ID"


def selection(facts: Facts) -> Section:
    """What the access logs say of the selection: a feedback to watch, never a merit."""
    reads = facts.reads
    figures = (
        _never(facts),
        memories(
            "crowdedOut", "always left out",
            by_key(one for one in facts.served if _is_crowded_out(one, facts)) if reads.since else None,
            some=f"# applied {OFTEN} times or more in {LATELY} days and never fitted: narrow the others, or say it "
            "shorter.", none="Nothing that applied was always left out.", command=_SHOW,
            note=lambda one: f"left out {many(reads.crowded_out[one.name], 'time')}",
        ),
        _most(facts),
        number(
            "reads", f"reads in {LATELY} days", reads.total if reads.since else None, noun="read",
            some=f"# fed an agent in {LATELY} days.", none=f"No read fed an agent in {LATELY} days.",
            command="memdir context",
        ),
    )  # fmt: skip
    return Section("selection", "Selection", "Being given often is no merit, and being given never no fault.", figures)


def corrections(facts: Facts) -> Section:
    """How often users had to say that a memory was wrong."""
    month, before = facts.this_month, facts.last_month
    counted = _corrected(facts)
    repeated = by_key(one for one in facts.current if counted[one.name] >= REPEATED)
    figures = (
        number(
            "month", "corrected this month", month.corrections, noun="value", before=before.corrections, rising=True,
            some="# [was|were] replaced on a user's word: what agents were given before was wrong.",
            none="No user had to correct anything this month.", command="memdir log",
        ),
        memories(
            "repeated", f"corrected {REPEATED} times or more in twelve months",
            sorted(repeated, key=lambda one: -counted[one.name]),
            some="# [was|were] corrected again and again: give a narrower scope, or evidence with `--depends-on`.",
            none="Nothing was corrected twice.", command="memdir history KEY",
            note=lambda one: many(counted[one.name], "correction"),
        ),
    )  # fmt: skip
    return Section("corrections", "Corrections", "A correction is the surest sign that a memory misled.", figures)


def is_correction(kind: str, actor: str) -> bool:
    """Whether an event is a value that a user replaced."""
    return kind == "superseded" and actor == "user"


def _never(facts: Facts) -> Figure:
    start = days_before(facts.now, LATELY)
    name, label = "never", f"not given for {LATELY} days"
    reaching = {layer for layer, since in facts.reads.since.items() if since <= start}
    if not reaching:
        return unknown(name, label, "memdir list")
    some = by_date(
        one
        for one in facts.served
        if one.record.layer in reaching
        and one.record.memory.created_at <= start
        and facts.reads.latest.get(one.name, "") <= start
    )
    return memories(
        name, label, some, severity="info", command=_SHOW, rising=False, note=lambda one: _last_given(one, facts),
        some=f"# [was|were] given to nobody for {LATELY} days: look at scope and key before letting [it|them] go.",
        none="Everything was given to somebody lately.",
    )  # fmt: skip


def _most(facts: Facts) -> Figure:
    reads = facts.reads
    if not reads.since:
        return unknown("most", "the most often given", "memdir list", "times")
    ordered = by_key(one for one in facts.served if reads.lately.get(one.name))
    ordered.sort(key=lambda one: -reads.lately[one.name])
    top = ordered[:MOST]
    figure = number(
        "most", "the most often given", reads.lately[top[0].name] if top else 0, noun="time",
        some="One memory was given #: that says that it is selected, not that it is right.",
        none=f"No memory was given in {LATELY} days.", command="memdir context",
    )  # fmt: skip
    return _with_items(figure, top, facts)


def _with_items(figure: Figure, top: list[Known], facts: Facts) -> Figure:
    given = facts.reads.lately
    return replace(figure, items=tuple(one.item(many(given[one.name], "time"), _SHOW) for one in top))


def _is_crowded_out(one: Known, facts: Facts) -> bool:
    return facts.reads.crowded_out.get(one.name, 0) >= OFTEN and not facts.reads.lately.get(one.name)


def _last_given(one: Known, facts: Facts) -> str:
    latest = facts.reads.latest.get(one.name, "")
    return f"last given {latest[:10]}" if latest else "never given"


def _corrected(facts: Facts) -> Counter[Name]:
    """How often each memory was corrected in the months of the trend."""
    first = twelve(facts.month)[0]
    return Counter(
        (one.memdir, one.id) for one in facts.happened if one.at >= first and is_correction(one.kind, one.actor)
    )
