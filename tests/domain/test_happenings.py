"""What the receipts of both memdirs tell, newest first, whatever stands in them."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.happenings import LogAnswer, named, newest_first


def receipt(at: str, *events: Any, txn: str = "t1", actor: str = "user") -> dict[str, Any]:
    return {"at": at, "txn": txn, "actor": actor, "events": list(events)}


def event(id_: str, kind: str = "created", **keys: Any) -> dict[str, Any]:
    return {"kind": kind, "id": id_, "revision": 1, **keys}


def test_the_newest_comes_first_and_of_one_second_what_stands_further_down() -> None:
    mine = [receipt("2", event("b"), event("c")), receipt("3", event("e"))]
    theirs = [receipt("1", event("a")), receipt("2", event("d"))]
    found = newest_first([("user", mine), ("project", theirs)])
    assert [(one.id, one.memdir) for one in found] == [
        ("e", "user"), ("d", "project"), ("c", "user"), ("b", "user"), ("a", "project"),
    ]  # fmt: skip


def test_everything_that_a_receipt_says_is_told_and_no_more() -> None:
    told = event("a", "superseded", revision=2, previous="a@1", status="verified", authority="user", level="repository")
    (one,) = newest_first([("project", [receipt("1", {**told, "content": "digest"})])])
    assert LogAnswer(named([one], {"a": "lint"})).document() == {
        "events": [{
            "at": "1", "kind": "superseded", "id": "a", "revision": 2, "previous": "a@1", "status": "verified",
            "authority": "user", "level": "repository", "actor": "user", "transaction": "t1", "memdir": "project",
            "key": "lint",
        }]
    }  # fmt: skip
    assert [one.key for one in named([one], {"b": "lint"})] == [""]


@pytest.mark.parametrize("events", [None, "x", {"kind": "created"}, 7])
def test_a_receipt_without_a_list_of_events_tells_nothing(events: object) -> None:
    assert newest_first([("user", [{"at": "1", "events": events}])]) == ()


def test_what_is_no_event_is_passed_over_and_what_is_no_word_is_empty() -> None:
    found = newest_first([("user", [receipt("1", "x", None, {"id": 7, "revision": "2", "status": None}, event("a"))])])
    assert [(one.id, one.kind, one.revision, one.status) for one in found] == [("a", "created", 1, ""), ("", "", 0, "")]


def test_what_a_project_forgot_is_told_once_though_the_user_memdir_keeps_a_copy() -> None:
    gone = receipt("1", event("a", "forgotten"))
    alone = [receipt("2", event("a", "forgotten"), txn="t2"), receipt("3", event("b", "forgotten"))]
    found = newest_first([("user", [gone, *alone, receipt("4", event("a"))]), ("project", [gone])])
    assert [(one.at, one.memdir, one.kind) for one in found] == [
        ("4", "user", "created"), ("3", "user", "forgotten"), ("2", "user", "forgotten"), ("1", "project", "forgotten"),
    ]  # fmt: skip
