"""Which month is reported, and as of when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.period import Period, period
from memdir_cli.errors import UsageError

NOW = "2026-09-14T09:30:00Z"


@pytest.mark.parametrize(
    ("month", "as_of", "month_told", "moment", "past"),
    [
        (None, None, "2026-09", NOW, False),
        ("2026-09", None, "2026-09", NOW, False),
        ("2026-08", None, "2026-08", "2026-08-31T23:59:59Z", True),
        ("last", None, "2026-08", "2026-08-31T23:59:59Z", True),
        ("2024-02", None, "2024-02", "2024-02-29T23:59:59Z", True),
        (None, "2026-06-10", "2026-06", "2026-06-10T23:59:59Z", True),
        (None, "2026-06-10T01:00:00+02:00", "2026-06", "2026-06-09T23:00:00Z", True),
        ("last", "2026-01-01", "2025-12", "2025-12-31T23:59:59Z", True),
        ("2025-11", "2026-01-01", "2025-11", "2025-11-30T23:59:59Z", True),
        (None, "30d", "2026-10", "2026-10-14T09:30:00Z", False),
        (None, "2026-09-14", "2026-09", "2026-09-14T23:59:59Z", False),
    ],
)
def test_month_and_moment(month: str | None, as_of: str | None, month_told: str, moment: str, past: bool) -> None:
    assert period(month, as_of, NOW) == Period(month_told, moment, past)


@pytest.mark.parametrize(
    ("month", "as_of"),
    [("2026-13", None), ("0999-01", None), ("September", None), ("", None), ("2026-10", None), (None, "yesterday")],
)
def test_what_is_no_month_or_lies_ahead_is_wrong_usage(month: str | None, as_of: str | None) -> None:
    with pytest.raises(UsageError) as error:
        period(month, as_of, NOW)
    assert "`--month 2026-09`" in error.value.hint or month is None, "a month that can be given"


@given(st.integers(1100, 9998), st.integers(1, 12), st.integers(0, 200))
def test_months_count_back_and_end_where_the_next_begins(year: int, number: int, count: int) -> None:
    month = f"{year:04}-{number:02}"
    earlier = calendar.before(month, count)
    assert calendar.is_month(earlier)
    assert (int(month[:4]) - int(earlier[:4])) * 12 + int(month[5:]) - int(earlier[5:]) == count
    assert calendar.last_second(month).startswith(month)
    assert calendar.last_second(month).endswith("T23:59:59Z")


@pytest.mark.parametrize(
    ("now", "near"),
    [
        ("2026-09-01T00:00:00Z", True),
        ("2026-09-01T06:00:00Z", True),
        ("2026-09-07T23:59:59Z", True),
        ("2026-09-08T00:00:00Z", False),
        ("2026-08-31T23:59:59Z", False),
    ],
)
def test_a_schedule_may_be_some_days_late(now: str, near: bool) -> None:
    found = period("2026-08", None, now)
    assert found.near == near
    assert found.past == (now > "2026-09"), "a month is over with its last second"


def test_a_trend_covers_twelve_months_the_reported_one_last() -> None:
    months = calendar.twelve("2026-03")
    assert (len(months), months[0], months[-1]) == (12, "2025-04", "2026-03")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NOW, True),
        ("2026-09-14", False),
        ("2026-13-14T09:30:00Z", False),
        ("2026-09-14T09:30:00+02:00", False),
        (f"{NOW} ", False),
        ("", False),
        (None, False),
        (20260914, False),
    ],
)
def test_a_log_is_sorted_by_times_of_one_form_and_anything_else_is_none(text: object, expected: bool) -> None:
    assert calendar.is_time(text) is expected


@pytest.mark.parametrize(
    ("month", "name"), [("2026-01", "January 2026"), ("2026-10", "October 2026"), ("2025-12", "December 2025")]
)
def test_a_month_has_its_english_name(month: str, name: str) -> None:
    assert calendar.name(month) == name
