"""A memory that comes out of the cache is the one that went in, however it is looked at."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

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


@pytest.mark.parametrize("other", [None, "ruff", MEMORY.scope])
def test_what_was_filed_is_nothing_but_a_memory(other: object) -> None:
    assert filed(MEMORY) != other


def test_nothing_is_unpacked_but_for_a_field_that_is_packed() -> None:
    asked: list[str] = []

    def unpack() -> tuple[Any, ...]:
        asked.append("unpacked")
        return packed(MEMORY)

    found = Filing().filed(unpack, *opened(MEMORY))
    assert (found.value, found.latest, hasattr(found, "nothing"), asked) == ("ruff", MEMORY.latest, False, [])
    assert (found.body, found.source, asked) == ("Why.\n", (SOURCE,), ["unpacked"])


def test_a_row_with_another_number_of_fields_is_no_memory() -> None:
    for fields in (packed(MEMORY)[:-1], (*packed(MEMORY), "")):
        found = Filing().filed(lambda fields=fields: fields, *opened(MEMORY))  # type: ignore[misc]
        with pytest.raises(ValueError, match="zip"):
            _ = found.body


@pytest.mark.parametrize("name", ["nothing", "_unpacked", "__wrapped__"])
def test_there_is_no_field_but_those_of_a_memory(name: str) -> None:
    assert not hasattr(filed(MEMORY), name)
