"""`init --id` settles which repository a memdir is about: its memories follow, and stay what they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.sandbox import Outcome, Sandbox

Run = Callable[..., Outcome]
USER = ("--from", "user", "--said", "as I say", "--session", "s1", "--message")


def settled(sandbox: Sandbox, repo: Callable[..., Path]) -> Path:
    """A repository with a corrected rule, a candidate and a private rule, whose remote then moves."""
    top = repo("web")
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n")
    sandbox.run("init", cwd=top)
    for number, words in enumerate(
        (
            ("remember", "package_manager", "npm", "--scope", "repository"),
            ("correct", "package_manager", "pnpm", "--scope", "repository"),
        )
    ):
        assert sandbox.run(*words, *USER, f"m{number}", cwd=top).exit == 0
    assert sandbox.run("remember", "linter", "biome", "--scope", "repository", cwd=top).exit == 0
    sandbox.git("remote", "set-url", "origin", "https://git.example.org/new/home.git", cwd=top)
    return top


def test_a_moved_remote_is_found_and_settled(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = settled(sandbox, repo)
    found = sandbox.run("check", "--json", cwd=top).json["findings"]
    assert [finding["severity"] for finding in found] == ["warning"]
    assert "init --id git.example.org/new/home" in found[0]["message"]

    assert sandbox.run("init", "--id", "git.example.org/new/home", cwd=top).exit == 0

    clean = sandbox.run("check", "--strict", cwd=top)
    assert (clean.exit, clean.stdout) == (0, "")
    answer = sandbox.run("get", "package_manager", "--json", cwd=top).json
    assert (answer["value"], answer["revision"], answer["warnings"]) == ("pnpm", 2, [])
    assert answer["scope"] == "repository:git.example.org/new/home"
    past = sandbox.run("history", "package_manager", cwd=top).stdout
    assert "npm\trepository:git.example.org/new/home\tsuperseded" in past
    assert "linter" in sandbox.run("list", "--status", "candidate", cwd=top).stdout


def test_the_same_id_again_changes_nothing(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = settled(sandbox, repo)
    sandbox.run("init", "--id", "git.example.org/new/home", cwd=top)
    before = {path: path.read_bytes() for path in (top / ".memdir").rglob("*.*l*") if "local" not in path.parts}
    assert sandbox.run("init", "--id", "git.example.org/new/home", cwd=top).exit == 0
    assert before == {path: path.read_bytes() for path in before}


def test_settings_that_cannot_be_read_are_a_finding(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = settled(sandbox, repo)
    config = top / ".memdir/config.yaml"
    config.write_text(config.read_text() + "gate:\n  attestation: maybe\n")
    answer = sandbox.run("check", "--json", cwd=top)
    assert answer.exit == 2
    assert [finding["code"] for finding in answer.json["findings"] if finding["severity"] == "error"] == ["M172"]
    # a value of lower precedence is never served in the place of one that cannot be seen
    assert sandbox.run("get", "package_manager", cwd=top).exit == 6


def test_the_users_broken_settings_do_not_fail_a_team(sandbox: Sandbox, repo: Callable[..., Path]) -> None:
    top = settled(sandbox, repo)
    sandbox.run("init", "--id", "git.example.org/new/home", cwd=top)
    (sandbox.user_memdir / "config.yaml").write_text("gate: [\n")
    assert sandbox.run("check", cwd=top).exit == 0
