"""A person at a terminal is asked where only a person may choose; nobody else ever is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.pseudoterminal import typed
from tests.sandbox import Sandbox


@pytest.fixture
def project(repo: Callable[..., Path]) -> Path:
    """A repository with a memdir."""
    return repo(init=True)


def values(sandbox: Sandbox, key: str, cwd: Path) -> list[str | None]:
    """The value of a key at repository and at user level, ``None`` where there is none."""
    answers = [sandbox.run("get", key, "--scope", level, "--json", cwd=cwd) for level in ("repository", "user")]
    return [answer.json["value"] for answer in answers]


@pytest.mark.parametrize(("letter", "expected"), [("r", ["pnpm", None]), ("u", [None, "pnpm"])])
def test_a_letter_says_where_it_applies_and_the_full_command_is_shown(
    sandbox: Sandbox, project: Path, letter: str, expected: list[str | None]
) -> None:
    session = typed(sandbox, "remember", "package_manager", "pnpm", answers=f"{letter}\n", cwd=project)
    assert session.exit == 0, session.shown
    assert "created package_manager = pnpm" in session.shown
    scope = {"r": "repository", "u": "user"}[letter]
    assert f"memdir remember --scope {scope} package_manager pnpm" in session.shown
    assert values(sandbox, "package_manager", project) == expected


@pytest.mark.parametrize("answer", ["\n", "x\n", "\x04"], ids=["enter", "another letter", "end of input"])
def test_anything_else_cancels_and_writes_nothing(sandbox: Sandbox, project: Path, answer: str) -> None:
    session = typed(sandbox, "remember", "package_manager", "pnpm", answers=answer, cwd=project)
    assert session.exit == 3
    assert values(sandbox, "package_manager", project) == [None, None]


def test_a_task_can_be_chosen_where_one_is_known(sandbox: Sandbox, project: Path) -> None:
    env = {"MEMDIR_TASK": "T9"}
    session = typed(sandbox, "remember", "package_manager", "none yet", answers="t\n", cwd=project, env=env)
    assert session.exit == 0, session.shown
    assert sandbox.run("get", "package_manager", cwd=project, env=env).stdout == "none yet\n"
    assert values(sandbox, "package_manager", project) == [None, None]


@pytest.fixture
def said_npm(sandbox: Sandbox, project: Path) -> Path:
    """The user has said npm, at the terminal."""
    session = typed(sandbox, "remember", "package_manager", "npm", "--scope", "repository", cwd=project)
    assert session.exit == 0, session.shown
    return project


def test_yes_replaces(sandbox: Sandbox, said_npm: Path) -> None:
    line = ["remember", "package_manager", "pnpm", "--scope", "repository"]
    session = typed(sandbox, *line, answers="y\n", cwd=said_npm)
    assert session.exit == 0, session.shown
    assert "superseded package_manager = pnpm" in session.shown
    assert values(sandbox, "package_manager", said_npm) == ["pnpm", None]


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"], ids=["no", "enter", "end of input"])
def test_no_writes_nothing(sandbox: Sandbox, said_npm: Path, answer: str) -> None:
    before = {path: path.read_bytes() for path in (said_npm / ".memdir").rglob("*") if path.is_file()}
    line = ["remember", "package_manager", "pnpm", "--scope", "repository"]
    session = typed(sandbox, *line, answers=answer, cwd=said_npm)
    assert session.exit == 3
    assert "Nothing was written." in session.shown
    after = {path: path.read_bytes() for path in (said_npm / ".memdir").rglob("*") if path.is_file()}
    assert {p: b for p, b in after.items() if "local" not in p.parts} == {
        p: b for p, b in before.items() if "local" not in p.parts
    }


def test_what_is_typed_at_a_terminal_is_the_users_word(sandbox: Sandbox, said_npm: Path) -> None:
    source = sandbox.run("get", "package_manager", "--json", cwd=said_npm).json["source"]
    assert [(one["kind"], one["attested"]) for one in source] == [("user", "tty")]
    assert source[0]["said"] == "memdir remember package_manager npm --scope repository"


def test_a_memdir_is_made_when_the_person_agrees(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = repo("bare")
    line = ["remember", "package_manager", "npm", "--scope", "repository"]
    refused = typed(sandbox, *line, answers="n\n", cwd=top)
    assert refused.exit == 2
    assert not (top / ".memdir").exists()
    session = typed(sandbox, *line, answers="y\n", cwd=top)
    assert session.exit == 0, session.shown
    assert values(sandbox, "package_manager", top) == ["npm", None]


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CI", "AI_AGENT", "GITHUB_ACTIONS"])
def test_an_agent_at_a_terminal_is_not_asked_and_is_not_the_user(
    sandbox: Sandbox, project: Path, variable: str
) -> None:
    env = {variable: "1" if variable != "GITHUB_ACTIONS" else "true"}
    session = typed(sandbox, "remember", "package_manager", "pnpm", answers="r\n", cwd=project, env=env)
    assert session.exit == 3
    assert "(y/N)" not in session.shown
    assert "Which (" not in session.shown
    assert values(sandbox, "package_manager", project) == [None, None]


def test_a_value_at_a_terminal_cannot_steer_it(sandbox: Sandbox, project: Path) -> None:
    said = ["--from", "user", "--said", "npm", "--scope", "user"]
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    assert sandbox.run("remember", "key", "npm", *said, cwd=project).exit == 0
    # the gate lets no such value in; a file may still hold one
    file = sandbox.user_memdir / "memories/key.md"
    file.write_text(file.read_text().replace("\nvalue: npm\n", '\nvalue: "npm\\e[2J\\e]0;title\\x07 \\x9b31m"\n'))
    assert sandbox.run("get", "key", cwd=project).stdout.startswith("npm\x1b[2J"), "a pipe gets it as it is"
    shown = typed(sandbox, "get", "key", cwd=project, env={"TERM": "dumb"}).shown
    assert "npm" in shown
    assert "\x1b" not in shown
    assert "\x9b" not in shown


@pytest.mark.parametrize(
    ("answer", "shown", "inside", "outside"),
    [
        ("y\n", "narrowed linter = biome", "biome\n", ""),
        ("n\n", "Nothing was written.", "eslint\n", "biome\n"),
    ],
)
def test_narrowing_over_another_value_asks_first(
    sandbox: Sandbox, project: Path, answer: str, shown: str, inside: str, outside: str
) -> None:
    here = ["--scope", "repository"]
    for value, more in (("biome", []), ("eslint", ["--path", "web/**"])):
        assert typed(sandbox, "remember", "linter", value, *here, *more, cwd=project).exit == 0
    wide = sandbox.run("get", "linter", "--json", cwd=project).json["id"]
    session = typed(sandbox, "narrow", wide, "--path", "web/**", answers=answer, cwd=project)
    assert "linter = eslint" in session.shown
    assert shown in session.shown
    assert sandbox.run("get", "linter", "--path", "web/a.ts", cwd=project).stdout == inside
    assert sandbox.run("get", "linter", "--path", "src", cwd=project).stdout == outside
