"""export as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox import Sandbox

SAID = ("--from", "user", "--said", "as the user said", "--session", "s1", "--message", "m1")


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    """A repository with one rule, and one of the user's own."""
    place = sandbox.repository("app", init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    sandbox.run("remember", "package_manager", "npm", "--scope", "repo", *SAID, cwd=place)
    sandbox.run("remember", "editor", "vim", "--scope", "user", *SAID, cwd=place)
    return place


def test_every_file_that_changes_is_a_line(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("export", "agents-md", "AGENTS.md", cwd=top)
    assert (done.exit, done.stdout) == (0, f"created {top}/AGENTS.md\n")
    assert done.stderr == "1 memory exported; 1 of your own left out, for others read this place\n"
    again = sandbox.run("export", "agents-md", "AGENTS.md", "--quiet", cwd=top)
    assert (again.exit, again.stdout, again.stderr) == (0, "", "")
    assert "- package_manager: `npm` (repository; 2026-09-14) <!-- " in (top / "AGENTS.md").read_text()


def test_lines_of_json_go_to_stdout(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("export", "jsonl", "-", cwd=top)
    assert (done.exit, done.stderr) == (0, "")
    assert [line[:12] for line in done.stdout.splitlines()] == ['{"schema":1,'] * 2
    assert sandbox.run("export", "jsonl", "-", cwd=top, env={"MEMDIR_IGNORE": "1"}).stdout == ""
    assert sandbox.run("export", "jsonl", "-", "--json", cwd=top).exit == 2


def test_a_format_that_is_none_is_wrong_usage(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("export", "agent-md", "AGENTS.md", cwd=top)
    assert (done.exit, done.stdout) == (2, "")
    assert "hint: give `agents-md`" in done.stderr


def test_forget_takes_it_out_again(sandbox: Sandbox, top: Path) -> None:
    (top / "AGENTS.md").write_text("# App\n", encoding="utf-8")
    sandbox.run("export", "agents-md", "AGENTS.md", cwd=top)
    done = sandbox.run("forget", "package_manager", "--yes", "--json", cwd=top)
    assert done.exit == 0
    assert f"{top}/AGENTS.md" in done.json["removed"]
    assert (top / "AGENTS.md").read_text() == "# App\n"
