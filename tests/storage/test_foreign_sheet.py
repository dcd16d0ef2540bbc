"""What the header of somebody else's file says under any of its names."""

from __future__ import annotations

import pytest

from memdir_cli.storage.codec import Value
from memdir_cli.storage.foreign.sheet import moment, word


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"name": "  x "}, "x"),
        ({"name": "  ", "title": "y"}, "y"),
        ({"name": ["x"], "title": "y"}, "y"),
        ({"title": "y", "name": "x"}, "x"),
        ({"metadata": {"name": "\tx"}}, "x"),
        ({"metadata": {"name": "x"}, "title": "y"}, "y"),
        ({"metadata": "x"}, ""),
        ({}, ""),
    ],
)
def test_the_first_key_with_a_text_is_taken_those_below_metadata_last(values: dict[str, Value], found: str) -> None:
    assert word(values, "name", "title") == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"modified": "2026-03-02"}, "2026-03-02"),
        ({"modified": "last week", "created": "2026-03-02"}, "2026-03-02"),
        ({"modified": "", "updated": "2026-03-02"}, "2026-03-02"),
        ({"created": "2025-01-01", "updatedAt": "2026-03-02"}, "2026-03-02"),
        *(({key: "2026-03-02"}, "2026-03-02") for key in ("updated", "updatedAt", "updated_at")),
        *(({key: "2026-03-02"}, "2026-03-02") for key in ("created", "createdAt", "created_at")),
        ({"modified": "last week"}, ""),
        ({}, ""),
    ],
)
def test_the_last_change_is_the_first_time_that_can_be_kept(values: dict[str, Value], found: str) -> None:
    assert moment(values)[:10] == found
