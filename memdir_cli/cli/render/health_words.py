"""What every form of the report says in the same words: headings, numbers, the columns of the trend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.report import Figure, Item, Month, Report, Section

#: Columns of the trend: attribute of a month, heading, whether it stood at the end of the month (else it happened).
COLUMNS: tuple[tuple[str, str, bool], ...] = (
    ("verified", "verified", True),
    ("stale", "stale", True),
    ("conflicted", "in conflict", True),
    ("candidate", "candidates", True),
    ("quarantined", "quarantined", True),
    ("archived", "archived", True),
    ("created", "new", False),
    ("corrections", "corrections", False),
    ("conflicts", "conflicts", False),
    ("forgotten", "forgotten", False),
    ("secrets", "secrets refused", False),
    ("returns", "returns refused", False),
    ("reads", "reads", False),
    ("characters", "characters a read", False),
    ("crowded", "reads cut short", False),
)

#: What stands where a month has no data.
NO_DATA = "no data"

#: Names for what is counted in the first tables.
COUNTED = {"status": "Status", "type": "Type", "scope": "Scope", "age": "Age"}

TREND = "Twelve months"
TREND_ABOUT = "What stood at the end of each month, and what happened in it; from receipts and this machine's logs."

SEVERITIES = {"error": "act", "warning": "look", "info": "fine"}


def title(report: Report) -> str:
    """The heading of the report."""
    return f"Memory health of {report.subject}, {calendar.name(report.month)}"


def scope_of(report: Report) -> str:
    """As of when, and over what."""
    memdirs = " and ".join(report.memdirs)
    return f"As of {report.as_of}, over the {memdirs} memdir{'s' if len(report.memdirs) > 1 else ''}."


def value(figure: Figure) -> str:
    """The number for people."""
    return "unknown" if figure.value is None else f"{figure.value:,}"


def before(figure: Figure) -> str:
    """The number of the month before, with an arrow where it got worse; ``""`` where there is none."""
    if figure.before is None:
        return ""
    return f"{figure.before:,} ↑" if figure.worse else f"{figure.before:,}"


def item(told: Item) -> str:
    """A memory on one line: key, id, where, since when, why."""
    name = f"{told.key} {told.id}".strip()
    where = " ".join(part for part in (told.memdir, told.scope) if part)
    parts = [name, where, told.status, told.date, told.note]
    return ", ".join(part for part in parts if part)


def told(section: Section) -> tuple[Figure, ...]:
    """The numbers of a section that people read: the first, what is not nothing, what is not known."""
    return tuple(one for one in section.figures if one is section.figures[0] or one.value != 0)


def counts(numbers: Mapping[str, int]) -> str:
    """What there is of each kind, in one line."""
    return ", ".join(f"{name} {number:,}" for name, number in numbers.items() if number) or "nothing"


def counted(figure: Figure) -> str:
    """What the items of a figure are."""
    return "memory" if any(item.id for item in figure.items) else "rule"


def left_out(figure: Figure, shown: int) -> int:
    """How many of the items are not among the first ``shown``."""
    return max(len(figure.items) - shown, 0)


def series(trend: Sequence[Month], attribute: str) -> list[int | None]:
    """One column of the trend, oldest first."""
    return [getattr(month, attribute) for month in trend]


def cell(number: int | None) -> str:
    """A cell of the trend."""
    return NO_DATA if number is None else f"{number:,}"


def cells(month: Month) -> list[str]:
    """A row of the trend without its month; one cell where nothing is known of it."""
    if not (month.recorded or month.logged):
        return [NO_DATA]
    return [cell(getattr(month, name)) for name, _, _ in COLUMNS]
