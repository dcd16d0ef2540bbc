"""What a caller gets of every decision: the exit status that the contract names, and the status that is left."""

from __future__ import annotations

import pytest

from memdir_cli.domain.answer import Decision, WriteAnswer
from tests.records import project

DONE: tuple[Decision, ...] = (
    "created", "confirmed", "superseded", "settled", "expired", "narrowed", "rejected", "archived", "restored",
    "quarantined", "released",
)  # fmt: skip
PERSON: tuple[Decision, ...] = ("conflicted", "needs_decision", "needs_scope")


@pytest.mark.parametrize(
    ("decisions", "status"), [(DONE, 0), (PERSON, 3), (("refused",), 4), (("revision_conflict",), 5)]
)
def test_every_decision_has_the_exit_status_of_the_contract(decisions: tuple[Decision, ...], status: int) -> None:
    assert {one: WriteAnswer(one, "key").exit_status for one in decisions} == dict.fromkeys(decisions, status)


def test_the_status_is_that_of_the_memory_that_is_left() -> None:
    waiting = project(status="candidate").memory
    assert WriteAnswer("created", "key", waiting).status == "candidate"
    assert WriteAnswer("rejected", "key", waiting).status is None, "what was rejected is gone"
    assert WriteAnswer("refused", "key").status is None
