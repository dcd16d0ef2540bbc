"""Twelve months, from receipts and logs alone."""

from __future__ import annotations

from collections import Counter

from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.facts import Refused
from memdir_cli.domain.health.reads import ReadMonth, Reads
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.health.trend import rows
from tests.domain.health.happened import event

MONTHS = calendar.twelve("2026-09")


def trend(*happened: object, logged_since: str = "", **more: object) -> dict[str, Month]:
    """The rows of a trend by month."""
    told: dict[str, object] = {"reads": Reads(), "refused": (), **more}
    stocks = [Counter({"verified": 1}) for _ in MONTHS]
    found = rows(MONTHS, stocks, happened, logged_since=logged_since, **told)  # type: ignore[arg-type]
    return {row.month: row for row in found}


def test_months_before_the_first_receipt_have_no_data_and_quiet_ones_have_zeros() -> None:
    told = trend(event("created", "2026-03-01T00:00:00Z"), event("created", "2026-05-01T00:00:00Z"))
    assert [month for month, row in told.items() if not row.recorded] == list(MONTHS[:5])
    assert (told["2026-04"].created, told["2026-04"].verified) == (0, 1)
    assert told["2026-05"].created == 1
    assert not any(row.recorded for row in trend().values())


def test_what_happened_is_counted_in_its_month() -> None:
    september = trend(
        event("created"),
        event("needs_decision"),
        event("superseded", actor="user"),
        event("superseded", actor="tool"),
        event("conflicted"),
        event("forgotten", id="x"),
        event("a-kind-of-tomorrow"),
        event("created", "2024-01-01T00:00:00Z"),
    )["2026-09"]
    counted = (september.created, september.corrections, september.conflicts, september.forgotten)
    assert counted == (2, 1, 1, 1)


def test_what_stood_at_the_end_of_a_month_is_told_by_status() -> None:
    stood = Counter(verified=6, stale=5, conflicted=4, candidate=3, quarantined=2, archived=1, superseded=9)
    (row,) = rows(["2026-09"], [stood], [event("created")], Reads(), (), logged_since="")
    told = (row.verified, row.stale, row.conflicted, row.candidate, row.quarantined, row.archived)
    assert told == (6, 5, 4, 3, 2, 1)


def test_without_a_log_nothing_is_known_of_refusals() -> None:
    september = trend(event("created"), refused=(Refused("2026-09-02T00:00:00Z", "secret"),))["2026-09"]
    assert (september.secrets, september.returns, september.reads) == (None, None, None)


def test_logs_tell_only_of_the_time_since_they_began() -> None:
    refused = (Refused("2026-08-02T00:00:00Z", "secret"), Refused("2026-08-03T00:00:00Z", "forgotten"))
    reads = Reads(months={"2026-08": ReadMonth(3, 120, 1)})
    told = trend(logged_since="2026-08", refused=refused, reads=reads)
    assert (told["2026-07"].secrets, told["2026-08"].secrets, told["2026-08"].returns) == (None, 1, 1)
    assert told["2026-09"].secrets == 0
    assert (told["2026-08"].reads, told["2026-08"].characters, told["2026-08"].crowded) == (3, 120, 1)
    assert [month for month, row in told.items() if row.logged] == ["2026-08"]


def test_a_row_says_what_it_knows() -> None:
    document = Month("2026-09", verified=0).document()
    assert (document["recorded"], document["logged"], document["stale"]) == (True, False, None)
