"""review at a terminal: one memory after the other, each answered by a letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.pseudoterminal import Session, typed
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository in which an agent has proposed something."""
    found = scene(sandbox, claims=True)
    found.remember("test_runner", "jest", by=AGENT)
    return found


def walk(here: Scene, answers: str, **more: str) -> Session:
    return typed(here.sandbox, "review", answers=answers, cwd=here.top, env=more or None)


def value(here: Scene, *more: str, key: str = "test_runner") -> str:
    return here.sandbox.run("get", key, *more, cwd=here.top).stdout


@pytest.mark.parametrize(
    ("answers", "decided", "inside", "outside"),
    [
        ("a\n", "confirmed test_runner = jest", "jest\n", "jest\n"),
        ("n\n--path legacy/**\n", "narrowed test_runner = jest", "jest\n", ""),
        ("c\nvitest --run\n", "created test_runner = vitest --run", "vitest --run\n", "vitest --run\n"),
        ("r\nwe left it\n", "rejected test_runner = jest", "", ""),
        ("r\n\n", "rejected test_runner = jest", "", ""),
    ],
)
def test_a_candidate_is_answered_by_a_letter(
    here: Scene, answers: str, decided: str, inside: str, outside: str
) -> None:
    session = walk(here, answers)
    assert session.exit == 0
    assert "1 of 1" in session.shown
    assert "candidate: said by a source of kind agent" in session.shown
    assert decided in session.shown
    assert (value(here, "--path", "legacy/a.ts"), value(here, "--path", "src")) == (inside, outside)
    assert here.sandbox.run("review", cwd=here.top).stdout == ""


def test_what_was_corrected_or_rejected_does_not_come_again(here: Scene) -> None:
    walk(here, "r\nwe left it\n")
    again = here.remember("test_runner", "jest", by=AGENT)
    assert (again.reason, again.message.endswith("we left it")) == ("rejected", True)


@pytest.mark.parametrize("answers", ["\n", "l\n", "x\n", "q\n", "\x04", "n\n\n", "c\n\n"])
def test_later_changes_nothing(here: Scene, answers: str) -> None:
    before = here.memories()
    assert walk(here, answers).exit == 0
    assert here.memories() == before


def test_quitting_leaves_the_rest(here: Scene) -> None:
    here.remember("linter", "biome", by=AGENT)
    session = walk(here, "q\n")
    assert "2 of 2" not in session.shown
    session = walk(here, "\na\n")
    assert "2 of 2" in session.shown
    assert [memory.status for memory in here.memories().values()].count("verified") == 1


def test_one_that_fails_does_not_keep_from_the_others(here: Scene) -> None:
    here.remember("linter", "biome", by=AGENT)
    session = walk(here, "n\n--nonsense x\na\n")
    assert "are no options of `memdir narrow`" in session.shown
    assert "confirmed" in session.shown


def test_a_conflict_is_settled_or_narrowed_by_its_sides(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    here.remember("indent", "tabs", by=message(1))
    here.remember("indent", "spaces", by=message(2))
    shown = walk(here, "\n").shown
    assert "1. tabs (side " in shown
    assert "2. spaces (side " in shown
    assert "narrowed indent = tabs" in walk(here, "n\n1\n--path Makefile\n").shown
    assert (value(here, "--path", "Makefile", key="indent"), value(here, key="indent")) == ("tabs\n", "spaces\n")
    here.remember("quotes", "single", by=message(3))
    here.remember("quotes", "double", by=message(4))
    assert "Nothing was written." in walk(here, "k\n7\n").shown
    assert "settled quotes = double" in walk(here, "k\n2\n").shown
    assert value(here, key="quotes") == "double\n"


def test_a_stale_memory_is_ended_or_verified_anew(sandbox: Sandbox) -> None:
    here = scene(sandbox)
    for key in ("node", "port"):
        here.remember(key, "22", by=PERSON, review_after="2026-09-20")
    session = walk(here, "a\nr\n", MEMDIR_NOW="2026-10-01T09:30:00Z")
    assert "stale: it was to be reviewed after 2026-09-20" in session.shown
    assert "confirmed node = 22" in session.shown
    assert "expired port = 22" in session.shown


def test_what_is_chosen_is_the_users_word(here: Scene) -> None:
    walk(here, "a\n")
    (memory,) = here.memories().values()
    assert [(one.kind, one.attested) for one in memory.source] == [("agent", "none"), ("user", "tty")]
    assert memory.source[1].said == f"memdir confirm {memory.id}"


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CI", "AI_AGENT"])
def test_an_agent_at_a_terminal_gets_a_list_and_verifies_nothing(here: Scene, variable: str) -> None:
    before = here.memories()
    session = walk(here, "a\na\n", **{variable: "1"})
    assert "(a accept" not in session.shown
    assert "memdir confirm " in session.shown
    assert here.memories() == before


def test_where_nothing_waits_it_says_so(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = repo(init=True)
    assert "Nothing waits for you." in typed(sandbox, "review", cwd=top).shown
