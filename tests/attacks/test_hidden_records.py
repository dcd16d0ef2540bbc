"""A record that cannot be read is never passed over in silence for the one below it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox import Outcome, Sandbox

WORDS = ("--from", "user", "--said", "use pnpm and npm", "--session", "s1", "--message", "m1")

Run = Callable[..., Outcome]

BROKEN: dict[str, Callable[[str], str]] = {
    "merge": lambda text: text.replace("value: npm", "<<<<<<< ours\nvalue: npm\n=======\nvalue: yarn\n>>>>>>> theirs"),
    "half": lambda text: text[:100],
    "empty": lambda text: "",
    "status": lambda text: text.replace("status: verified", "status: verifed"),
}


@pytest.fixture
def top(repo: Callable[..., Path], run: Run, sandbox: Sandbox) -> Path:
    """A rule of the repository against a default of the user."""
    sandbox.user_memdir.mkdir(parents=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    place = repo(init=True)
    for value, scope in (("npm", "repository"), ("pnpm", "user")):
        assert run("remember", "package_manager", value, "--scope", scope, *WORDS, cwd=place).exit == 0
    return place


@pytest.fixture(params=list(BROKEN))
def broken(request: pytest.FixtureRequest, top: Path) -> Path:
    path = top / ".memdir/memories/package_manager.md"
    path.write_text(BROKEN[request.param](path.read_text(encoding="utf-8")), encoding="utf-8")
    return top


@pytest.mark.parametrize("verb", ["get", "explain"])
def test_the_default_is_served_with_a_warning_that_names_the_file(broken: Path, run: Run, verb: str) -> None:
    answer = run(verb, "package_manager", cwd=broken)
    assert (answer.exit, "pnpm" in answer.stdout) == (0, True)
    assert "memories/package_manager.md" in answer.stderr
    warnings = run(verb, "package_manager", "--json", cwd=broken).json["warnings"]
    assert [warning["code"] for warning in warnings] == ["unreadable"]


def test_a_correction_without_a_scope_does_not_go_to_the_default(broken: Path, run: Run) -> None:
    corrected = run("correct", "package_manager", "yarn", *WORDS, "--json", cwd=broken)
    assert (corrected.exit, corrected.json["decision"]) == (3, "needs_scope")
    assert run("get", "package_manager", "--scope", "user", cwd=broken).stdout == "pnpm\n"


def test_what_nothing_is_known_of_is_told_with_the_file_that_cannot_be_read(broken: Path, run: Run) -> None:
    answer = run("get", "package_manager", "--scope", "repository", cwd=broken)
    assert answer.exit == 1
    assert "memories/package_manager.md" in answer.stderr


def test_another_key_is_told_without_a_warning(broken: Path, run: Run) -> None:
    assert run("remember", "other", "v", "--scope", "repository", *WORDS, cwd=broken).exit == 0
    answer = run("get", "other", cwd=broken)
    assert (answer.exit, answer.stdout, answer.stderr) == (0, "v\n", "")


@pytest.mark.parametrize("verb", ["confirm", "expire", "narrow"])
def test_a_key_does_not_name_the_default_where_the_rule_cannot_be_read(broken: Path, run: Run, verb: str) -> None:
    words = (*WORDS, "--topic", "apps") if verb == "narrow" else WORDS
    refused = run(verb, "package_manager", *words, "--json", cwd=broken)
    assert refused.exit == 3
    assert run(verb, refused.json["error"]["ids"][0], *words, cwd=broken).exit == 0
