"""What an import answers: what was taken in, and what not and why."""

from __future__ import annotations

import pytest

from memdir_cli.domain.event import Decided
from memdir_cli.domain.foreign import Unread
from memdir_cli.domain.importing import ImportAnswer, Imported, Refused
from tests.records import project

ENTRY = project(id="a", value="npm", description="npm here", path="src/**", status="candidate").memory


def imported(decision: Decided) -> Imported:
    return Imported(decision, ENTRY, "project", "inbox/a.md", "CLAUDE.md", 3, ("unproven",))


def test_an_entry_is_told_with_where_it_came_from_and_where_it_lies() -> None:
    assert imported("created").document(dry_run=False) == {
        "id": "a",
        "key": "package_manager",
        "value": "npm",
        "description": "npm here",
        "type": ENTRY.type,
        "scope": "repository:github.com/acme/app",
        "path": "src/**",
        "status": "candidate",
        "decision": "created",
        "memdir": "project",
        "file": "inbox/a.md",
        "from": "CLAUDE.md",
        "line": 3,
        "warnings": ["unproven"],
    }


@pytest.mark.parametrize(("decision", "known"), [("created", None), ("needs_decision", None), ("confirmed", "a")])
def test_what_is_only_shown_has_no_file_and_no_id_that_it_did_not_have_before(
    decision: Decided, known: str | None
) -> None:
    shown = imported(decision).document(dry_run=True)
    assert (shown["id"], shown["file"]) == (known, None)
    answer = ImportAnswer("claude", (imported(decision),), dry_run=True).document()
    assert answer["imported"] == [shown]


def test_what_was_not_taken_in_is_told_with_its_place_and_never_with_its_text() -> None:
    unread = Unread("/home/u/app/CLAUDE.md", "not-utf8", "It is no UTF-8.", 2, 7)
    place = {"path": unread.path, "line": 2, "column": 7, "reason": "not-utf8", "message": "It is no UTF-8."}
    refused = Refused("CLAUDE.md", 4, "secret", "It holds a secret.")
    assert ImportAnswer("claude", known=5, refused=(refused,), unread=(unread,), left=(unread,)).document() == {
        "format": "claude",
        "imported": [],
        "known": 5,
        "refused": [{"from": "CLAUDE.md", "line": 4, "reason": "secret", "message": "It holds a secret."}],
        "unreadable": [place],
        "left": [place],
        "dryRun": False,
    }
