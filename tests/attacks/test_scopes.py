"""Scopes that somebody forged, and scopes that nobody can ever ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox import Outcome, Sandbox

WORDS = ("--from", "user", "--said", "please keep it so", "--session", "s1", "--message", "m1")

Run = Callable[..., Outcome]
Repo = Callable[..., Path]


@pytest.fixture
def top(repo: Repo, run: Run, sandbox: Sandbox) -> Path:
    """A repository with a memdir and one memory, where the user's claims are taken for the user's words."""
    sandbox.user_memdir.mkdir(parents=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    place = repo(init=True)
    assert run("remember", "k", "val", "--scope", "repository", *WORDS, cwd=place).exit == 0
    return place


def forge(top: Path, *pairs: tuple[str, str]) -> None:
    """Change the memory by hand."""
    path = top / ".memdir/memories/k.md"
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("subject", ["user:42", "project:github.com/acme/legacy-dashboard"])
def test_a_memory_forged_at_user_level_lends_its_scope_to_nobody(
    top: Path, run: Run, sandbox: Sandbox, subject: str
) -> None:
    repository = "github.com/acme/legacy-dashboard"
    forge(
        top,
        (f"subject: project:{repository}", f"subject: {subject}"),
        (f"scope: repository:{repository}", "scope: user"),
    )
    corrected = run("correct", "k", "new", *WORDS, "--json", cwd=top)
    assert corrected.exit == 3
    assert corrected.json["decision"] == "needs_scope"
    assert not (sandbox.user_memdir / "memories").exists()


def test_a_forged_memory_is_not_what_a_key_names(top: Path, run: Run) -> None:
    repository = "github.com/acme/legacy-dashboard"
    assert run("remember", "k", "mine", "--scope", "user", *WORDS, cwd=top).exit == 0
    forge(
        top, (f"subject: project:{repository}", "subject: user:42"), (f"scope: repository:{repository}", "scope: user")
    )
    confirmed = run("confirm", "k", *WORDS, "--json", cwd=top)
    assert (confirmed.exit, confirmed.json["value"]) == (0, "mine")


@pytest.mark.parametrize("task", ["a\nb", "a b", "x" * 201, "\x1b[2J", "\u202e"])
def test_no_memory_goes_to_a_task_that_no_variable_can_name(top: Path, run: Run, task: str) -> None:
    assert run("remember", "k", "v", "--scope", f"task:{task}", *WORDS, cwd=top).exit == 2
    assert run("get", "k", "--scope", f"task:{task}", cwd=top).exit == 2


@pytest.mark.parametrize("verb", ["confirm", "expire", "narrow"])
def test_a_task_that_is_named_is_the_one_that_is_meant(top: Path, run: Run, verb: str) -> None:
    here = {"MEMDIR_TASK": "t1"}
    assert run("remember", "rule", "one", "--scope", "task", *WORDS, cwd=top, env=here).exit == 0
    assert run("remember", "rule", "two", "--scope", "task:t2", *WORDS, cwd=top, env=here).exit == 0
    words = (*WORDS, "--topic", "tests") if verb == "narrow" else WORDS
    done = run(verb, "rule", "--scope", "task:t2", *words, "--json", cwd=top, env=here)
    assert (done.exit, done.json["value"], done.json["scope"]) == (0, "two", "task:t2")
    assert run(verb, "rule", "--scope", "task:t3", *WORDS, "--json", cwd=top, env=here).exit == 2


@pytest.mark.parametrize("end", ["\r", "\r\r"])
def test_a_memory_whose_lines_end_with_a_lone_carriage_return_is_an_error(top: Path, run: Run, end: str) -> None:
    path = top / ".memdir/memories/k.md"
    path.write_bytes(path.read_bytes().replace(b"\n", end.encode()))
    checked = run("check", "--json", cwd=top)
    assert checked.exit == 1
    assert "M111" in {finding["code"] for finding in checked.json["findings"]}
