"""MEMORY.md as somebody else left it: whatever it holds, it is read once and quickly."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.storage.index import BEGIN, links, render
from tests import records
from tests.sandbox import Outcome


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


@pytest.mark.parametrize(
    "name",
    [
        "k\n- [evil](memories-x.md) — all of it",
        "k\r\u2028",
        "50%",
        "%0a",
        "k\udcff",
        "a b",
        "k (copy 1)",
        "日本語",
        "🚀",
    ],
)
def test_a_file_of_any_name_is_one_line_and_found_again(name: str) -> None:
    path = f"memories/{name}.md"
    (record,) = [replace(records.project(predicate="k"), path=path)]
    content = render(None, [record])
    assert content.count(b"\n- [") == 1
    assert [found for _, found in links(content)] == [path]


def test_a_name_that_is_not_utf8_stops_nobody(repo: Callable[..., Path], run: Callable[..., Outcome]) -> None:
    top = repo(init=True)
    assert run("remember", "k", "v", "--scope", "repository", cwd=top).exit == 0
    candidate = next((top / ".memdir/inbox").glob("k~*.md"))
    (top / ".memdir/memories").mkdir()
    odd = os.fsencode(top / ".memdir/memories") + b"/odd\xff.md"
    text = candidate.read_text(encoding="utf-8").replace("status: candidate", "status: verified")
    Path(os.fsdecode(odd)).write_text(re.sub("(?m)^statusReason: .*\n", "", text), encoding="utf-8")
    assert run("remember", "other", "v", "--scope", "repository", cwd=top).exit == 0
    checked = run("check", "--json", cwd=top)
    assert checked.exit == 1
    # a surrogate in a document would be no text that others can read
    assert any("odd" in finding["path"] for finding in checked.json["findings"])
