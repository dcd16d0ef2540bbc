"""import as it is typed: a line for every candidate, and what was kept out and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memdir_cli.domain.foreign import FORMS
from tests.cli.pseudoterminal import typed
from tests.sandbox import Sandbox

TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    """A repository with a memdir, and notes beside it."""
    place = sandbox.repository("app", init=True)
    notes = place / "notes"
    notes.mkdir()
    (notes / "db.md").write_text("---\ndescription: Needs Postgres\n---\nRun it first.\n", encoding="utf-8")
    (notes / "key.md").write_text(f"The token is {TOKEN}.\n", encoding="utf-8")
    (notes / "torn.md").write_text("---\nname: a: b\n---\nx\n", encoding="utf-8")
    return place


def test_each_candidate_is_a_line_and_the_rest_are_remarks(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("import", "markdown", "notes", cwd=top)
    assert done.exit == 0
    assert re.fullmatch(
        r"created db = \(text\) \[repository:github\.com/acme/app\] [0-9a-z]{13} candidate \(from notes/db\.md:4\)\n",
        done.stdout,
    )
    refused, unread = sorted(line for line in done.stderr.splitlines() if line.startswith("notes/"))
    assert re.fullmatch(
        r"notes/key\.md:1: refused: .* holds what looks like a secret \(.*\); nothing of it was kept\.", refused
    )
    assert unread.startswith("notes/torn.md:2:")
    assert "error: " in unread
    assert "1 candidate imported, 1 refused, 1 not readable" in done.stderr
    assert done.stderr.endswith("hint: memdir list --status candidate\n")
    assert TOKEN[8:] not in done.stderr
    again = sandbox.run("import", "markdown", "notes", "--quiet", cwd=top)
    assert (again.stdout, len(again.stderr.splitlines())) == ("", 2), "what is kept out is told all the same"


def test_a_candidate_is_served_to_nobody_until_it_is_confirmed(sandbox: Sandbox, top: Path) -> None:
    sandbox.run("import", "markdown", "notes", cwd=top)
    assert sandbox.run("get", "db", cwd=top).exit == 1
    assert typed(sandbox, "confirm", "db", cwd=top).exit == 0
    assert sandbox.run("get", "db", cwd=top).stdout == "Run it first.\n"
    assert "0 candidates imported, 1 known already" in sandbox.run("import", "markdown", "notes", cwd=top).stderr


def test_a_dry_run_names_no_ids(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("import", "markdown", "notes", "--dry-run", cwd=top)
    assert done.stdout == "created db = (text) [repository:github.com/acme/app] candidate (from notes/db.md:4)\n"
    assert "would be imported" in done.stderr
    assert not (top / ".memdir/inbox").exists()


@pytest.mark.parametrize(("answer", "imported"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_person_is_asked_first(sandbox: Sandbox, top: Path, answer: str, imported: bool) -> None:
    session = typed(sandbox, "import", "markdown", "notes", answers=answer, cwd=top)
    assert session.exit == 0
    assert "Import 1 candidate? (y/N)" in session.shown
    assert (top / ".memdir/inbox").exists() == imported
    assert "notes/db.md:4" in session.shown.partition("Import 1")[0], "what is asked about is shown"


def test_a_person_who_says_yes_before_is_not_asked(sandbox: Sandbox, top: Path) -> None:
    session = typed(sandbox, "import", "markdown", "notes", "--yes", cwd=top)
    assert "(y/N)" not in session.shown
    assert (top / ".memdir/inbox").exists()


def test_a_format_that_is_none_names_the_nearest(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("import", "claud", ".", cwd=top)
    assert (done.exit, done.stdout) == (2, "")
    assert "hint: give `claude`" in done.stderr
    whole = sandbox.run("import", "zzz", ".", cwd=top).stderr
    assert all(form in whole for form in FORMS)


def test_nothing_there_is_wrong_usage(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("import", "serena", "nowhere", "--json", cwd=top)
    assert (done.exit, done.json["error"]["code"]) == (2, "no-such-path")
    assert sandbox.run("import", "mcp", "notes", "--json", cwd=top).json["error"]["code"] == "nothing-to-import"


def test_check_finds_nothing_in_what_was_imported(sandbox: Sandbox, top: Path) -> None:
    sandbox.run("import", "markdown", "notes", cwd=top)
    assert sandbox.run("check", "--strict", cwd=top).stdout == ""
