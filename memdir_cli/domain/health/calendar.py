"""Months as text (``2026-09``), and the spans that a report looks back over."""

from __future__ import annotations

import re
from typing import TypeGuard

from memdir_cli.domain import times

#: Months that a trend covers, the reported one being the last.
MONTHS = 12

NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

_MONTH = re.compile(r"[1-9]\d{3}-(0[1-9]|1[0-2])", re.ASCII)
_AT = re.compile(r"\d{4}-(0[1-9]|1[0-2])-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def is_month(text: str) -> bool:
    """Whether ``text`` is a month."""
    return _MONTH.fullmatch(text) is not None


def is_time(text: object) -> TypeGuard[str]:
    """Whether ``text`` is a time in the one form in which logs hold it, so that it sorts as text."""
    return isinstance(text, str) and _AT.fullmatch(text) is not None


def before(month: str, count: int = 1) -> str:
    """The month ``count`` months before."""
    index = int(month[:4]) * 12 + int(month[5:]) - 1 - count
    return f"{index // 12:04}-{index % 12 + 1:02}"


def twelve(month: str) -> tuple[str, ...]:
    """The months that a trend covers, oldest first."""
    return tuple(before(month, count) for count in range(MONTHS - 1, -1, -1))


def last_second(month: str) -> str:
    """The last second of a month."""
    return times.from_clock(times.start(times.month_end(month)) - 1)


def name(month: str) -> str:
    """A month for people: ``September 2026``."""
    return f"{NAMES[int(month[5:]) - 1]} {month[:4]}"


def days_before(now: str, days: int) -> str:
    """The time ``days`` days before ``now``."""
    return times.from_clock(times.start(now) - days * 86400)
