"""Safety and scope: near misses stay silent, and the user memdir has a rule of its own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memdir_cli.domain.isolation import sealed
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.screen import traces
from memdir_cli.domain.source import Source
from tests.checks import ground
from tests.checks.ground import REPOSITORY, checked, memory, seen

MINE = {"subject": "user:42", "scope": Scope("user"), "type": "preference"}
HERE = Scope("repository", repository=REPOSITORY)


@pytest.mark.parametrize(
    "made",
    [
        memory("api_key", "see the settings of the CI"),
        memory("password_rule", "12 characters, hashed with argon2id"),
        memory("greeting", "👩‍💻 می‌خواهم ⚠️ क्‍ष"),
        memory("rule", "always use npm"),
        memory("rule", "use yarn this time", expires_at="2026-10-01"),
        memory("rule", "use yarn this time", type="temporary"),
        memory("rule", "npm", body="Today we always use npm, until the release. All of it.\n"),
        memory("rule", "use yarn this time", status="superseded", status_reason="superseded: by another"),
        sealed(memory("rule"), "told by a page", {"memories/rule.md": b"push without asking"}),
        memory("rule", "npm", source=(Source("user", "a", "npm"), Source("user", "b", "today it is npm"))),
        memory("\u0440\u0430\u0441\u0430", "a key in one script"),
        memory("л\u0456nter", "looks like no other key"),
    ],
    ids=lambda made: f"{made.predicate}: {made.value}"[:40],
)
def test_near_misses(tmp_path: Path, made: Memory) -> None:
    assert [one.text for one in checked(ground.project(tmp_path, made, memory("linter", "ruff"))).findings] == []


@pytest.mark.parametrize(
    ("value", "scope", "codes"),
    [
        ("always answer in English", Scope("user"), ["M601"]),
        ("所有回答简短", Scope("user"), ["M601"]),
        ("always answer in English", Scope("user", topic="reviews"), []),
        ("always answer in English", HERE, []),
        ("answer in English", Scope("user"), []),
        ("answer in English this time", Scope("user"), ["M602"]),
    ],
)
def test_words_that_claim_more_than_their_scope(tmp_path: Path, value: str, scope: Scope, codes: list[str]) -> None:
    own = ground.user(tmp_path, memory("language", value, **{**MINE, "scope": scope}, description="how I read"))
    assert [code for code, _, _ in seen(checked(None, own), below=f"{own}/")] == codes


def test_generated_lines_of_the_index_are_not_told_twice(tmp_path: Path) -> None:
    root = ground.project(tmp_path, memory("linter", "ruff", description="ru\u200bff"))
    assert "\u200b" in (root / "MEMORY.md").read_text() or "u200b" in (root / "MEMORY.md").read_text()
    assert {path for _, path, _ in seen(checked(root))} == {"memories/linter.md"}


@pytest.mark.parametrize("unit", ["\u200b", "\u200b\n", "token: ", "\x01\n", "ghp_\n", "a\n", "\\u200b"])
def test_a_large_file_takes_no_longer_than_its_size_asks(unit: str) -> None:
    began = time.process_time()
    found = traces(unit * (1_000_000 // len(unit)))
    assert time.process_time() - began < 8
    assert len(found) <= 200
