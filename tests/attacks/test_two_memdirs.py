"""A user's memories never lie in a project's memdir, whatever the variables and options say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checks.ground import tree
from tests.sandbox import Outcome, Sandbox

WORDS = ("--from", "user", "--said", "use v for k", "--session", "s1", "--message", "m1")

Run = Callable[..., Outcome]

#: Where the user memdir is said to be, seen from the repository.
SHARED = (".memdir", ".memdir/", "./.memdir/../.memdir", "link", ".memdir/local/mine", ".memdir/memories")


@pytest.fixture
def top(repo: Callable[..., Path], run: Run, sandbox: Sandbox) -> Path:
    sandbox.user_memdir.mkdir(parents=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    place = repo(init=True)
    (place / "link").symlink_to(".memdir")
    assert run("remember", "k", "v", "--scope", "repository", *WORDS, cwd=place).exit == 0
    return place


@pytest.mark.parametrize("verb", ["get", "list", "check", "whoami", "remember", "init"])
@pytest.mark.parametrize("shared", SHARED)
def test_a_project_memdir_that_is_said_to_be_the_users_is_refused(top: Path, run: Run, shared: str, verb: str) -> None:
    words = {"get": ["k"], "remember": ["k", "v", "--scope", "user", *WORDS]}.get(verb, [])
    before = tree(top / ".memdir")
    done = run(verb, *words, "--json", cwd=top, env={"MEMDIR_USER_DIR": shared})
    assert (done.exit, done.json["error"]["code"]) == (2, "memdir-shared")
    assert "MEMDIR_USER_DIR" in done.json["error"]["message"]
    assert tree(top / ".memdir") == before


def test_the_memdir_of_another_project_is_refused_too(top: Path, run: Run, repo: Callable[..., Path]) -> None:
    other = repo("other")
    done = run("list", "--json", cwd=other, env={"MEMDIR_USER_DIR": str(top / ".memdir")})
    assert (done.exit, done.json["error"]["code"]) == (2, "memdir-shared")


def test_no_project_is_founded_where_a_users_memories_lie(top: Path, run: Run, repo: Callable[..., Path]) -> None:
    own = repo("own-project")
    for words, env in (
        (["--dir", str(top.parent / "home/.local/share/memdir")], {}),
        ([], {"MEMDIR_USER_DIR": str(own / ".memdir")}),
    ):
        done = run("init", *words, "--json", cwd=own, env=env)
        assert (done.exit, done.json["error"]["code"]) == (2, "memdir-shared")
    assert not (own / ".memdir").exists()


def test_the_users_own_memdir_named_as_the_projects_takes_no_memory_of_a_project(
    top: Path, run: Run, sandbox: Sandbox
) -> None:
    assert run("remember", "mine", "v", "--scope", "user", *WORDS, cwd=top).exit == 0
    named = ("--dir", str(sandbox.user_memdir))
    refused = run("remember", "k", "v", "--scope", "repository", *WORDS, *named, "--json", cwd=top)
    assert (refused.exit, refused.json["error"]["code"]) == (2, "no_memdir")
    assert "your own memdir" in refused.json["error"]["message"]
    assert [one["value"] for one in run("list", *named, "--json", cwd=top).json["memories"]] == ["v"]
    assert run("check", "--strict", *named, cwd=top).exit == 0
    assert run("repair", *named, cwd=top).exit == 0
