"""Two descendants of a memdir as one: a memory is followed wherever a verb has moved it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.storage import codec, layout
from memdir_cli.storage.joining import Files, Joined, join
from tests.records import project

BASE = project(value="npm", id="one").memory
PNPM = replace(BASE, value="pnpm", revision=2, supersedes="one@1")
HEARD = replace(BASE, verified_at="2026-09-09T08:00:00Z")
PAST = replace(BASE, status="superseded", status_reason="superseded: by one@2", superseded_by="one@2")


def files(*memories: Memory, **others: bytes) -> dict[str, bytes]:
    """A memdir with these memories where they belong."""
    found = {layout.path_of(memory, "project"): codec.render(memory) for memory in memories}
    return {**found, **{f"{name}.jsonl": content for name, content in others.items()}}


def moved(status: Any, memory: Memory = BASE) -> Memory:
    return replace(memory, status=status, status_reason=f"{status}: why")


def joined(base: Files, ours: Files, theirs: Files) -> Joined:
    result = join(base, ours, theirs, "project")
    other = join(base, theirs, ours, "project")
    assert (other.files.keys(), len(other.problems)) == (result.files.keys(), len(result.problems))
    return result


def told(result: Joined) -> dict[str, tuple[str, str | None]]:
    assert not result.problems
    memories = {path: codec.parse_memory(data) for path, data in result.files.items()}
    return {path: (memory.status, memory.value) for path, memory in memories.items()}


HOME, ARCHIVE, QUARANTINE = (
    "memories/package_manager.md",
    "archive/package_manager~one.md",
    ("quarantine/package_manager~one.md"),
)
HISTORY = "history/package_manager~one@1.md"

TABLE: list[tuple[str, list[Memory], list[Memory], dict[str, tuple[str, str | None]]]] = [
    ("archived and heard again", [moved("archived")], [HEARD], {ARCHIVE: ("archived", "npm")}),
    (
        "archived and corrected", [moved("archived")], [PNPM, PAST],
        {HOME: ("verified", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("ended and heard again", [moved("expired")], [HEARD], {HISTORY: ("expired", "npm")}),
    (
        "ended and corrected", [moved("expired")], [PNPM, PAST],
        {HOME: ("verified", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("archived and ended", [moved("archived")], [moved("expired")],
     {ARCHIVE: ("archived", "npm"), HISTORY: ("expired", "npm")}),
    ("archived and quarantined", [moved("archived")], [moved("quarantined")], {QUARANTINE: ("quarantined", "npm")}),
    (
        "quarantined and corrected", [moved("quarantined")], [PNPM, PAST],
        {QUARANTINE: ("quarantined", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("removed by hand and left", [], [BASE], {}),
    ("removed by hand and heard again", [], [HEARD], {HOME: ("verified", "npm")}),
    ("removed on both sides", [], [], {}),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs", "left"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_where_a_memory_stands_after_both(ours: list[Memory], theirs: list[Memory], left: dict[str, Any]) -> None:
    assert told(joined(files(BASE), files(*ours), files(*theirs))) == left


def test_what_nobody_changed_stays_where_it_lies() -> None:
    odd = {"memories/elsewhere.md": codec.render(BASE), "memories/notes.md": b"mine\n", "config.yaml": b"format: 1\n"}
    assert joined(odd, odd, odd).files == odd
    assert joined(odd, odd, {**odd, "memories/notes.md": b"yours\n"}).files["memories/notes.md"] == b"yours\n"


def test_two_memories_of_one_key_become_one() -> None:
    mine = replace(BASE, id="mine", value="vim", created_at="2026-09-02T08:00:00Z")
    yours = replace(BASE, id="yours", value="nano", created_at="2026-09-03T08:00:00Z")
    result = joined({}, files(mine), files(yours))
    assert told(result) == {HOME: ("conflicted", None)}
    assert codec.parse_memory(result.files[HOME]).id == "mine"


def test_a_version_that_git_put_where_another_one_belongs_is_taken_home() -> None:
    other = replace(BASE, id="two", predicate="linter")
    # ours forgot one and said another, which git takes for a move; theirs heard the first one again
    result = joined({HOME: codec.render(BASE)}, {HOME: codec.render(other)}, {HOME: codec.render(HEARD)})
    assert told(result) == {HOME: ("verified", "npm"), "memories/linter.md": ("verified", "npm")}


def test_lines_of_both_sides_stay() -> None:
    logs = [{"receipts/2026-09.jsonl": content} for content in (b'{"at":""}\n', b'{"a":1}\n', b'{"b":1}\n')]
    result = joined(*logs)
    assert result.files["receipts/2026-09.jsonl"].count(b"\n") == 2


@pytest.mark.parametrize(
    ("path", "ours", "theirs"),
    [
        ("config.yaml", b"user: a\n", b"user: b\n"),
        (HOME, b"<<<<<<<", codec.render(PNPM)),
        (HOME, b"no memory", b"none either"),
    ],
)
def test_what_cannot_be_joined_is_a_problem(path: str, ours: bytes, theirs: bytes) -> None:
    base = {path: codec.render(BASE) if path == HOME else b"user:\n"}
    result = joined(base, {path: ours}, {path: theirs})
    assert [problem.path for problem in result.problems] == [path]


def test_a_file_that_one_side_broke_and_the_other_changed_is_a_problem() -> None:
    result = join(files(BASE), {HOME: b"---\nbroken"}, files(PNPM, PAST), "project")
    assert [problem.path for problem in result.problems] == [HOME]


def test_what_was_forgotten_does_not_come_back() -> None:
    result = join(files(BASE), files(), files(PNPM, PAST), "project", lambda version: version.memory.id == "one")
    assert (result.files, result.problems) == ({}, [])
