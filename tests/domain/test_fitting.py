"""How many lines a page of another program takes, and what a search tells of a conflict."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.exporting import dropped, fitting
from memdir_cli.domain.finding import told
from memdir_cli.domain.memory import Side
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.source import Source
from tests.records import project, runtime

LINES = ["ä" * 49] * 4  # 98 bytes each, and two for the end of the line
LAST = len(dropped(4)) + 2


@pytest.mark.parametrize(
    ("room", "rows", "kept"),
    [
        (400, 4, 4), (400, 9, 4), (399, 4, 3), (200 + LAST, 4, 2), (199 + LAST, 4, 1), (99 + LAST, 4, 0),
        (0, 4, 0), (9999, 3, 2), (9999, 2, 1), (9999, 1, 0), (100 + LAST, 9, 1),
    ],
)  # fmt: skip
def test_what_fits_leaves_a_line_for_what_does_not(room: int, rows: int, kept: int) -> None:
    assert fitting(LINES, room, rows) == (LINES[:kept], 4 - kept)
    text = [*LINES[:kept], *([dropped(4 - kept)] if kept < 4 else [])]
    assert room < LAST or sum(len(line.encode()) + 2 for line in text) <= room
    assert len(text) <= rows


def test_a_search_tells_no_words_of_a_conflict() -> None:
    sides = (Side("s1", "zebra", "zebra", "user", (Source("user", said="zebra"),)),)
    keys: dict[str, Any] = {
        "value": "zebra",
        "body": "zebra",
        "description": "zebra",
        "source": (Source("user", said="zebra"),),
    }
    judged = told(judge(project(id="c", status="conflicted", sides=sides, **keys), runtime()))
    assert "zebra" not in repr(judged)
    assert [side.id for side in judged.memory.sides] == ["s1"]
    plain = judge(project(id="a", **keys), runtime())
    assert told(plain) is plain
