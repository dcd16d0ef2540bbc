"""What stands in which folder after a statement."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from memdir_cli.domain import plan
from memdir_cli.domain.decision import Verdict
from memdir_cli.storage.layout import path_of
from tests.domain.plans import BEFORE, LATER, NOW, after, candidate, carried_out, lying, said, source, standing

# created


def test_a_new_memory_stands_among_the_memories() -> None:
    found = carried_out(None, said())
    assert found.plan.decision == "created"
    assert list(found.files) == ["memories/package_manager.md"]
    assert found.current == said().memory


def test_a_lowered_statement_waits_in_the_inbox() -> None:
    found = carried_out(None, said(believed=False))
    assert found.plan.decision == "created"
    assert list(found.files) == ["inbox/package_manager~newcomer.md"]
    assert found.plan.memory.status == "candidate"
    assert found.plan.memory.verified_at == ""


def test_a_candidate_said_again_is_not_doubled() -> None:
    found = carried_out(None, said(believed=False, now=LATER), candidate())
    (only,) = found.files.values()
    assert (only.id, only.status) == ("waiting", "candidate")
    assert [s.ref for s in only.source] == ["session:s1/message:m2", "session:s1/message:m3"]
    assert found.plan.decision == "confirmed"


def test_the_same_agent_in_the_same_message_adds_no_source() -> None:
    found = carried_out(None, said(believed=False, number=2), candidate())
    (only,) = found.files.values()
    assert len(only.source) == 1


def test_another_value_of_an_agent_waits_beside_the_first() -> None:
    found = carried_out(None, said("yarn", believed=False), candidate())
    assert sorted(found.files) == ["inbox/package_manager~newcomer.md", "inbox/package_manager~waiting.md"]


def test_a_users_word_takes_a_candidate_in_under_its_id_with_all_that_it_held() -> None:
    extra = {"ticket": "A-1"}
    found = carried_out(None, said(), candidate(extra=extra, body="Because of hoisting.\n", created_at=BEFORE))
    assert list(found.files) == ["memories/package_manager.md"]
    assert found.plan.decision == "created"
    memory = found.current
    assert (memory.id, memory.status, memory.status_reason, memory.authority) == ("waiting", "verified", "", "user")
    assert (memory.extra, memory.body, memory.created_at) == (extra, "Because of hoisting.\n", BEFORE)
    assert [s.kind for s in memory.source] == ["agent", "user"]
    assert memory.verified_at == NOW


def test_a_users_own_text_stands_before_that_of_the_candidate() -> None:
    assert carried_out(None, said(body="Mine.\n"), candidate(body="Theirs.\n")).current.body == "Mine.\n"


def test_the_receipt_names_who_says_it_now_and_the_message() -> None:
    brought = said(source=(source(5, "file", "none"),))
    by_user = plan.Judged(brought.memory, True, brought.ids, NOW, "message-9", source(9))
    for statement, actor, message in ((brought, "file", "message-3"), (by_user, "user", "message-9")):
        (event,) = carried_out(None, statement).plan.changes.events
        assert (event.kind, event.previous, event.actor, event.message) == ("created", "", actor, message)


def test_a_candidate_that_was_a_memory_once_keeps_counting_its_revisions() -> None:
    found = carried_out(None, said(), candidate(revision=3))
    assert found.current.revision == 3


def test_a_users_other_value_leaves_candidates_for_a_person() -> None:
    found = carried_out(None, said("npm"), candidate("pnpm"))
    assert sorted(found.files) == ["inbox/package_manager~waiting.md", "memories/package_manager.md"]
    assert found.current.value == "npm"


# confirmed


def test_the_same_value_adds_its_source_and_a_user_moves_the_date() -> None:
    found = carried_out(standing(), said("npm"))
    assert found.plan.decision == "confirmed"
    assert len(found.files) == 1
    memory = found.current
    assert (memory.id, memory.revision, memory.updated_at) == ("record", 1, BEFORE)
    assert [s.ref[-2:] for s in memory.source] == ["m1", "m3"]
    assert memory.verified_at == NOW
    assert memory.description == "npm ci here", "a confirmation changes no text"


def test_an_agent_that_says_the_same_does_not_move_the_date() -> None:
    found = carried_out(standing(), said("npm", believed=False))
    assert [s.kind for s in found.current.source] == ["user", "agent"]
    assert (found.current.verified_at, found.current.authority) == (BEFORE, "user")
    assert found.current.status == "verified"


@pytest.mark.parametrize("believed", [True, False])
def test_a_stale_memory_stays_stale_when_its_value_is_said_again(*, believed: bool) -> None:
    record = standing(status="stale", status_reason="evidence-changed: `build` changed")
    found = carried_out(record, said("npm", believed=believed))
    assert (found.current.status, found.current.status_reason) == ("stale", "evidence-changed: `build` changed")


def test_a_users_word_raises_what_was_only_observed() -> None:
    assert carried_out(standing(authority="observed"), said("npm")).current.authority == "user"
    assert carried_out(standing(authority="policy"), said("npm")).current.authority == "policy"
    observed = standing(authority="observed")
    assert carried_out(observed, said("npm", believed=False)).current.authority == "observed"


def test_candidates_that_said_the_same_are_absorbed_with_their_sources() -> None:
    found = carried_out(standing(), said("npm"), candidate("npm"), candidate("pnpm", id="other"))
    assert sorted(found.files) == ["inbox/package_manager~other.md", "memories/package_manager.md"]
    assert {s.ref[-2:] for s in found.current.source} == {"m1", "m2", "m3"}


def test_an_agent_absorbs_nothing() -> None:
    found = carried_out(standing(), said("npm", believed=False), candidate("npm"))
    assert len(found.files) == 2


def test_the_first_source_and_the_latest_nineteen_stay() -> None:
    record = standing(source=tuple(source(n, at=BEFORE) for n in range(20)))
    kept = carried_out(record, said("npm", number=99)).current.source
    assert [s.ref.rpartition("m")[2] for s in kept] == ["0", *(str(n) for n in range(2, 20)), "99"]


# superseded


def test_a_correction_makes_a_new_revision_and_moves_the_old_one_to_history() -> None:
    record = standing(revision=4, name="How we install", extra={"owner": "team"})
    found = carried_out(record, said("pnpm"), explicit=True)
    assert found.plan.decision == "superseded"
    assert sorted(found.files) == ["history/package_manager~record@4.md", "memories/package_manager.md"]
    new, (old,) = found.current, found.in_folder("history")
    assert (new.id, new.revision, new.value, new.supersedes) == ("record", 5, "pnpm", "record@4")
    assert (new.created_at, new.updated_at, new.verified_at) == (BEFORE, NOW, NOW)
    assert (new.name, new.extra) == ("How we install", {"owner": "team"})
    assert [s.ref[-2:] for s in new.source] == ["m3"], "what was said of the old value stays with it"
    assert (old.id, old.revision, old.value, old.status) == ("record", 4, "npm", "superseded")
    assert old.superseded_by == new.ref == "record@5"
    assert old.status_reason.startswith("superseded: ")
    assert old.source == standing().memory.source
    assert found.plan.changes.events[0].previous == "record@4"


def test_corrections_make_a_chain_without_a_gap() -> None:
    record, history = standing(), []
    for number, value in enumerate(("pnpm", "yarn", "bun", "npm")):
        found = carried_out(record, said(value, number=number), explicit=True)
        history += found.in_folder("history")
        record = lying(found.current)
    chain = [*history, record.memory]
    assert [memory.revision for memory in chain] == [1, 2, 3, 4, 5]
    for earlier, later in pairwise(chain):
        assert earlier.superseded_by == later.ref
        assert later.supersedes == earlier.ref
    assert len({path_of(memory, "project") for memory in chain}) == 5


def test_a_correction_of_a_stale_memory_is_verified() -> None:
    record = standing(status="stale", status_reason="review-due: it was to be reviewed")
    new = carried_out(record, said("pnpm"), explicit=True).current
    assert (new.status, new.status_reason) == ("verified", "")


def test_a_text_stays_unless_the_correction_brings_one_or_says_that_nothing_applies() -> None:
    record = standing(body="Long reasons.\n")
    assert carried_out(record, said("pnpm"), explicit=True).current.body == "Long reasons.\n"
    assert carried_out(record, said("pnpm", body="New.\n"), explicit=True).current.body == "New.\n"
    nothing = carried_out(record, said(None, none=True), explicit=True).current
    assert (nothing.none, nothing.value, nothing.body) == (True, None, "")


@pytest.mark.parametrize(
    ("ends", "kept"),
    [
        ("2026-09-20", True),  # a date holds to the end of its day
        ("2026-09-19", False),
        ("2026-09-20T10:00:01Z", True),
        ("2026-09-20T10:00:00Z", False),
        ("2026-09-20T12:00:00+05:00", False),  # seven in the morning, UTC
        ("2026-09-20T09:00:00-05:00", True),
        ("", False),
    ],
)
@pytest.mark.parametrize("key", ["expires_at", "review_after"])
def test_an_end_that_lies_ahead_outlives_a_correction(key: str, ends: str, *, kept: bool) -> None:
    record = standing(**{key: ends})
    new = carried_out(record, said("pnpm"), explicit=True).current
    assert getattr(new, key) == (ends if kept else "")
    later: dict[str, Any] = {key: "2027-01-01"}
    given = carried_out(record, said("pnpm", **later), explicit=True).current
    assert getattr(given, key) == "2027-01-01"


def test_a_correction_absorbs_the_candidate_that_asked_for_it() -> None:
    found = carried_out(standing(), said("pnpm"), candidate("pnpm"), explicit=True)
    assert found.in_folder("inbox") == []
    told = [(event.kind, event.memory.id) for event in found.plan.changes.events]
    assert told == [("absorbed", "waiting"), ("superseded", "record")]
    assert [s.kind for s in found.current.source] == ["agent", "user"]
    assert found.current.id == "record", "an id is stable for the life of an identity"


def test_an_expired_record_is_replaced_and_kept_in_history() -> None:
    record = standing(expires_at="2026-09-02")
    carried = plan.carry_out(Verdict("superseded"), record, said("npm"), ())
    found = after(carried, record)
    assert (found.current.revision, found.current.expires_at) == (2, "")
    assert len(found.in_folder("history")) == 1


# needs_decision


def test_a_weaker_newcomer_waits_and_names_its_rival() -> None:
    found = carried_out(standing(revision=2), said("pnpm", believed=False))
    assert found.plan.decision == "needs_decision"
    assert found.current == standing(revision=2).memory, "the record stays as it is"
    (waiting,) = found.in_folder("inbox")
    assert (waiting.status, waiting.rival, waiting.verified_at) == ("candidate", "record@2", "")
    assert waiting.status_reason.startswith("rival: ")


def test_a_users_word_against_a_policy_waits_as_a_candidate_too() -> None:
    (waiting,) = carried_out(standing(authority="policy"), said("pnpm")).in_folder("inbox")
    assert (waiting.status, waiting.verified_at, waiting.rival) == ("candidate", "", "record@1")


def test_a_newcomer_that_waits_already_is_not_doubled() -> None:
    found = carried_out(standing(), said("pnpm", believed=False), candidate("pnpm"))
    (waiting,) = found.in_folder("inbox")
    assert found.plan.decision == "needs_decision"
    assert (waiting.id, len(waiting.source)) == ("waiting", 2)
