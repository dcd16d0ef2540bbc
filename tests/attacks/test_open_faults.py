"""Faults that are known and open: each test says what is right, and fails until it is so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox import Outcome, Sandbox

WORDS = ("--from", "user", "--said", "use v for k", "--session", "s1", "--message", "m1")

Run = Callable[..., Outcome]


@pytest.fixture
def top(repo: Callable[..., Path], run: Run, sandbox: Sandbox) -> Path:
    sandbox.user_memdir.mkdir(parents=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    return repo(init=True)


@pytest.mark.xfail(strict=True, reason="the receipt with the latest time counts as the last one, though it lies ahead")
def test_confirm_adopts_what_a_clock_that_was_ahead_has_written(top: Path, run: Run) -> None:
    ahead = {"MEMDIR_NOW": "2027-01-01T00:00:00Z"}
    assert run("remember", "k", "v", "--scope", "repository", cwd=top, env=ahead).exit == 0
    assert run("confirm", "k", *WORDS, cwd=top).exit == 0
    answer = run("get", "k", cwd=top)
    assert (answer.stdout, answer.stderr) == ("v\n", "")


@pytest.mark.xfail(strict=True, reason="a user memdir keeps words whole, and twenty long ones fill the header")
def test_a_memory_may_be_repeated_in_long_words_as_often_as_one_likes(top: Path, run: Run) -> None:
    for n in range(25):
        said = f"use v for k, for the reason number {n}: " + "because it is written down in our notes. " * 90
        words = ("--from", "user", "--said", said, "--session", f"s{n}")
        done = run("remember", "k", "v", "--scope", "user", *words, cwd=top)
        assert done.exit == 0, done.stderr


@pytest.mark.xfail(strict=True, reason="nothing notices that one directory is both memdirs")
def test_a_repository_is_never_the_place_of_a_users_memories(top: Path, run: Run) -> None:
    both = {"MEMDIR_USER_DIR": str(top / ".memdir")}
    run("remember", "k", "v", "--scope", "user", *WORDS, cwd=top, env=both)
    assert not [path for path in (top / ".memdir").rglob("k*.md") if "subject: user:" in path.read_text("utf-8")]
