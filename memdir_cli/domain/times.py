"""Times as text: what a caller may write, the one form in which they are kept, and what they mean.

Kept are ``2026-09-14T09:30:00Z`` (a second, UTC) and ``2026-09-14`` (the whole day, UTC). A moment is the
span from its ``start`` up to its ``end``, which no longer belongs to it: a day lasts until the next begins.
So the meaning of a text never depends on a time zone.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?(?P<zone>[Zz]|[+-]\d\d(:?\d\d)?)?", re.ASCII)
_SPAN = re.compile(r"(\d{1,6})\s*(min|h|d|w)", re.ASCII)
_SECONDS = {"min": 60, "h": 3600, "d": 86400, "w": 604800}

FORMS = "give a date such as `2026-12-14`, a time with offset as `2026-12-14T09:30Z`, or a span such as `30d`"

#: A kept second.
_COMMON = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)

#: Seconds by which something that has happened may lie ahead: clocks differ, and somewhere it is tomorrow already.
SKEW = 86400

#: Ages up to this many days are told in days, then up to this many weeks in weeks, then in months.
DAYS_TOLD, WEEKS_TOLD = 14, 8


def parse_when(text: str, now: str) -> str:
    """``text`` (WHEN on a command line) as it is kept: a date stays a date, a span is counted from ``now``.

    :raises UsageError: for a time without offset, or anything else that is none of the forms.
    """
    return _moved(text, now, 1) if is_span(text) else _parse(text)


def ago(text: str, now: str) -> str:
    """The time that lies the span ``text`` before ``now``.

    :raises UsageError: for anything that is no span.
    """
    if not is_span(text):
        raise UsageError(f"`{printable(text)}` is no span.", hint="give a span such as `30d` or `12h`")
    return _moved(text, now, -1)


def is_span(text: str) -> bool:
    """Whether ``text`` is a span such as ``30d`` or ``1h 30min``."""
    return bool(_SPAN.search(text)) and not _SPAN.sub("", text).strip()


def parse_now(text: str) -> str:
    """``MEMDIR_NOW`` as a time; a date is the first second of its day.

    :raises UsageError: as :func:`parse_when`; a span has no meaning here.
    """
    kept = _parse(text)
    return kept if "T" in kept else f"{kept}T00:00:00Z"


def from_clock(seconds: float) -> str:
    """The kept form of a reading of the clock in seconds since 1970."""
    return _text(datetime.fromtimestamp(int(seconds), UTC))


def is_kept(text: str) -> bool:
    """Whether ``text`` is a date or time in a form that means the same everywhere."""
    try:
        _parse(text)
    except UsageError:
        return False
    return True


def start(text: str) -> int:
    """First second of a kept time, in seconds since 1970.

    :raises ValueError: if ``text`` is no date and no time with offset.
    """
    # the form of nearly all is understood without detours
    moment = datetime.fromisoformat(text) if _COMMON.fullmatch(text) else _moment(text)
    return int(moment.timestamp())


def end(text: str) -> int:
    """The second at which a kept time is over: for a day the start of the next, for a second itself.

    :raises ValueError: as :func:`start`.
    """
    return start(text) + (86400 if _DATE.fullmatch(text) else 0)


def passed(when: str, now: str) -> bool:
    """Whether ``when`` (an expiry, a review date) is over: a date holds to the end of its day."""
    return start(now) >= end(when)


def over(since: str, kept_for: str, now: str) -> bool:
    """Whether a span that began at the end of ``since`` is over; a time that cannot be read ends nothing."""
    try:
        began = from_clock(end(since))
        return bool(kept_for) and passed(parse_when(kept_for, began), now)
    except ValueError:
        return False


def month_end(month: str) -> str:
    """The first second after a month such as ``2026-09``."""
    year, number = int(month[:4]), int(month[5:])
    after = f"{year + 1:04}-01" if number == 12 else f"{year:04}-{number + 1:02}"
    return f"{after}-01T00:00:00Z"


def order(text: str) -> int:
    """Sort key, oldest first; a text that is no time counts as older than all."""
    try:
        return start(text)
    except ValueError:
        return -(1 << 62)


def age_days(then: str, now: str) -> int:
    """Whole calendar days (UTC) between two times; negative if ``then`` lies ahead.

    :raises ValueError: as :func:`start`.
    """
    return start(now) // 86400 - start(then) // 86400


def age(then: str, now: str) -> str:
    """Coarse age in words, the same all day long: ``today``, ``9 days``, ``5 weeks``, ``4 months``.

    :raises ValueError: as :func:`start`.
    """
    days = age_days(then, now)
    if days < 0:
        return "in the future"
    if days == 0:
        return "today"
    if days <= DAYS_TOLD:
        return _counted(days, "day")
    if days // 7 <= WEEKS_TOLD:
        return _counted(days // 7, "week")
    return _counted(days * 100 // 3044, "month")


def _moved(span: str, now: str, direction: int) -> str:
    seconds = sum(int(number) * _SECONDS[unit] for number, unit in _SPAN.findall(span))
    try:
        return _text(_moment(now) + timedelta(seconds=direction * seconds))
    except OverflowError:
        raise UsageError(f"The span `{printable(span)}` is longer than time.", hint=FORMS) from None


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _parse(text: str) -> str:
    text = text.strip()
    try:
        kept = _kept(text)
    except (ValueError, OverflowError):
        raise UsageError(f"`{printable(text)}` is not a day of the calendar or not a time.", hint=FORMS) from None
    if kept is not None:
        return kept
    if _TIME.fullmatch(text):
        hint = f"add `Z` for UTC or an offset: `{text}Z`, or give the date alone"
        raise UsageError(f"The time `{printable(text)}` has no offset.", hint=hint)
    raise UsageError(f"`{printable(text)}` is not a time.", hint=FORMS)


def _kept(text: str) -> str | None:
    if _DATE.fullmatch(text):
        datetime.fromisoformat(text)
        return text
    match = _TIME.fullmatch(text)
    return _text(_aware(text)) if match and match["zone"] else None


def _moment(text: str) -> datetime:
    """``text`` as the instant at which it begins."""
    if _DATE.fullmatch(text):
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    match = _TIME.fullmatch(text)
    if not match or not match["zone"]:
        raise ValueError(f"{text!r} is no kept time")
    return _aware(text)


def _aware(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(str(error)) from None


def _text(moment: datetime) -> str:
    # not strftime: it writes the year 987 with three digits
    return moment.replace(microsecond=0, tzinfo=None).isoformat() + "Z"
