"""What ``sync`` tells: how much went to and fro, and what a person has to settle."""

from __future__ import annotations

import pytest

from memdir_cli.domain.memory import Side
from memdir_cli.domain.syncing import SyncAnswer
from tests.records import project

SIDES = (Side("s1", "vim", "", "user"), Side("s2", None, "by hand", "user"))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (SyncAnswer("user", "origin", "main"), "committed 0 files, received 0 files, nothing to send"),
        (SyncAnswer("user", "origin", "main", 1, 2, True), "committed 1 file, received 2 files, sent"),
    ],
)
def test_what_went_to_and_fro_is_one_line(answer: SyncAnswer, told: str) -> None:
    assert answer.line == f"synced the user memdir with origin/main: {told}"
    assert answer.warnings == ()


def test_a_conflict_is_told_with_what_ends_it() -> None:
    memory = project(id="c1", predicate="editor", value=None, status="conflicted", sides=SIDES).memory
    answer = SyncAnswer("project", "origin", "main", 1, 1, True, (memory,))
    ((code, sentence),) = answer.warnings
    assert code == "conflicted"
    assert sentence.startswith("`editor` says different things on two machines; memdir settle c1 --keep SIDE-ID\n")
    assert answer.document() == {
        "memdir": "project", "remote": "origin", "branch": "main", "committed": 1, "received": 1, "sent": True,
        "conflicts": [{"id": "c1", "key": "editor"}],
        "warnings": [{"code": "conflicted", "message": sentence}],
    }  # fmt: skip
