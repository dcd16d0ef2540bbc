"""Memories as mappings and labels."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain import view
from memdir_cli.domain.effective import Effective
from memdir_cli.domain.listing import HistoryAnswer
from memdir_cli.domain.memory import Evidence, Side
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.reading import ExplainAnswer, GetAnswer
from memdir_cli.domain.resolve import contest, judge
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source
from tests.records import NOW, project, runtime, task


def test_a_record_has_the_keys_of_its_frontmatter_and_the_status_of_now() -> None:
    record = project(
        value="npm",
        path="src/**",
        environment={"os": "linux"},
        depends_on=(Evidence("package.json#scripts", "v1:0"),),
        supersedes="x@1",
        extra={"tags": ["a"], "id": "not this"},
    )
    document = view.record_document(record, Effective("stale", "review-due: it was to be reviewed"))
    assert document["id"] == "npm"
    assert document["tags"] == ["a"]
    assert (document["status"], document["storedStatus"]) == ("stale", "verified")
    assert document["statusReason"] == "review-due: it was to be reviewed"
    assert (document["path"], document["environment"]) == ("src/**", {"os": "linux"})
    assert document["dependsOn"] == [{"probe": "package.json#scripts", "hash": "v1:0"}]
    assert document["file"] == record.path
    assert "expiresAt" not in document
    json.dumps(document)


def test_a_memory_has_every_key_of_its_frontmatter_in_order_where_it_is_set() -> None:
    record = task(
        "T1", value="npm", id="a", description="d", type="decision", path="src/**", topic="t",
        environment={"os": "linux"}, version="^2", status="stale", status_reason="code: why", revision=3,
        depends_on=(Evidence("p", "v1:0", "npm"),), supersedes="x@1", superseded_by="y@1", rival="z@1",
        created_at="2026-09-01", updated_at="2026-09-02", verified_at="2026-09-03", review_after="2026-12-01",
        expires_at="2026-12-02", source=(Source("user", "m1", "words", NOW, "tty"),),
    )  # fmt: skip
    assert list(view.memory_document(replace(record.memory, name="n")).items()) == [
        ("id", "a"), ("name", "n"), ("description", "d"), ("type", "decision"), ("subject", "user:42"),
        ("predicate", "package_manager"), ("scope", "task:T1"), ("repository", "github.com/acme/app"),
        ("path", "src/**"), ("topic", "t"), ("environment", {"os": "linux"}), ("version", "^2"), ("status", "stale"),
        ("statusReason", "code: why"), ("revision", 3), ("authority", "user"),
        ("source", [{"kind": "user", "ref": "m1", "said": "words", "at": NOW, "attested": "tty"}]),
        ("dependsOn", [{"probe": "p", "hash": "v1:0", "was": "npm"}]), ("supersedes", "x@1"),
        ("supersededBy", "y@1"), ("rival", "z@1"), ("createdAt", "2026-09-01"), ("updatedAt", "2026-09-02"),
        ("verifiedAt", "2026-09-03"), ("reviewAfter", "2026-12-01"), ("expiresAt", "2026-12-02"), ("value", "npm"),
    ]  # fmt: skip


def test_a_task_memory_names_its_repository() -> None:
    document = view.memory_document(task("T1", value="x").memory)
    assert (document["scope"], document["repository"]) == ("task:T1", "github.com/acme/app")


def test_a_withheld_memory_keeps_no_text() -> None:
    side = Side("s", "secret", "secret", "user", (Source("user", said="secret"),))
    record = project(
        value="secret", description="secret", body="secret", name="secret", sides=(side,), extra={"note": "secret"},
        source=(Source("user", "secret", "secret", NOW, "tty"),), depends_on=(Evidence("secret"),),
    )  # fmt: skip
    record_document = view.memory_document(view.withheld(record.memory))
    del record_document["id"]  # a record of tests is named by its value
    assert "secret" not in json.dumps(record_document)
    assert record_document["source"] == [{"kind": "user", "at": NOW, "attested": "tty"}]


def test_of_a_withheld_memory_nothing_that_anybody_wrote_is_left() -> None:
    side = Side("s", "secret", "secret", "user", (Source("user", said="secret"),))
    memory = project(
        id="a", value="secret", description="secret", body="secret", name="secret", sides=(side,),
        extra={"note": "secret"}, source=(Source("user", "secret", "secret", NOW, "tty"),),
        depends_on=(Evidence("secret"),),
    ).memory  # fmt: skip
    left = view.withheld(memory)
    assert "secret" not in repr(left)
    assert (left.id, left.identity, left.verified_at) == (memory.id, memory.identity, memory.verified_at)


def test_a_side_names_its_type_only_where_it_has_one_of_its_own() -> None:
    side = Side("s", "npm", "", "user", (Source("user", at=NOW),))
    assert view.side_document(side) == {
        "id": "s",
        "value": "npm",
        "description": "",
        "authority": "user",
        "source": [{"kind": "user", "at": NOW, "attested": "none"}],
    }
    assert view.side_document(replace(side, type="fact"))["type"] == "fact"


def test_that_nothing_applies_is_told_where_it_is_said() -> None:
    assert view.memory_document(project(value=None, none=True).memory)["none"] is True
    assert "none" not in view.memory_document(project(value="npm").memory)


def test_qualifiers_in_words() -> None:
    scope = Scope("task", "T1", path="src/**", topic="t", environment=(("os", "linux"),), version="^2")
    assert view.conditions(scope) == ("path src/**", "topic t", "os linux", "version ^2")


def test_an_age_that_cannot_be_read_is_unknown() -> None:
    assert view.age(project(verified_at="once upon a time").memory, NOW) == "unknown"
    assert view.age(project(verified_at="", updated_at="2026-09-13").memory, NOW) == "1 day"
    made = project(verified_at="", updated_at="", created_at="2026-09-12").memory
    assert (view.dated(made), view.age(made, NOW)) == ("2026-09-12", "2 days")


def test_a_memory_without_source_is_nobodys() -> None:
    assert view.source_label(project(source=()).memory) == "nobody"


@pytest.mark.parametrize(
    ("sources", "label"),
    [
        ("agent tool", "tool (m2)"),
        ("user-transcript agent", "user (m1)"),
        ("user-transcript user-tty agent", "user (m2)"),
        ("user-transcript user-claimed", "user (m1)"),
        ("user-claimed agent", "user, claimed by agent (m1)"),
        ("user-claimed user-none agent", "user, unproven (m2)"),
    ],
)
def test_behind_a_memory_stands_the_last_users_word_that_is_proven_best(sources: str, label: str) -> None:
    told = [one.partition("-") for one in sources.split()]
    made: Any = [Source(kind, f"m{n}", "", NOW, how or "none") for n, (kind, _, how) in enumerate(told, 1)]  # type: ignore[arg-type]
    assert view.source_label(project(source=tuple(made)).memory) == label


def test_answers_name_the_nearest_key() -> None:
    assert GetAnswer("a", NOW, reason="not_found", nearest="ab").document()["nearest"] == "ab"
    assert ExplainAnswer("a", NOW, contest(()), nearest="ab").document()["nearest"] == "ab"
    assert HistoryAnswer("a", nearest="ab").document()["nearest"] == "ab"


def test_two_rivals_leave_the_id_of_a_conflict_open() -> None:
    resolution = contest(judge(record, runtime()) for record in (project(value="a"), project(value="b")))
    document = GetAnswer("k", NOW, opponents=resolution.opponents, reason="conflict").document()
    assert (document["id"], document["status"], document["scope"]) == (
        None,
        "conflicted",
        "repository:github.com/acme/app",
    )
    told = document["conflict"]
    assert isinstance(told, list)
    assert [one["id"] for one in told] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [("Package_manger", ["package_manager", "formatter"], "package_manager"), ("zebra", ["a"], ""), ("a", [], "")],
)
def test_the_nearest_name(name: str, names: list[str], expected: str) -> None:
    assert nearest(name, names) == expected
