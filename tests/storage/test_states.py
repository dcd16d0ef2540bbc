"""Which memories a state of a memdir holds: by id, wherever a verb or git has put their files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.storage import codec, layout, states
from tests.records import project

ONE = project(value="npm", id="one").memory
PNPM = replace(ONE, value="pnpm", revision=2, supersedes="one@1")
PAST = replace(ONE, status="superseded", status_reason="superseded: by one@2", superseded_by="one@2")
OVER = replace(PNPM, status="expired", status_reason="expired: why")
TWO = replace(ONE, id="two", predicate="linter", value="ruff")
HOME, HISTORY = "memories/package_manager.md", "history/package_manager~one@1.md"


def files(*memories: Memory) -> dict[str, bytes]:
    return {layout.path_of(memory, "project"): codec.render(memory) for memory in memories}


def side(found: dict[str, bytes]) -> states.Side:
    return states.side_of(found, "project", {})


def test_what_stands_is_told_by_id_what_is_over_by_path_and_the_rest_as_it_is() -> None:
    odd = {"memories/broken.md": b"no memory", "receipts/2026-09.jsonl": b"{}\n", "notes.md": codec.render(ONE)}
    found = side({**files(PNPM, PAST, TWO), **odd, "memories/one.txt": codec.render(ONE)})
    assert {name: path for name, (path, _) in found.standing.items()} == {"one": HOME, "two": "memories/linter.md"}
    assert {path: version.memory for path, version in found.past.items()} == {HISTORY: PAST}
    assert found.others == {**odd, "memories/one.txt": codec.render(ONE)}


def test_a_version_that_lies_in_the_folder_of_another_status_is_taken_home() -> None:
    archived = replace(ONE, status="archived", status_reason="archived: why")
    found = side({"memories/x.md": codec.render(archived), "memories/y.md": codec.render(TWO)})
    assert {name: path for name, (path, _) in found.standing.items()} == {
        "one": "archive/package_manager~one.md",
        "two": "memories/y.md",
    }
    assert side({"memories/x.md": codec.render(PAST)}).past.keys() == {HISTORY}


def past(revision: int, value: str) -> Memory:
    return replace(PAST, revision=revision, value=value, superseded_by=f"one@{revision + 1}")


STATED = replace(ONE, revision=3, value="pnpm")
DESCRIBED = replace(ONE, revision=3, description="Install with it")
ALIEN = replace(past(3, "bun"), id="two")


@pytest.mark.parametrize(
    ("one", "other", "history", "value"),
    [
        (STATED, DESCRIBED, [past(1, "yarn"), past(2, "npm"), past(4, "bun")], "pnpm"),
        (replace(ONE, revision=2), STATED, [past(1, "yarn"), past(2, "npm"), past(3, "bun")], "pnpm"),
        (STATED, DESCRIBED, [past(2, "npm"), ALIEN], "pnpm"),
        # nothing tells from what both came
        (STATED, DESCRIBED, [past(4, "npm")], None),
        (STATED, DESCRIBED, [ALIEN], None),
        (STATED, DESCRIBED, [], None),
    ],
)
def test_two_files_of_one_id_are_merged_from_the_newest_revision_that_both_may_have_come_from(
    one: Memory, other: Memory, history: list[Memory], value: str | None
) -> None:
    found = side({"memories/a.md": codec.render(one), "memories/b.md": codec.render(other), **files(*history)})
    path, version = found.standing["one"]
    assert path == "memories/a.md"
    assert (version.memory.value, version.memory.status) == (value, "verified" if value else "conflicted")


def test_two_archived_files_of_one_id_are_merged_in_the_same_way() -> None:
    one, other = (replace(memory, status="archived", status_reason="archived: why") for memory in (STATED, DESCRIBED))
    found = side({"archive/a.md": codec.render(one), "archive/b.md": codec.render(other), **files(past(2, "npm"))})
    merged = found.standing["one"][1].memory
    assert (merged.status, merged.value, merged.description) == ("archived", "pnpm", "Install with it")


def test_a_second_file_of_an_id_that_is_another_memory_is_a_file_like_others() -> None:
    other = codec.render(replace(ONE, predicate="linter"))
    found = side({HOME: codec.render(ONE), "memories/z.md": other})
    assert found.standing["one"][1].memory == ONE
    assert found.others == {"memories/z.md": other}


def test_the_ids_of_a_state_are_those_of_its_memories_history_too() -> None:
    over = replace(TWO, status="expired", status_reason="expired: why")
    state = files(ONE, over)
    assert states.ids(state, "project") == {"one", "two"}
    assert states.standing_ids(state, "project") == {"one"}


def test_the_latest_of_a_memory_is_what_stands_or_how_it_came_to_its_end() -> None:
    over = replace(TWO, status="expired", status_reason="expired: why", revision=3)
    before = replace(over, status="superseded", revision=2)
    earlier = replace(over, status="superseded", revision=10, id="late")
    later = replace(earlier, revision=9)
    found = states.latest(files(PNPM, PAST, over, before, earlier, later), "project")
    assert {memory.id: (memory.revision, memory.status) for memory in found} == {
        "one": (2, "verified"),
        "two": (3, "expired"),
        "late": (10, "superseded"),
    }


def test_one_file_says_what_memory_it_is_and_where_it_belongs() -> None:
    assert states.memory_of(codec.render(ONE)) == ONE
    assert states.home(codec.render(ONE), "project") == HOME
    assert (states.memory_of(b"no memory"), states.home(b"no memory", "project")) == (None, "")


@pytest.mark.parametrize(
    ("path", "served"), [(HOME, True), ("inbox/a~one.md", False), (HISTORY, False), ("MEMORY.md", False)]
)
def test_only_what_lies_among_the_memories_is_given_to_agents(path: str, *, served: bool) -> None:
    assert states.is_served(path) is served
