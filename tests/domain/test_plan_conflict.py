"""What stands in which folder while values stand against each other, and after a user's word ends it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain import conflict, plan
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.snapshot import Record
from tests.domain.plans import LATER, NOW, after, candidate, carried_out, lying, said, source, standing

# conflicted


def test_equal_weight_keeps_both_sides_in_the_file_of_the_identity() -> None:
    found = carried_out(standing(revision=2), said("pnpm"))
    assert found.plan.decision == "conflicted"
    assert list(found.files) == ["memories/package_manager.md"]
    memory = found.current
    assert (memory.id, memory.revision, memory.value, memory.status) == ("record", 3, None, "conflicted")
    assert [(side.id, side.value) for side in memory.sides] == [("side-a", "npm"), ("side-b", "pnpm")]
    (event,) = found.plan.changes.events
    assert (event.kind, event.previous, event.message) == ("conflicted", "record@2", "message-3")


def in_conflict() -> Record:
    return lying(carried_out(standing(body="Reasons.\n"), said("pnpm")).current)


def test_a_third_value_adds_a_side() -> None:
    found = carried_out(in_conflict(), replace(said("yarn", now=LATER), ids=("side-c", "side-d")))
    assert [(side.id, side.value) for side in found.current.sides] == [
        ("side-a", "npm"), ("side-b", "pnpm"), ("side-c", "yarn"),
    ]  # fmt: skip
    assert len(found.files) == 1


def test_the_value_of_a_side_said_again_changes_nothing_but_its_sources() -> None:
    found = carried_out(in_conflict(), said("pnpm", number=9))
    assert found.current.revision == in_conflict().memory.revision
    assert [s.ref[-2:] for s in found.current.sides[1].source] == ["m3", "m9"]
    assert found.current.status == "conflicted"


@pytest.mark.parametrize("value", ["npm", "pnpm", "yarn"])
def test_a_correction_ends_a_conflict_and_every_side_goes_to_history(value: str) -> None:
    conflicted = in_conflict()
    found = carried_out(conflicted, said(value, now=LATER), explicit=True)
    assert found.plan.decision == "superseded"
    new = found.current
    assert (new.value, new.status, new.sides, new.id) == (value, "verified", (), "record")
    assert new.body == "", "what was said for each side goes with it"
    assert (new.revision, new.supersedes) == (conflicted.memory.revision + 1, conflicted.memory.ref)
    assert {(old.id, old.value) for old in found.in_folder("history")} == {("side-a", "npm"), ("side-b", "pnpm")}
    assert all(old.superseded_by == new.ref for old in found.in_folder("history"))


# settle


@pytest.mark.parametrize(("keep", "value", "lost"), [("side-a", "npm", "pnpm"), ("side-b", "pnpm", "npm")])
def test_settling_serves_one_side_and_moves_the_other_to_history(keep: str, value: str, lost: str) -> None:
    conflicted = in_conflict()
    carried = plan.settle(conflicted, keep, source(9, at=LATER), LATER, "m")
    found = after(carried, conflicted)
    new, (old,) = found.current, found.in_folder("history")
    assert (new.value, new.status, new.status_reason, new.sides) == (value, "verified", "", ())
    assert (new.id, new.revision, new.supersedes) == ("record", 3, "record@2")
    assert (new.updated_at, new.verified_at) == (LATER, LATER)
    assert new.source[-1].ref.endswith("m9")
    assert (old.value, old.status, old.superseded_by) == (lost, "superseded", "record@3")
    assert new.body == ("Reasons.\n" if keep == "side-a" else "")
    (event,) = carried.changes.events
    assert (event.kind, event.previous, event.actor, event.message) == ("settled", "record@2", "user", "m")


def test_settling_keeps_that_nothing_applies() -> None:
    record = lying(carried_out(standing(), said(None, none=True, body="Vendored.\n")).current)
    new = after(plan.settle(record, "side-b", source(9), LATER, ""), record).current
    assert (new.none, new.value, new.body) == (True, None, "Vendored.\n")


# confirm


def test_confirming_a_candidate_moves_it_among_the_memories() -> None:
    waiting = candidate(rival="gone@1", extra={"ticket": "A-1"})
    found = after(plan.confirm(waiting, None, (), source(9), NOW, "m"), waiting)
    assert list(found.files) == ["memories/package_manager.md"]
    memory = found.current
    assert (memory.id, memory.status, memory.status_reason, memory.rival) == ("waiting", "verified", "", "")
    assert (memory.authority, memory.verified_at, memory.revision) == ("user", NOW, 1)
    assert [s.kind for s in memory.source] == ["agent", "user"]
    assert memory.updated_at == waiting.memory.updated_at, "a confirmation changes no content"
    (event,) = found.plan.changes.events
    assert (event.kind, event.previous, event.actor, event.message) == ("confirmed", "", "user", "m")


def test_confirming_a_candidate_that_says_what_stands_leaves_one_memory() -> None:
    record, waiting = standing(), candidate("npm")
    found = after(plan.confirm(waiting, record, (), source(9), NOW, "m"), record, waiting)
    assert list(found.files) == ["memories/package_manager.md"]
    assert (found.current.id, len(found.current.source)) == ("record", 3)


@pytest.mark.parametrize(
    ("due", "kept"), [("2026-09-19", ""), ("2026-09-20", "2026-09-20"), ("2027-01-01", "2027-01-01")]
)
def test_confirming_a_stale_memory_makes_it_verified_until_its_next_review(due: str, kept: str) -> None:
    record = standing(status="stale", status_reason="review-due: x", review_after=due, revision=2)
    found = after(plan.confirm(record, None, (), source(9), NOW, "m"), record)
    memory = found.current
    assert (memory.status, memory.status_reason, memory.revision) == ("verified", "", 2)
    assert (memory.review_after, memory.verified_at) == (kept, NOW)
    assert [s.ref[-2:] for s in memory.source] == ["m1", "m9"], "the whole history of sources stays"


def test_confirming_with_other_evidence_makes_a_revision() -> None:
    record = standing(depends_on=(Evidence("package.json#scripts.build", "v1:a"),))
    fresh = (Evidence("package.json#scripts.build", "v1:b"),)
    same = after(plan.confirm(record, None, fresh, source(9), NOW, "m"), record).current
    assert (same.revision, same.depends_on, same.verified_at) == (1, fresh, NOW)
    fewer = after(plan.confirm(record, None, (), source(9), NOW, "m"), record)
    assert (fewer.current.revision, fewer.current.supersedes, fewer.current.updated_at) == (2, "record@1", NOW)
    assert same.updated_at == record.memory.updated_at
    (event,) = fewer.plan.changes.events
    assert (event.kind, event.previous, event.actor) == ("confirmed", "record@1", "user")
    assert [old.depends_on for old in fewer.in_folder("history")] == [record.memory.depends_on]


def test_a_candidate_is_taken_in_with_whatever_evidence_there_is_now_and_makes_no_revision() -> None:
    waiting = candidate(depends_on=(Evidence("package.json#scripts.build", "v1:a"),))
    found = after(plan.confirm(waiting, None, (), source(9), NOW, "m"), waiting)
    assert list(found.files) == ["memories/package_manager.md"]
    assert (found.current.revision, found.current.supersedes, found.current.depends_on) == (1, "", ())


def test_a_confirmed_candidate_takes_the_place_of_what_the_clock_has_ended() -> None:
    ended, waiting = standing(expires_at="2026-09-02"), candidate("pnpm", extra={"ticket": "A-1"}, rival="record@1")
    seen = (Evidence("package.json#scripts.build", "v1:a"),)
    found = after(plan.replace_ended(ended, waiting, seen, source(9), NOW, "m"), ended, waiting)
    assert sorted(found.files) == ["history/package_manager~record@1.md", "memories/package_manager.md"]
    memory = found.current
    assert (memory.id, memory.revision, memory.value, memory.expires_at) == ("record", 2, "pnpm", "")
    assert (memory.status, memory.status_reason, memory.authority, memory.rival) == ("verified", "", "user", "")
    assert [s.kind for s in memory.source] == ["agent", "user"]
    assert (memory.depends_on, memory.updated_at, memory.verified_at) == (seen, NOW, NOW)
    (event,) = found.plan.changes.events
    assert (event.kind, event.previous, event.actor, event.message) == ("confirmed", "record@1", "user", "m")


def test_a_conflict_never_loses_a_value_whatever_is_said() -> None:
    record = in_conflict()
    for number, value in enumerate(("yarn", "npm", "bun", "pnpm", "yarn")):
        record = lying(carried_out(record, said(value, number=number + 10)).current)
    assert [side.value for side in record.memory.sides] == ["npm", "pnpm", "yarn", "bun"]
    assert conflict.text_of(record.memory, record.memory.sides[0]) == "Reasons.\n"
    assert record.memory.ref == "record@4"
