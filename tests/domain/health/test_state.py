"""Each memory as it stood at a moment: from what the receipts tell and the files that are left."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.health.facts import Known
from memdir_cli.domain.health.replay import Past, Standing, replay
from memdir_cli.domain.health.state import Limits, revisions, standing, stock, stood
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Record
from tests.domain.health.happened import NOW, event
from tests.records import project, runtime, task

EVIDENCE = Evidence("package.json#scripts.test", "v1:0")


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
    by_hand = judge(project(id="a", revision=2), runtime(now=NOW))
    assert standing(by_hand, past_of(event("created", id="a")), {}, {}).since == "", "of another revision"


def test_evidence_of_what_belongs_elsewhere_is_unknown() -> None:
    judged = judge(project(id="a", depends_on=(EVIDENCE,)), runtime(now=NOW))
    nothing: dict[Evidence, Verdict] = {}
    assert [look.verdict for look in standing(judged, past_of(), nothing, {}).looks] == ["unknown"]


def test_the_status_of_then_stands_without_the_reason_of_another_one() -> None:
    stale = project(id="a", status="stale", status_reason="evidence-removed: `npm test` is gone")
    found = stood_at(stale, NOW)
    assert isinstance(found, Known)
    assert (found.status, found.code) == ("verified", "")
    past = past_of(event("stale", id="a", status="stale"))
    (found,) = stood(past, revisions([stale]), NOW, {})
    assert isinstance(found, Known)
    assert (found.status, found.code) == ("stale", "evidence-removed")


def test_what_was_verified_at_that_very_second_was_verified() -> None:
    found = stood_at(project(id="a", verified_at="2026-09-15T00:00:00Z"), "2026-09-15T00:00:00Z")
    assert isinstance(found, Known)
    assert found.record.memory.verified_at == "2026-09-15T00:00:00Z"


def test_a_memory_of_a_task_lay_among_those_of_its_task() -> None:
    record = task("T1", id="a")
    (found,) = stood(past_of(event("created", id="a", memdir="user")), revisions([record]), NOW, {})
    assert isinstance(found, Known)
    assert (found.record.folder, found.served) == ("local/tasks", True)
    assert found.record.path == "local/tasks/a.md"
    here = stood_at(project(id="a"), NOW)
    assert isinstance(here, Known)
    assert (here.record.path, here.served) == ("memories/a.md", True)


@pytest.mark.parametrize(
    ("keys", "status"),
    [
        ({}, "verified"),
        ({"expires_at": "2026-09-10"}, "expired"),
        ({"expires_at": "2026-10-10"}, "verified"),
        ({"review_after": "2026-09-10"}, "stale"),
        ({"type": "temporary"}, "stale"),
        ({"type": "decision"}, "verified"),
        ({"revision": 2}, "verified"),
        ({"depends_on": (EVIDENCE,)}, "verified"),
    ],
)
def test_memories_are_counted_by_the_status_in_which_they_stood(keys: dict[str, Any], status: str) -> None:
    limits: Limits = {"project": {"temporary": "10d"}, "user": {"decision": "1d"}}
    past, known = past_of(event("created", id="a")), revisions([project(id="a", **keys)])
    assert stock(past, known, NOW, limits) == Counter({status: 1})
    assert [one.status for one in stood(past, known, NOW, limits)] == [status]


def test_the_settings_say_of_which_types_memories_are_to_be_confirmed() -> None:
    judged = judge(project(id="a", type="fact"), runtime(now=NOW))
    assert standing(judged, past_of(), {}, {"project": {"fact": "10d"}}).limited
    assert not standing(judged, past_of(), {}, {"project": {"decision": "10d"}, "user": {"fact": "10d"}}).limited
    assert not standing(judged, past_of(), {}, {}).limited
