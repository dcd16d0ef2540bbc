"""search as it is typed: columns, remarks, JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.pseudoterminal import typed
from tests.sandbox import Sandbox

SAID = ("--from", "user", "--said", "as the user said", "--session", "s1", "--message", "m1")


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    """A repository whose user has said a few things."""
    place = sandbox.repository("app", init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    (place / "notes.md").write_text("Why: the proxy keeps sockets open.\n", encoding="utf-8")
    for line in (
        ("package_manager", "npm", "--scope", "repo", "--description", "Install with npm ci"),
        ("gotcha.proxy", "--scope", "repo", "--body-file", "notes.md", "--description", "Sockets stay open"),
        ("editor", "vim [red]", "--scope", "user"),
    ):
        done = sandbox.run("remember", *line, *SAID, cwd=place)
        assert done.exit == 0, done.stderr
    return place


def test_off_a_terminal_a_result_is_a_line_of_columns(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("search", "installing npm", cwd=top)
    (line,) = done.stdout.splitlines()
    key, value, scope, status, date, _, score = line.split("\t")
    assert (key, value, status, date) == ("package_manager", "npm", "verified", "2026-09-14")
    assert scope == "repository:github.com/acme/app"
    assert float(score) > 0
    assert (done.exit, done.stderr) == (0, "")


def test_where_there_is_no_value_it_tells_what_the_memory_says_of_itself(sandbox: Sandbox, top: Path) -> None:
    (line,) = sandbox.run("search", "proxy", cwd=top).stdout.splitlines()
    assert line.split("\t")[:2] == ["gotcha.proxy", "Sockets stay open"]


def test_at_a_terminal_it_is_a_table(sandbox: Sandbox, top: Path) -> None:
    shown = typed(sandbox, "search", "vim", cwd=top, env={"COLUMNS": "200"}).shown
    assert "score" in shown
    assert "vim [red]" in shown
    log = top / ".memdir/local/access"
    assert not log.exists(), "a person at a terminal is no agent"


def test_nothing_found_is_no_failure(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("search", "zebra", cwd=top)
    assert (done.exit, done.stdout) == (0, "")
    assert done.stderr == "Nothing is found.\nhint: memdir list\n"
    assert sandbox.run("search", "zebra", "--json", cwd=top).json == {"schema": 1, "results": []}


def test_doubts_are_told_beside_the_results(sandbox: Sandbox, top: Path) -> None:
    sandbox.run("remember", "editor", "emacs", "--scope", "user", *SAID, cwd=top)
    path = top / ".memdir/memories/package_manager.md"
    path.write_text(path.read_text("utf-8").replace("value: npm", "value: yarn"), encoding="utf-8")
    done = sandbox.run("search", "editor package", cwd=top)
    assert "(in conflict)" in done.stdout
    assert "emacs" not in done.stdout + done.stderr
    conflict, changed = sorted(line for line in done.stderr.splitlines())
    assert conflict.startswith("warning: editor (")
    assert "in conflict: ask which value holds" in conflict
    assert changed.startswith("warning: package_manager (")
    assert "unattributed: verify first" in changed
    assert sandbox.run("search", "editor package", "--quiet", cwd=top).stderr == ""


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (("--scope", "user"), ["editor"]),
        (("--scope", "repo"), ["package_manager"]),
        (("--type", "preference"), ["editor"]),
        (("--status", "stale"), []),
        (("--max-age", "1h"), ["package_manager", "editor"]),
    ],
)
def test_filters(sandbox: Sandbox, top: Path, options: tuple[str, ...], keys: list[str]) -> None:
    found = sandbox.run("search", "npm editor", *options, "--json", cwd=top).json["results"]
    assert sorted(one["predicate"] for one in found) == sorted(keys)


def test_an_age_that_is_past_is_none(sandbox: Sandbox, top: Path) -> None:
    later = {"MEMDIR_NOW": "2026-12-01T00:00:00Z"}
    assert sandbox.run("search", "npm", "--max-age", "30d", cwd=top, env=later).stdout == ""
    assert sandbox.run("search", "npm", "--max-age", "90d", cwd=top, env=later).stdout != ""
    done = sandbox.run("search", "npm", "--max-age", "2026-01-01", cwd=top)
    assert (done.exit, done.stdout) == (2, "")
    assert "hint: give a span such as `30d`" in done.stderr


def test_without_any_memdir_it_finds_nothing(sandbox: Sandbox) -> None:
    done = sandbox.run("search", "npm")
    assert (done.exit, done.stdout) == (0, "")
    assert not sandbox.user_memdir.exists()
