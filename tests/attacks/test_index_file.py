"""MEMORY.md as somebody else left it: whatever it holds, it is read once and quickly."""

from __future__ import annotations

import time

import pytest

from memdir_cli.storage.index import BEGIN, links, render


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n" * 30_000,
        "- [" + "](memories/" * 50_000,
        "- [a](memories/\n" * 60_000,
        "- [a](memories/x.md) — y\n" * 40_000,
        "- [a](memories/" + ")" * 200_000,
        "- [a](memories/" + ") " * 200_000,
    ],
    ids=["markers", "links in a line", "open links", "lines", "brackets", "brackets and blanks"],
)
def test_no_index_takes_longer_than_reading_it(text: str) -> None:
    began = time.perf_counter()
    render(text.encode(), [])
    links(text.encode())
    assert time.perf_counter() - began < 3
