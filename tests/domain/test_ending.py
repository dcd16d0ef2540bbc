"""Ending: a record goes to history by a user's word, a candidate goes away."""

from __future__ import annotations

from dataclasses import replace

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.ending import end, reject
from memdir_cli.domain.event import Event
from memdir_cli.domain.plan import Plan
from memdir_cli.domain.source import Source
from tests.records import project

RECORD = project(revision=2)
WORD = Source("user", "thread:1/message:2", "no longer", "2026-09-14T09:30:00Z", "hook")
HEARD = (*RECORD.memory.source, WORD)


def test_what_a_user_ends_goes_to_history_as_expired_with_the_word() -> None:
    ended = replace(RECORD.memory, source=HEARD, status="expired", status_reason="expired: a user ended it")
    event = Event("expired", ended, actor="user", message="s1/m2")
    changes = ChangeSet((Write(ended, RECORD),), (RECORD,), (event,))
    assert end(RECORD, None, WORD, "s1/m2") == Plan("expired", ended, changes)


def test_what_gives_way_to_another_links_to_it() -> None:
    successor = project(value="pnpm", predicate="installer", id="other", revision=3).memory
    ended = end(RECORD, successor, WORD, "s1/m2").memory
    assert (ended.status, ended.superseded_by, ended.source) == ("superseded", "other@3", HEARD)
    assert ended.status_reason == "superseded: by other@3 (`installer`)"


def test_of_a_rejected_candidate_a_receipt_is_all_that_stays() -> None:
    candidate = project(status="candidate", folder="inbox")
    event = Event("rejected", candidate.memory, actor="agent", message="s1/m2")
    changes = ChangeSet(removes=(candidate,), events=(event,))
    assert reject(candidate, "agent", "s1/m2") == Plan("rejected", candidate.memory, changes)
