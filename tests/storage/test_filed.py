"""A memory that comes out of the cache is the one that went in, however it is looked at."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from memdir_cli.domain.memory import Evidence, Memory, Side
from memdir_cli.domain.source import Source
from memdir_cli.storage.filed import Filing, opened, packed, whole
from tests.records import NOW, project

LATER = "2026-10-01T08:00:00Z"
SOURCE = Source("user", "session:s/message:m", "said so", LATER, "tty")
MEMORY = project(
    value="ruff", body="Why.\n", path="src/**", source=(SOURCE,), depends_on=(Evidence("a.json", "v1:x", "y"),),
    sides=(Side("a", "x", "d", "user", (SOURCE,), "decision"), Side("b", None, "", "inferred")), extra={"note": "n"},
).memory  # fmt: skip


def filed(memory: Memory) -> Memory:
    return Filing().filed(lambda: packed(memory), *opened(memory))


@pytest.mark.parametrize("memory", [MEMORY, project(value=None, none=True).memory], ids=["full", "bare"])
def test_what_was_filed_is_equal_to_what_it_was_made_of(memory: Memory) -> None:
    found = filed(memory)
    assert found == memory
    assert memory == found
    assert found.latest == memory.latest
    assert whole(found) == memory
    assert type(whole(found)) is Memory
    assert pickle.loads(pickle.dumps(found)) == memory
    assert [getattr(found, name) for name in Memory.__slots__] == [getattr(memory, name) for name in Memory.__slots__]


@pytest.mark.parametrize(
    "other",
    [
        replace(MEMORY, value="black"), replace(MEMORY, body=""), replace(MEMORY, source=()), replace(MEMORY, sides=()),
        replace(MEMORY, extra={}), replace(MEMORY, updated_at=NOW),
    ],
)  # fmt: skip
def test_what_was_filed_is_no_other_memory(other: Memory) -> None:
    assert filed(MEMORY) != other
    assert filed(MEMORY) != filed(other)


@pytest.mark.parametrize("name", ["nothing", "_unpacked", "__wrapped__"])
def test_there_is_no_field_but_those_of_a_memory(name: str) -> None:
    assert not hasattr(filed(MEMORY), name)
