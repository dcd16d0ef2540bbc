"""Refreshing: which changes are found, which one counts, and what carries them out."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain import refreshing
from memdir_cli.domain.changes import ChangeSet, Put, Remove
from memdir_cli.domain.refreshing import Change, RefreshAnswer
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Record
from tests.records import NOW, project, runtime, user

OLD, LATER = "2026-08-15T09:30:00Z", "2026-09-14T09:30:01Z"


def candidate(**keys: Any) -> Record:
    return project(folder="inbox", **{"status": "candidate", "verified_at": "", **keys})


def past(status: str = "superseded", **keys: Any) -> Record:
    return project(folder="history", status=status, **keys)


def test_only_current_records_that_got_worse_move() -> None:
    records = [
        project(value="over", expires_at="2026-09-13"),
        project(value="due", review_after="2026-09-13"),
        project(value="fine", review_after="2026-12-01"),
        project(value="known", status="stale", status_reason="x: y", review_after="2026-09-13"),
        project(value="wrong folder", folder="inbox", expires_at="2026-09-13"),
        candidate(value="waits", expires_at="2026-09-13"),
    ]
    found = refreshing.moved(judge(record, runtime()) for record in records)
    assert [(change.record.memory.value, change.after) for change in found] == [("over", "expired"), ("due", "stale")]


@pytest.mark.parametrize(
    ("keys", "now", "dropped"),
    [
        ({"created_at": OLD}, NOW, True),
        ({"created_at": OLD}, "2026-09-14T09:29:59Z", False),
        ({"created_at": OLD, "verified_at": OLD}, NOW, False),
        ({"created_at": "no time"}, NOW, False),
    ],
)
def test_candidates_that_nobody_confirmed(keys: dict[str, Any], now: str, dropped: bool) -> None:
    assert len(refreshing.overdue([candidate(**keys)], "30d", now)) == dropped
    assert refreshing.overdue([candidate(**keys)], "", "2099-01-01T00:00:00Z") == ()
    for other in (project(**keys), candidate(**keys, status="verified"), candidate(**keys, status="quarantined")):
        assert refreshing.overdue([other], "30d", now) == ()


def test_history_counts_from_the_end_of_a_revision() -> None:
    one = past(created_at=OLD, updated_at=OLD, verified_at=OLD)
    assert refreshing.outlived([one], "30d", {}, NOW) == (Change(one, None, "retention: history is kept for 30d"),)
    assert refreshing.outlived([one], "30d", {one.memory.ref: "2026-09-01T00:00:00Z"}, NOW) == ()
    assert refreshing.outlived([past("expired", expires_at="2026-09-13")], "1d", {}, NOW) == ()
    assert refreshing.outlived([past("quarantined")], "1d", {}, NOW) == ()
    # by hand, at another offset: five hours later than it looks
    other = past(created_at=OLD, updated_at="2026-08-16T01:00:00-05:00", verified_at="2026-08-16T05:00:00Z")
    assert refreshing.outlived([other], "30d", {}, "2026-09-15T05:30:00Z") == ()
    assert refreshing.outlived([other], "30d", {}, "2026-09-15T06:00:00Z")


def test_originals_that_went_away_withdraw_what_stands() -> None:
    lost = {"npm": "source-unavailable: gone"}
    assert [change.after for change in refreshing.withdrawn([project()], lost)] == ["candidate"]
    others = [project(value="pnpm"), project(status="conflicted"), candidate(value="npm"), past(value="npm")]
    assert refreshing.withdrawn(others, lost) == ()


def test_of_two_changes_of_one_file_the_worse_counts() -> None:
    one, other = project(value="a"), project(value="b")
    changes = [
        Change(one, "stale", "1: x"), Change(one, "candidate", "2: x"), Change(one, "stale", "3: x"),
        Change(one, "candidate", "late: x"), Change(other, "expired", "4: x"), Change(other, None, "5: x"),
    ]  # fmt: skip
    assert [change.reason for change in refreshing.worst(changes)] == ["2: x", "5: x"]


def test_each_change_is_carried_out_in_its_own_memdir() -> None:
    stale, gone, dropped = project(value="a"), project(value="b"), candidate(value="c")
    changes = [
        Change(user(value="d"), "stale", "x: 4"),
        Change(stale, "stale", "x: 1"), Change(gone, "expired", "x: 2"), Change(dropped, None, "x: 3"),
    ]  # fmt: skip
    files = ChangeSet(files=(Put("local/sources/a.jsonl", b""),), discards=(Remove("local/access/2026-01.jsonl", "0"),))
    found = refreshing.carry_out(changes, "project", lambda record: record is not stale, files)
    assert [(write.memory.status, write.memory.status_reason, write.base) for write in found.writes] == [
        ("stale", "x: 1", stale),
        ("expired", "x: 2", gone),
    ]
    assert found.removes == (gone, dropped)
    assert [(event.kind, event.memory.value, event.actor) for event in found.events] == [
        ("expired", "b", "clock"),
        ("dropped", "c", "clock"),
    ]
    assert (found.files, found.discards) == (files.files, files.discards)
    assert not refreshing.carry_out([], "project", lambda _: True)


def test_what_an_answer_tells() -> None:
    answer = RefreshAnswer(
        (Change(project(), "stale", "x: y"), Change(candidate(), None, "retention: z")),
        removed=("/m/local/access/2026-01.jsonl",),
        troubles=("`a` stays as it is",),
        unreadable=("`b` cannot be read",),
    )
    document = answer.document()
    assert document["removed"] == ["/m/local/access/2026-01.jsonl"]
    assert document["warnings"] == [
        {"code": "not-moved", "message": "`a` stays as it is"},
        {"code": "evidence-unreadable", "message": "`b` cannot be read"},
    ]
    changed: Any = document["changed"]
    first, second = changed
    assert first == {
        "id": "npm", "revision": 1, "key": "package_manager", "scope": "repository:github.com/acme/app",
        "from": "verified", "to": "stale", "reason": "x: y", "memdir": "project",
    }  # fmt: skip
    assert (document["dryRun"], RefreshAnswer(dry_run=True).document()["dryRun"]) == (False, True)
    assert (second["from"], second["to"]) == ("candidate", "dropped")
