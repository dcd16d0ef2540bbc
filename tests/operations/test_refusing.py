"""What is refused is counted, and nothing of it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.operations.expire import expire
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, scene
from tests.sandbox import NOW, Sandbox

TOKEN = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"
Refused = Callable[[Scene], WriteAnswer]

CASES: dict[str, tuple[Refused, str]] = {
    "remember": (lambda here: here.remember("k", TOKEN), "secret"),
    "correct": (lambda here: here.correct("k", "v", by=AGENT), "user-word-needed"),
    "confirm": (lambda here: here.confirm("linter", AGENT), "user-word-needed"),
    "settle": (lambda here: here.settle("linter", "x", AGENT), "user-word-needed"),
    "expire": (lambda here: expire(here.open(), "linter", CLAIM), "unproven"),
}


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a memdir that remembers one rule."""
    place = scene(sandbox)
    place.remember("linter", "ruff")
    return place


def lines(memdir: Path) -> list[dict[str, str]]:
    """The log of refusals of one memdir."""
    files = sorted((memdir / "local/refusals").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("verb", CASES)
def test_a_refusal_leaves_its_reason_and_nothing_else(here: Scene, verb: str) -> None:
    act, reason = CASES[verb]
    answer = act(here)
    assert (answer.decision, answer.reason) == ("refused", reason)
    assert lines(here.memdir) == [{"at": NOW, "verb": verb, "reason": reason}]
    assert (here.memdir / "local/refusals/2026-09.jsonl").stat().st_mode & 0o077 == 0


def test_what_is_not_refused_leaves_no_line(here: Scene) -> None:
    assert here.remember("linter", "flake8", by=AGENT).decision == "needs_decision"
    assert here.correct("linter", "flake8", by=PERSON).decision == "superseded"
    assert lines(here.memdir) == []


def test_outside_a_project_the_users_memdir_keeps_it(here: Scene, sandbox: Sandbox) -> None:
    here.top = sandbox.home
    assert here.remember("k", TOKEN, "user").decision == "refused"
    assert [line["reason"] for line in lines(sandbox.user_memdir)] == ["secret"]


def test_where_nothing_can_be_logged_the_answer_is_the_same(here: Scene) -> None:
    (here.memdir / "local/refusals").write_text("a file where a folder should be", "utf-8")
    assert here.remember("k", TOKEN).reason == "secret"
