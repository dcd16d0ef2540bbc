"""Times: what may be written, what is kept, and one meaning in every zone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain import times
from memdir_cli.errors import UsageError

NOW = "2026-09-14T09:30:00Z"

WHEN = [
    ("2026-12-14", "2026-12-14"),
    ("2026-12-14T09:30:00Z", "2026-12-14T09:30:00Z"),
    ("2026-12-14T09:30Z", "2026-12-14T09:30:00Z"),
    ("2026-12-14t09:30z", "2026-12-14T09:30:00Z"),
    ("2026-12-14 09:30:15+02:00", "2026-12-14T07:30:15Z"),
    ("2026-12-14T00:30+0545", "2026-12-13T18:45:00Z"),
    ("2026-12-14T00:30-11", "2026-12-14T11:30:00Z"),
    ("2026-12-14T09:30:15.999999Z", "2026-12-14T09:30:15Z"),
    ("2026-12-14T09:30:15,5Z", "2026-12-14T09:30:15Z"),
    (" 2026-12-14 ", "2026-12-14"),
    ("0987-01-02T00:00:00Z", "0987-01-02T00:00:00Z"),
    ("1h", "2026-09-14T10:30:00Z"),
    ("30d", "2026-10-14T09:30:00Z"),
    ("2w", "2026-09-28T09:30:00Z"),
    ("90min", "2026-09-14T11:00:00Z"),
    ("1d12h", "2026-09-15T21:30:00Z"),
    ("1d 12h", "2026-09-15T21:30:00Z"),
    ("0d", NOW),
]

REFUSED = [
    "",
    "soon",
    "tomorrow",
    "2026-02-30",
    "2026-13-01",
    "2026-12-14T25:00Z",
    "2026-12-14T24:00Z",
    "2026-12-14T09:60Z",
    "2026-12-14T09:30:60Z",
    "2026-12-14T09:30:00+25:00",
    "0001-01-01T00:00:00+05:00",
    "9999-12-31T23:59:59-05:00",
    "26-12-14",
    "2026-W38-1",
    "20261214",
    "2026-12",
    "14.12.2026",
    "2026-12-14T09",
    "٢٠٢٦-١٢-١٤",
    "1y",
    "5m",
    "-3d",
    "1.5h",
    "d",
    "999999w",
    "1d tomorrow",
    "2026-12-14\x00",
]


@pytest.mark.parametrize(("written", "kept"), WHEN)
def test_what_may_be_written_and_how_it_is_kept(written: str, kept: str) -> None:
    assert times.parse_when(written, NOW) == kept
    assert times.is_kept(kept)


@pytest.mark.parametrize("written", REFUSED)
def test_anything_else_is_refused_with_the_forms(written: str) -> None:
    with pytest.raises(UsageError) as refused:
        times.parse_when(written, NOW)
    assert "2026-12-14" in refused.value.hint
    assert "\x00" not in refused.value.message


@pytest.mark.parametrize("written", ["2026-12-14T09:30", "2026-12-14 09:30:00"])
def test_a_time_without_offset_is_refused_and_the_offset_asked_for(written: str) -> None:
    with pytest.raises(UsageError, match="no offset") as refused:
        times.parse_when(written, NOW)
    assert f"`{written}Z`" in refused.value.hint


@pytest.mark.parametrize(
    ("written", "now"),
    [
        ("2026-09-14", "2026-09-14T00:00:00Z"),
        ("2026-09-14T09:30:00Z", NOW),
        ("2026-09-14T11:30+02:00", NOW),
    ],
)
def test_a_fixed_clock(written: str, now: str) -> None:
    assert times.parse_now(written) == now


@pytest.mark.parametrize(
    ("month", "end"),
    [
        ("2026-09", "2026-10-01T00:00:00Z"),
        ("2026-12", "2027-01-01T00:00:00Z"),
        ("0987-01", "0987-02-01T00:00:00Z"),
    ],
)
def test_the_end_of_a_month(month: str, end: str) -> None:
    assert times.month_end(month) == end


@pytest.mark.parametrize("written", ["30d", "2026-09-14T09:30", "now", ""])
def test_a_fixed_clock_must_be_a_moment(written: str) -> None:
    with pytest.raises(UsageError):
        times.parse_now(written)


@pytest.mark.parametrize(("seconds", "kept"), [(0, "1970-01-01T00:00:00Z"), (1789378200.9, NOW)])
def test_the_clock(seconds: float, kept: str) -> None:
    assert times.from_clock(seconds) == kept


@pytest.mark.parametrize(
    ("when", "now", "over"),
    [
        ("2026-09-14", "2026-09-14T00:00:00Z", False),
        ("2026-09-14", "2026-09-14T23:59:59Z", False),
        ("2026-09-14", "2026-09-15T00:00:00Z", True),
        ("2026-09-14", "2026-09-15", True),
        ("2026-09-14T09:30:00Z", "2026-09-14T09:29:59Z", False),
        ("2026-09-14T09:30:00Z", "2026-09-14T09:30:00Z", True),
        ("2026-09-14T11:30:00+02:00", "2026-09-14T09:29:59Z", False),
        ("2026-09-14T11:30:00+02:00", "2026-09-14T09:30:00Z", True),
    ],
)
def test_a_day_holds_to_its_end_and_a_time_to_its_second(when: str, now: str, over: bool) -> None:
    assert times.passed(when, now) is over


def test_order_puts_what_is_no_time_first() -> None:
    texts = ["2026-09-14T09:30:00Z", "2026-09-14", "soon", "2026-09-14T11:00:00+02:00", ""]
    assert sorted(texts, key=times.order) == [
        "soon",
        "",
        "2026-09-14",
        "2026-09-14T11:00:00+02:00",
        "2026-09-14T09:30:00Z",
    ]


@pytest.mark.parametrize("text", ["soon", "", "2026-09-14T09:30", "2026-02-30"])
def test_what_is_no_kept_time_has_no_moment(text: str) -> None:
    assert not times.is_kept(text)
    with pytest.raises(ValueError):
        times.start(text)
    with pytest.raises(ValueError):
        times.age(text, NOW)


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("2026-09-15", "in the future"),
        ("2026-09-14T23:59:59Z", "today"),
        ("2026-09-14", "today"),
        ("2026-09-13T23:59:59Z", "1 day"),
        ("2026-09-13", "1 day"),
        ("2026-09-01", "13 days"),
        ("2026-08-31", "14 days"),
        ("2026-08-30", "2 weeks"),
        ("2026-08-24", "3 weeks"),
        ("2026-07-14", "8 weeks"),
        ("2026-07-13", "2 months"),
        ("2026-06-14", "3 months"),
        ("2025-09-14", "11 months"),
        ("2024-09-14", "23 months"),
    ],
)
def test_age_is_told_in_days_then_weeks_then_months(then: str, told: str) -> None:
    assert times.age(then, NOW) == told


@given(st.datetimes(), st.integers(0, 86399))
def test_an_age_is_the_same_all_day_long(then: object, second: int) -> None:
    text = str(then)[:10]
    later = times.from_clock(times.start("2030-05-05") + second)
    assert times.age(text, later) == times.age(text, "2030-05-05")


@given(st.integers(0, 4102444800))
def test_a_kept_time_is_read_as_what_was_kept(seconds: int) -> None:
    kept = times.from_clock(seconds)
    assert times.start(kept) == times.end(kept) == seconds
    assert times.parse_when(kept, NOW) == times.parse_now(kept) == kept


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        kept = times.parse_when(text, NOW)
    except UsageError:
        return
    assert times.is_kept(kept)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Chatham"])
def test_the_zone_of_the_machine_changes_nothing(zone: str) -> None:
    lines = (
        "from memdir_cli.domain import times as t;"
        f"print(t.parse_when('30d', '{NOW}'), t.start('2026-09-14'), t.end('2026-09-14'),"
        " t.age('2026-09-13', '2026-09-14T23:30:00Z'), t.from_clock(0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", lines], env={**os.environ, "TZ": zone}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        "2026-10-14T09:30:00Z", "1789344000", "1789430400", "1", "day", "1970-01-01T00:00:00Z",
    ]  # fmt: skip


def test_what_is_no_time_stands_before_all_others_and_months_are_of_their_mean_length() -> None:
    assert times.order("some day") == times.order("") < times.order("0001-01-01")
    then = "2020-01-01"
    told = [times.age(then, f"{day}T00:00:00Z") for day in ("2024-12-31", "2025-01-01", "2025-02-01")]
    assert told == ["59 months", "60 months", "61 months"]
    assert times.age("2010-01-01", "2020-01-01") == "119 months"
    assert times.age("2010-01-01", "2020-01-02") == "120 months"


@pytest.mark.parametrize(("span", "then"), [("30d", "2026-08-15T09:30:00Z"), ("1d 12h", "2026-09-12T21:30:00Z")])
def test_a_span_may_be_counted_backwards(span: str, then: str) -> None:
    assert times.ago(span, NOW) == then


def test_a_span_that_is_longer_than_time_is_refused() -> None:
    for count in (times.ago, times.parse_when):
        with pytest.raises(UsageError) as refused:
            count("999999w", NOW)
        assert (refused.value.message, refused.value.hint) == (
            "The span `999999w` is longer than time.", times.FORMS,
        )  # fmt: skip


def test_a_part_of_a_second_may_stand_behind_a_point_or_a_comma() -> None:
    assert times.start("2026-09-14T09:30:01,5Z") == times.start("2026-09-14t09:30:01.5z")


@pytest.mark.parametrize("text", ["2026-09-01", "2026-09-01T08:00:00Z", "soon", "", "30", "30d ago", "\x1b[1m"])
def test_only_a_span_can_be_counted_backwards(text: str) -> None:
    with pytest.raises(UsageError, match="is no span") as refused:
        times.ago(text, NOW)
    assert refused.value.hint == "give a span such as `30d` or `12h`"
    assert refused.value.message.isprintable()
