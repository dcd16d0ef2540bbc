"""What `get` and `explain` answer: with a value, without one, and where a person must decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.memory import Side
from memdir_cli.domain.reading import ExplainAnswer, GetAnswer
from memdir_cli.domain.resolve import judge, resolve
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, NOW, project, runtime, user

SIDES = (Side("s1", "zebra", "", "user"), Side("s2", "quagga", "", "user"))


def got(*opponents: Record, winner: Record | None = None, **keys: Any) -> GetAnswer:
    judged = [judge(one, runtime()) for one in opponents]
    return GetAnswer("lint", NOW, judge(winner, runtime()) if winner else None, tuple(judged), **keys)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ({"value": "npm"}, "npm"),
        ({"value": None, "body": "\nText.\n"}, "Text."),
        ({"value": None, "description": "by hand"}, "by hand"),
    ],
)
def test_a_value_is_answered_with_whose_it_is(keys: dict[str, Any], value: str) -> None:
    answer = got(winner=project(id="a", topic="t", type="decision", **keys), warnings=(Caution("code", "Sentence."),))
    assert (answer.value, answer.exit_status, answer.ignored) == (value, 0, False)
    told: dict[str, Any] = dict(answer.document())
    assert told.pop("source")
    assert told == {
        "key": "lint", "value": value, "id": "a", "revision": 1, "status": "verified", "statusReason": None,
        "scope": "repository:github.com/acme/app", "conditions": ["topic t"], "type": "decision",
        "authority": "user", "sourceLabel": "user (session:s1/message:m1)", "date": "2026-09-01T08:00:00Z",
        "age": "13 days", "reason": None, "warnings": [{"code": "code", "message": "Sentence."}], "message": "",
        "hint": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "status"), [("none", 1), ("not_found", 1), ("not_applicable", 1), ("ignored", 1), ("conflict", 3)]
)
def test_where_there_is_a_reason_there_is_no_value(reason: str, status: int) -> None:
    for answer in (got(reason=reason), got(winner=project(value="npm"), reason=reason)):
        assert (answer.value, answer.exit_status) == (None, status)
        told = answer.document()
        assert (told["value"], told["reason"]) == (None, reason)
        assert told.get("ignored", False) is (reason == "ignored")
        assert not {"conflict", "nearest"} & told.keys()
    assert got(reason=reason, nearest="linter").document()["nearest"] == "linter"


def test_what_is_stale_says_why_and_what_has_no_date_none() -> None:
    bare = {"verified_at": "", "updated_at": "", "created_at": ""}
    told = got(winner=project(status="stale", status_reason="review-due: it was due", **bare)).document()
    assert (told["value"], told["status"], told["statusReason"]) == ("npm", "stale", "review-due: it was due")
    assert (told["date"], told["age"]) == (None, "unknown")


def test_of_a_conflict_nothing_is_told_but_who_stands_in_it() -> None:
    record = project(id="c", value=None, status="conflicted", sides=SIDES)
    one = got(record, reason="conflict").document()
    assert (one["id"], one["revision"], one["status"]) == ("c", 1, "conflicted")
    assert (one["scope"], one["source"], one["age"]) == ("repository:github.com/acme/app", [], None)
    assert one["conflict"] == [
        {"id": "c", "revision": 1, "scope": "repository:github.com/acme/app", "status": "conflicted",
         "sides": ["s1", "s2"]},
    ]  # fmt: skip
    two = got(project(id="a"), project(id="b"), reason="conflict").document()
    assert (two["id"], two["revision"], two["scope"]) == (None, None, "repository:github.com/acme/app")
    apart = got(project(id="a"), user(id="b"), reason="conflict").document()
    assert (apart["scope"], apart["status"]) == (None, "conflicted")
    nothing = got(reason="not_found").document()
    assert (nothing["scope"], nothing["status"]) == (None, None)


def explained(*records: Record, **keys: Any) -> ExplainAnswer:
    return ExplainAnswer("lint", NOW, resolve(records, runtime()), **keys)


def test_every_contender_is_told_with_how_it_fared() -> None:
    stale = project(id="a", value="npm", status="stale", status_reason="evidence: gone")
    answer = explained(stale, user(id="b", value=None, none=True), project(id="c", value="x", repository=ELSEWHERE))
    assert answer.exit_status == 0
    told: dict[str, Any] = dict(answer.document())
    winner, loser, excluded = told["contenders"]
    assert (told["key"], told["verdict"], told["winner"]) == ("lint", "winner", winner)
    assert [one["id"] for one in told["contenders"]] == ["a", "b", "c"]
    assert (winner["status"], winner["statusReason"], winner["value"], winner["none"]) == (
        "stale", "evidence: gone", "npm", False,
    )  # fmt: skip
    assert (loser["statusReason"], loser["value"], loser["none"], loser["by"]) == (None, None, True, ["a"])
    assert (excluded["outcome"], excluded["rule"], excluded["memdir"]) == ("excluded", "subject", "project")
    assert not {"nearest", "ignored", "sides"} & (told.keys() | winner.keys())
    assert {key: value for key, value in winner.items() if key not in {"rule", "reason"}} == {
        "id": "a", "revision": 1, "scope": "repository:github.com/acme/app", "conditions": [], "status": "stale",
        "statusReason": "evidence: gone", "outcome": "winner", "by": [], "value": "npm", "none": False,
        "authority": "user", "sourceLabel": "user (session:s1/message:m1)", "age": "13 days", "memdir": "project",
        "file": stale.path,
    }  # fmt: skip


def test_where_nothing_contends_the_nearest_key_is_named() -> None:
    assert explained().exit_status == 1
    told = explained(nearest="linter").document()
    assert (told["winner"], told["contenders"], told["nearest"]) == (None, [], "linter")
    ignored = explained(ignored=True)
    assert (ignored.exit_status, ignored.document()["ignored"]) == (0, True)


def test_a_conflict_has_no_winner_and_shows_its_sides() -> None:
    answer = explained(project(id="c", value=None, status="conflicted", sides=SIDES), user(id="b"))
    told: dict[str, Any] = dict(answer.document())
    assert (told["verdict"], told["winner"]) == ("conflict", None)
    assert [side["id"] for side in told["contenders"][0]["sides"]] == ["s1", "s2"]
    assert told["contenders"][0]["value"] is None
    assert replace(answer, warnings=(Caution("code", "Sentence."),)).document()["warnings"] == [
        {"code": "code", "message": "Sentence."}
    ]
