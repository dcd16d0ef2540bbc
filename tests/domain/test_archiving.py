"""What lies cold and why, what goes to the archive and comes back, and who still refers to it."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.archiving import ArchiveAnswer, archive, cold, referrers, restore, status_before
from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.effective import Verdict, Verdicts
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from memdir_cli.domain.status import Status
from tests.records import project, runtime, user

NOW = "2026-09-14T09:30:00Z"
OLD, LIMIT, LATE = "2026-06-01T00:00:00Z", "2026-08-15T09:30:00Z", "2026-09-01T00:00:00Z"
ONE, OTHER = Evidence("exists:a", "v1:0"), Evidence("exists:b", "v1:0")


def quiet(at: str = OLD, **keys: Any) -> Record:
    """A memory of which nothing was heard since ``at``."""
    times: dict[str, Any] = {
        "created_at": at,
        "updated_at": at,
        "verified_at": at,
        "source": (Source("user", at=at),),
    }
    return project(**{**times, **keys})


def chills(
    *records: Record, shown: str = "", verdicts: Verdicts | None = None, gone: tuple[str, ...] = ()
) -> list[str]:
    judged = [judge(record, runtime(now=NOW)) for record in records]
    told = {record.memory.id: shown for record in records if shown}
    return [one.cold for one in cold(judged, "30d", NOW, told, verdicts or {}, frozenset(gone))]


@pytest.mark.parametrize(
    ("record", "is_cold"),
    [
        (quiet(), True),
        (quiet(status="stale"), True),
        (quiet(status="conflicted"), False),
        (quiet(status="candidate"), False),
        (quiet(authority="policy"), False),
        (quiet("2026-08-15T09:29:59Z"), True),
        (quiet(LIMIT), False),
        (quiet(created_at=LATE), False),
        (quiet(updated_at=LATE), False),
        (quiet(verified_at=LATE), False),
        (quiet(source=(Source("agent", at=LATE), Source("user", at=OLD))), False),
        (quiet(verified_at="", updated_at=""), True),
        (quiet("2026-08-15T10:29:59+01:00"), True),
        (quiet("2026-08-15T10:30:01+01:00"), False),
        # seven in the morning and ten, UTC
        (quiet(created_at="2026-08-15T12:00:00+05:00", updated_at="2026-08-15T10:00:00Z"), False),
    ],
)
def test_a_memory_is_cold_if_nobody_said_anything_of_it_for_so_long(record: Record, *, is_cold: bool) -> None:
    assert chills(record) == (["unused"] if is_cold else [])


def test_what_was_shown_later_counts_however_the_times_are_written() -> None:
    assert chills(quiet("2026-08-15T12:00:00+05:00"), shown="2026-08-15T10:00:00Z") == []


@pytest.mark.parametrize(("shown", "told"), [("", ["unused"]), (OLD, ["unused"]), (LIMIT, []), (LATE, [])])
def test_what_somebody_was_shown_is_in_use(shown: str, told: list[str]) -> None:
    assert chills(quiet(), shown=shown) == told


GONE, ABSENT, SAME = Verdict("removed", ""), Verdict("unknown", "", absent=True), Verdict("same", "")


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        ({ONE: GONE, OTHER: ABSENT}, ["source-gone"]),
        ({ONE: GONE}, ["source-gone"]),
        ({ONE: GONE, OTHER: SAME}, []),
        ({ONE: SAME}, []),
        ({}, []),
    ],
)
def test_what_is_still_shown_is_cold_where_all_that_it_depends_on_is_gone(verdicts: Verdicts, told: list[str]) -> None:
    assert chills(quiet(depends_on=(ONE, OTHER)), shown=LATE, verdicts=verdicts) == told
    for lately in (LIMIT, LATE):
        assert chills(quiet(lately, depends_on=(ONE, OTHER)), verdicts=verdicts) == [], "but not what was said lately"


def test_a_place_that_is_gone_is_told_before_all_else() -> None:
    record = quiet(path="packages/old/**", depends_on=(ONE,))
    (chill,) = cold(
        [judge(record, runtime())], "30d", NOW, {record.memory.id: LATE}, {ONE: GONE}, frozenset([record.path])
    )
    assert (chill.cold, chill.since) == ("scope-gone", LATE)
    assert chill.sentence == "`packages/old/**` is not there any more"


def test_what_is_in_use_hides_nothing_behind_it() -> None:
    records = [quiet(LATE, id="a"), quiet(id="b"), quiet(authority="policy", id="c"), quiet(id="d")]
    assert chills(*records) == ["unused", "unused"]


def test_what_is_cold_is_told_without_its_content_in_one_order() -> None:
    records = [quiet(id="b", predicate="b"), user(id="u", created_at="", updated_at="", verified_at="", source=()),
               quiet(id="a", predicate="a")]  # fmt: skip
    found = cold([judge(record, runtime()) for record in records], "30d", NOW, {}, {}, frozenset())
    assert [one.record.memory.id for one in found] == ["a", "b", "u"]
    told: dict[str, Any] = dict(ArchiveAnswer(found, warnings=(Caution("code", "Sentence."),)).document())
    assert (told["decision"], told["dryRun"]) == ("listed", True)
    assert told["warnings"] == [{"code": "code", "message": "Sentence."}]
    assert told["cold"][0] == {
        "id": "a", "revision": 1, "key": "a", "scope": "repository:github.com/acme/app", "memdir": "project",
        "reason": "unused", "since": OLD, "message": "no read of it is logged since 2026-06-01",
    }  # fmt: skip
    assert (told["cold"][2]["since"], told["cold"][2]["message"]) == (None, "no read of it is logged since it was made")
    done = ArchiveAnswer(found, archived=True).document()
    assert (done["decision"], done["dryRun"]) == ("archived", False)


def test_a_memory_goes_to_the_archive_and_comes_back_as_it_was() -> None:
    record = project(status="stale", status_reason="evidence-changed: x")
    put = archive(record, "nobody asked", actor="agent", message="m1", vouched=False)
    assert (put.memory.status, put.memory.status_reason) == ("archived", "archived: nobody asked")
    back = restore(record, "verified", actor="user", message="m2", vouched=True)
    assert (back.memory.status, back.memory.status_reason) == ("verified", "")
    doubted = restore(record, "stale", actor="user", message="m2", vouched=True)
    assert doubted.memory.status_reason == "restored: it was not verified when it was archived"
    for plan, kind, actor in ((put, "archived", "agent"), (back, "restored", "user")):
        (write,), (event,) = plan.changes.writes, plan.changes.events
        assert (write.memory, write.base, plan.changes.removes) == (plan.memory, record, (record,))
        assert (event.kind, event.memory, event.previous, event.actor) == (kind, plan.memory, "", actor)
        assert event.vouched is (kind == "restored")


def claim(at: str, status: Status) -> Claim:
    return Claim(at, status, "user", "", frozenset())


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ([], "stale"),
        ([claim("1", "verified"), claim("2", "archived")], "verified"),
        ([claim("1", "verified"), claim("2", "stale"), claim("3", "archived")], "stale"),
        ([claim("2", "verified"), claim("1", "stale"), claim("3", "archived")], "verified"),
        ([claim("1", "candidate"), claim("2", "archived")], "stale"),
        ([claim("1", "stale"), claim("1", "verified")], "verified"),
    ],
)
def test_what_a_memory_was_is_what_its_receipts_said_last(claims: list[Claim], status: Status) -> None:
    assert status_before(claims) == status


def test_who_stands_and_refers_to_what_is_put_away_is_named() -> None:
    origin = (Source("file", "docs/rules.md"),)
    away = project(id="away", value="npm", predicate="package_manager", source=origin)
    others = [
        project(id="y", value="x", predicate="next", supersedes="away@1"),
        project(id="z", value="x", predicate="other", rival="away@1"),
        project(id="old", value="x", predicate="old", supersedes="away@1", status="superseded", folder="history"),
        project(id="w", value="x", predicate="apart", source=origin),
    ]
    told = referrers(away, others)
    assert [(one.code, one.message) for one in told] == [
        ("referred", "`next` (y) still refers to it (supersedes)."),
        ("referred", "`other` (z) still refers to it (rival)."),
    ]
