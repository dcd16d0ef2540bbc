"""Secrets through the real command: refused, and nowhere afterwards, neither in files nor in answers or errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.domain.secret_samples import samples
from tests.sandbox import Outcome, Sandbox

SECRETS = {name: secret for name, secret, _ in samples()}
TOKEN, KEY = SECRETS["github-classic"], SECRETS["anthropic"]

PLACES: dict[str, tuple[str, ...]] = {
    "value": ("remember", "k", TOKEN, "--scope", "repository"),
    "value without scope": ("remember", "k", TOKEN),
    "key": ("remember", TOKEN, "v", "--scope", "repository"),
    "key that is none": ("remember", f"my key {TOKEN}", "v", "--scope", "repository"),
    "description": ("remember", "k", "v", "--scope", "user", "--description", f"use {KEY}"),
    "said": ("remember", "k", "v", "--scope", "user", "--from", "user", "--said", f"use {TOKEN}", "--session", "s"),
    "topic": ("remember", "k", "v", "--scope", "repository", "--topic", TOKEN),
    "body": ("remember", "k", "--scope", "repository", "--body-file", "-"),
    "correct": ("correct", "linter", TOKEN, "--scope", "repository", "--from", "user", "--said", "x"),
    "confirm": ("confirm", "linter", "--from", "user", "--said", f"yes {TOKEN}"),
    "reject": ("reject", "linter", "--from", "user", "--said", f"no {TOKEN}"),
    "reason": ("reject", "linter", "--from", "user", "--said", "no", "--reason", f"no {TOKEN}"),
    "quarantine": ("quarantine", "linter", "--reason", f"it holds {TOKEN}"),
    "release": ("release", "linter", "--from", "user", "--said", f"yes {TOKEN}"),
    "narrow": ("narrow", "linter", "--topic", "t", "--from", "user", "--said", f"yes {TOKEN}"),
    "expire": ("expire", "linter", "--from", "user", "--said", f"yes {TOKEN}"),
    "archive": ("archive", "linter", "--from", "user", "--said", f"yes {TOKEN}"),
    "forget": ("forget", "linter", "--yes", "--from", "user", "--said", f"yes {TOKEN}"),
}

#: What nobody should type, and what is quoted all the same when it is wrong.
MISTAKES: dict[str, tuple[str, ...]] = {
    "too much": ("remember", "k", "v", TOKEN, "--scope", "repository"),
    "scope": ("remember", "k", "v", "--scope", TOKEN),
    "type": ("remember", "k", "v", "--scope", "user", "--type", TOKEN),
    "environment": ("remember", "k", "v", "--scope", "user", "--env", TOKEN),
    "option": ("remember", "k", "v", f"--{TOKEN}"),
    "command": (TOKEN,),
    "body file": ("remember", "k", "--scope", "user", "--body-file", f"/nowhere/{TOKEN}"),
    "confirm": ("confirm", TOKEN, "--from", "user", "--said", "x"),
    "show": ("show", TOKEN),
}


@pytest.fixture
def here(sandbox: Sandbox) -> Path:
    """A repository with a memdir and one candidate."""
    top = sandbox.repository("app", init=True)
    sandbox.run("remember", "linter", "ruff", "--scope", "repository", cwd=top)
    return top


def leaks(sandbox: Sandbox, outcome: Outcome) -> list[str]:
    """Every place in which a good part of a secret stands."""
    parts = [part for secret in (TOKEN, KEY) for part in (secret[8:20], secret[20:36])]
    files = [path for path in sandbox.root.rglob("*") if path.is_file()]
    found = [str(path) for path in files if any(part.encode() in path.read_bytes() for part in parts)]
    return found + [text for text in (outcome.stdout, outcome.stderr) if any(part in text for part in parts)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("as_json", [False, True], ids=["plain", "json"])
def test_a_secret_is_refused_without_echo(sandbox: Sandbox, here: Path, place: str, as_json: bool) -> None:
    args = (*PLACES[place], *(("--json",) if as_json else ()))
    outcome = sandbox.run(*args, cwd=here, input=f"Why:\n\n{TOKEN}\n" if place == "body" else None)
    assert (outcome.exit, leaks(sandbox, outcome)) == (4, [])
    if as_json:
        assert (outcome.json["decision"], outcome.json["reason"]) == ("refused", "secret")
    else:
        assert "looks like a secret" in outcome.stderr


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_never_quotes_a_secret(sandbox: Sandbox, here: Path, mistake: str) -> None:
    for more in ((), ("--json",)):
        outcome = sandbox.run(*MISTAKES[mistake], *more, cwd=here)
        assert outcome.exit in {1, 2, 3, 4, 6}
        assert leaks(sandbox, outcome) == []


def test_a_crash_in_debugging_tells_no_secret_that_was_refused(sandbox: Sandbox, here: Path) -> None:
    outcome = sandbox.run(*PLACES["value"], cwd=here, env={"MEMDIR_DEBUG": "1"})
    assert (outcome.exit, leaks(sandbox, outcome)) == (4, [])


def test_check_tells_where_it_is_and_not_what_it_is(sandbox: Sandbox, here: Path) -> None:
    path = next((here / ".memdir").rglob("linter*.md"))
    path.write_text(path.read_text() + f"\ntoken: {TOKEN}\n")
    for format_ in ("text", "json", "github", "sarif"):
        outcome = sandbox.run("check", "--format", format_, cwd=here)
        assert outcome.exit == 1
        assert TOKEN[4:] not in outcome.stdout + outcome.stderr
        assert "M501" in outcome.stdout
    found = json.loads(sandbox.run("check", "--json", cwd=here).stdout)["findings"]
    line = path.read_text().split("\n").index(f"token: {TOKEN}") + 1
    assert [(one["line"], one["severity"]) for one in found if one["code"] == "M501"] == [(line, "error")]
