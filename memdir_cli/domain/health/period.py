"""Period: which month is reported, and as of when."""

from __future__ import annotations

from memdir_cli.domain import times
from memdir_cli.domain.health import calendar
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

#: The word for the month before, for schedules that run on the first of a month.
LAST = "last"

#: Days for which the workspace is taken to be what it was: a schedule may be late.
NEAR = 7


@dataclass(frozen=True, slots=True)
class Period:
    """What is reported.

    :ivar moment: the last second that counts, RFC 3339 in UTC.
    :ivar past: it is over, so that receipts and logs tell of it.
    :ivar near: it is over since a few days at most, so that the workspace is still what it was.
    """

    month: str
    moment: str
    past: bool
    near: bool = False


def period(month: str | None, as_of: str | None, now: str) -> Period:
    """The period that the options ask for.

    :param month: ``YYYY-MM`` or :data:`LAST`; left out, the month of ``as_of``.
    :param as_of: WHEN; a date is taken to its end. Left out, ``now``.
    :raises UsageError: for what is no month or time, or a month that has not begun.
    """
    clock = now if as_of is None else _moment(times.parse_when(as_of, now))
    wanted = clock[:7] if month is None else calendar.before(clock[:7]) if month == LAST else month
    if not calendar.is_month(wanted):
        raise UsageError(
            f"`--month` takes a month, not `{printable(wanted)}`.",
            hint=f"give `--month {clock[:7]}`, or `--month {LAST}` for the one before",
        )
    if wanted > clock[:7]:
        raise UsageError(
            f"{calendar.name(wanted)} has not begun.", hint=f"give `--month {clock[:7]}` or an earlier one"
        )
    moment = min(calendar.last_second(wanted), clock)
    over = times.start(now) - times.start(moment)
    return Period(wanted, moment, over > 0, 0 < over <= NEAR * 86400)


def _moment(when: str) -> str:
    return when if "T" in when else times.from_clock(times.end(when) - 1)
