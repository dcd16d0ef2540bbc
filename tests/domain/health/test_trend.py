"""Twelve months, from receipts and logs alone; and each memory as it stood."""

from __future__ import annotations

from collections import Counter

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.facts import Known, Refused
from memdir_cli.domain.health.reads import ReadMonth, Reads
from memdir_cli.domain.health.replay import Past, Standing, replay
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.health.state import Limits, revisions, standing, stock, stood
from memdir_cli.domain.health.trend import rows
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Record
from tests.domain.health.happened import NOW, event
from tests.records import project, runtime

MONTHS = calendar.twelve("2026-09")
EVIDENCE = Evidence("package.json#scripts.test", "v1:0")


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


# --- as it stood --------------------------------------------------------------------------------


def past_of(*happened: object, moment: str = NOW) -> Past:
    """What the receipts say."""
    return next(replay(happened, [moment]))  # type: ignore[arg-type]


def stood_at(record: Record, moment: str, limits: Limits | None = None, **seen: Verdict) -> Known | Standing:
    """A memory at a moment; its evidence as it was seen."""
    past = past_of(event("created", id=record.memory.id), moment=moment)
    looked = {("project", record.memory.id): dict.fromkeys((EVIDENCE,), seen["seen"])} if seen else {}
    (found,) = stood(past, revisions([record]), moment, limits or {}, looked)  # type: ignore[arg-type]
    counted = stock(past, revisions([record]), moment, limits or {})
    assert sum(counted.values()) == 1
    return found


def test_the_clock_of_then_says_what_was_due_then() -> None:
    record = project(id="a", review_after="2026-09-10")
    early, late = stood_at(record, "2026-09-10T12:00:00Z"), stood_at(record, "2026-09-11T00:00:00Z")
    assert (early.status, late.status) == ("verified", "stale")
    assert isinstance(late, Known)
    assert late.code == "review-due"
    counted = stock(past_of(event("created", id="a")), revisions([record]), NOW, {})
    assert dict(counted) == {"stale": 1}


def test_what_was_verified_later_was_not_yet_verified_then() -> None:
    record = project(id="a", verified_at="2026-09-20T00:00:00Z")
    found = stood_at(record, "2026-09-15T00:00:00Z")
    assert isinstance(found, Known)
    assert found.record.memory.verified_at == "2026-09-01T08:00:00Z"


def test_a_revision_of_which_no_file_is_left_is_known_by_its_receipt_alone() -> None:
    found = stood_at(project(id="a", revision=2), NOW)
    assert isinstance(found, Standing)
    assert (found.status, found.since) == ("verified", "2026-09-01T08:00:00Z")


def test_age_limits_count_then_too() -> None:
    record = project(id="a", type="fact", verified_at="2026-09-01T08:00:00Z")
    found = stood_at(record, NOW, {"project": {"fact": "10d"}})
    assert (found.status, isinstance(found, Known) and found.limited) == ("stale", True)


def test_evidence_counts_where_the_look_counts_for_then() -> None:
    record = project(id="a", depends_on=(EVIDENCE,))
    unseen, gone = stood_at(record, NOW), stood_at(record, NOW, seen=Verdict("removed", "gone"))
    assert isinstance(unseen, Known)
    assert isinstance(gone, Known)
    assert (unseen.status, unseen.looks) == ("verified", ())
    assert (gone.status, [look.verdict for look in gone.looks]) == ("stale", ["removed"])


def test_where_each_lay_is_told_by_its_status() -> None:
    past = past_of(event("created", id="a", status="candidate"))
    (found,) = stood(past, revisions([project(id="a")]), NOW, {})
    assert isinstance(found, Known)
    assert (found.record.folder, found.served) == ("inbox", False)


def test_since_when_is_known_only_of_the_status_that_the_file_has() -> None:
    judged = judge(project(id="a"), runtime(now=NOW))
    assert standing(judged, past_of(event("created", id="a")), {}, {}).since == "2026-09-01T08:00:00Z"
    assert standing(judged, past_of(event("stale", id="a", status="stale")), {}, {}).since == ""
    assert standing(judged, past_of(), {}, {}).since == ""


def test_evidence_of_what_belongs_elsewhere_is_unknown() -> None:
    judged = judge(project(id="a", depends_on=(EVIDENCE,)), runtime(now=NOW))
    nothing: dict[Evidence, Verdict] = {}
    assert [look.verdict for look in standing(judged, past_of(), nothing, {}).looks] == ["unknown"]
