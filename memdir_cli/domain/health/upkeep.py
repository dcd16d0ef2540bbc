"""Figures on the files: the index, what ``check`` finds, how much room is left."""

from __future__ import annotations

from collections.abc import Sequence

from memdir_cli.domain.findings import Severity
from memdir_cli.domain.health.facts import Facts, Fired
from memdir_cli.domain.health.figures import number, unknown
from memdir_cli.domain.health.phrases import said
from memdir_cli.domain.health.report import Figure, Item, Section

#: What coding agents load of an index, and what a hook may inject.
INDEX_LINES, INDEX_BYTES, INJECTED = 200, 25 * 1024, 10_000

#: From this share of a limit on it is time to make room.
TIGHT = 80

#: Rules of ``check`` with a figure of their own: name, label, sentence.
_INDEX: tuple[tuple[str, str, str, str], ...] = (
    ("line-without-file", "brokenLinks", "lines that lead nowhere", "# of the index [leads|lead] to no file"),
    ("file-without-line", "orphans", "memories without a line", "# of the index [is|are] missing"),
    ("index-drift", "drift", "lines that tell it otherwise", "# of the index [tells|tell] of a memory otherwise"),
    ("index-missing", "missing", "memdirs without an index", "# of the index [is|are] missing, with the whole file"),
)

_OF_INDEX = frozenset(row[0] for row in _INDEX)


def index(facts: Facts) -> Section:
    """Whether MEMORY.md says what the files say."""
    figures = tuple(_of_rule(facts.fired, *row) for row in _INDEX)
    return Section("index", "Index", "MEMORY.md is what agents read first.", figures)


def findings(facts: Facts) -> Section:
    """What ``check`` finds besides."""
    fired = None if facts.fired is None else [one for one in facts.fired if one.name not in _OF_INDEX]
    figures = (
        _of_severity(fired, "error", "errors", "# by which a file is not served or may mislead: mend them first."),
        _of_severity(fired, "warning", "warnings", "# that [wants|want] a look."),
    )
    return Section("findings", "Findings", "What `memdir check` says, by rule; `memdir rule CODE` explains.", figures)


def budget(facts: Facts) -> Section:
    """How much agents are given, against what they can take."""
    month, before = facts.this_month, facts.last_month
    average, crowded = month.characters, month.crowded
    tight = average is not None and average * 100 >= TIGHT * INJECTED
    figures = (
        *_of_index(facts),
        number(
            "characters", "given by a read on average", average, noun="character", before=before.characters,
            rising=True, severity="warning" if tight else "info", command="memdir context",
            some=f"A read gave # on average; a hook may give {INJECTED:,}." + (" Put away what is cold." if tight
            else ""), none="The reads of this month gave nothing.",
        ),
        number(
            "crowded", "reads that left something out", crowded, noun="read", before=before.crowded, rising=True,
            severity="warning", some="# left out something that applies, for want of room: shorten or put away.",
            none="Every read gave all that applied.", command="memdir context",
        ),
    )  # fmt: skip
    return Section("budget", "Room", "What does not fit is not read; what is read costs attention.", figures)


def _of_index(facts: Facts) -> tuple[Figure, ...]:
    if not facts.indexes:
        return (unknown("indexLines", "lines of the index", "memdir check", "lines"),)
    lines = max(one.lines for one in facts.indexes)
    size = max(one.size for one in facts.indexes)
    dropped = sum(one.dropped for one in facts.indexes)
    return (
        _share("indexLines", "lines of the index", lines, INDEX_LINES, "line"),
        _share("indexBytes", "bytes of the index", size, INDEX_BYTES, "byte"),
        number(
            "indexDropped", "memories without room in it", dropped, noun="memory", unit="memories",
            severity="warning", some="# [has|have] no room in the index: put away what is cold, or narrow it.",
            none="Every memory has its line in the index.", command="memdir list",
        ),
    )  # fmt: skip


def _share(name: str, label: str, value: int, limit: int, noun: str) -> Figure:
    full = value * 100 >= TIGHT * limit
    sentence = f"The larger index has # of {limit:,} that agents load."
    return number(
        name, label, value, noun=noun, some=sentence + (" Make room before lines drop." if full else ""),
        none="The index is empty.", severity="warning" if full else "info", command="memdir list",
    )  # fmt: skip


def _of_rule(fired: Sequence[Fired] | None, rule: str, name: str, label: str, sentence: str) -> Figure:
    if fired is None:
        return unknown(name, label, "memdir check", "lines")
    some = [one for one in fired if one.name == rule]
    severity: Severity = some[0].severity if some else "info"
    return number(
        name, label, sum(one.count for one in some), noun="line", some=f"{sentence}: `memdir repair` writes it anew.",
        none=f"No {label}.", command="memdir repair" if some else "memdir check", severity=severity,
    )  # fmt: skip


def _of_severity(fired: Sequence[Fired] | None, severity: Severity, name: str, sentence: str) -> Figure:
    if fired is None:
        return unknown(name, name, "memdir check", name)
    some = [one for one in fired if one.severity == severity]
    count = sum(one.count for one in some)
    items = tuple(
        Item(memdir=one.layer, note=f"{one.code} {one.name}: {one.count}", command=f"memdir rule {one.code}")
        for one in some
    )
    told = said(sentence, count, severity) if count else f"There are no {name}."
    return Figure(name, name, count, severity if count else "info", told, "memdir check", name, items=items)
