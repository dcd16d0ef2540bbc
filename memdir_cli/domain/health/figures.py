"""Figures: how a number is made of the memories or the happenings that it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdir_cli.domain.findings import Severity
from memdir_cli.domain.health.facts import Known
from memdir_cli.domain.health.phrases import said
from memdir_cli.domain.health.report import Figure

#: What to type where a figure counts nothing.
OVERVIEW = "memdir list"


def memories(
    name: str,
    label: str,
    known: Sequence[Known] | None,
    *,
    some: str,
    none: str,
    command: str,
    severity: Severity = "warning",
    note: Callable[[Known], str] = lambda _: "",
    date: Callable[[Known], str] = lambda _: "",
    overview: str = OVERVIEW,
    before: int | None = None,
    rising: bool = True,
) -> Figure:
    """How many memories there are of a kind.

    :param known: the memories in the order of the report, ``None`` where that is not known.
    :param some: the sentence where there are any; see :func:`phrases.said`.
    :param none: the sentence where there are none.
    :param command: what to type about one of them, with ``ID`` or ``KEY``.
    :param severity: how bad any of them is.
    :param note: why each is counted.
    :param date: the date that each is told with, ``""`` for that of the memory.
    """
    if known is None:
        return unknown(name, label, overview)
    items = tuple(one.item(note(one), command, date=date(one)) for one in known)
    return Figure(
        name,
        label,
        len(items),
        severity if items else "info",
        said(some, len(items)) if items else none,
        items[0].command if items else overview,
        before=before,
        rising=rising,
        items=items,
    )


def number(
    name: str,
    label: str,
    value: int | None,
    *,
    some: str,
    none: str,
    command: str,
    noun: str,
    severity: Severity = "info",
    before: int | None = None,
    rising: bool = False,
    unit: str = "",
) -> Figure:
    """A number of something else than memories.

    :param noun: what is counted, in the singular.
    :param unit: what the number stands beside, if not the plural of ``noun``.
    """
    if value is None:
        return unknown(name, label, command, unit or f"{noun}s")
    sentence = said(some, value, noun) if value else none
    grade: Severity = severity if value else "info"
    return Figure(name, label, value, grade, sentence, command, unit or f"{noun}s", before, rising)


def unknown(name: str, label: str, command: str, unit: str = "") -> Figure:
    """A number that nothing here tells."""
    return Figure(name, label, None, "info", "Nothing here tells this number.", command, unit)
