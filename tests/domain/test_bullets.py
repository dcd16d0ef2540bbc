"""Bullets: each item of a list is one, with what is indented below it and the headings above."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.bullets import bullets

MARKS = ("<!-- a -->", "<!-- b -->")
SKIP = (MARKS,)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- one\n- two\n", ["one", "two"]),
        ("* one\n+ two\n1. three\n2) four\n", ["one", "two", "three", "four"]),
        ("prose\n- one\n  goes on\n\nprose\n", ["one goes on"]),
        ("- one\ngoes on lazily\n- two\n", ["one goes on lazily", "two"]),
        ("- one\n  - inner\n  - other\n- two", ["one\n- inner\n- other", "two"]),
        ("- one\n\n  a paragraph\n\n- two", ["one\n\na paragraph", "two"]),
        ("- one\n  ```sh\n  # none\n\n  - none\n  ```\n- two", ["one\n```sh\n# none\n\n- none\n```", "two"]),
        ("```\n- no\n```\n- yes", ["yes"]),
        ("~~~\n- no\n```\n- no\n~~~\n- yes", ["yes"]),
        ("- one\n# heading\n- two", ["one", "two"]),
        ("* * *\n---\n- - -\n- one", ["one"]),
        ("-no\n-\n    - code\n", []),
        ("- one\r\n  goes on\r\n- two\r\n", ["one goes on", "two"]),
        ("- one\n<!-- a -->\n- no\n<!-- b -->\n- two\n<!-- a -->\n- no", ["one", "two"]),
        ("", []),
    ],
)  # fmt: skip
def test_items_of_a_text(text: str, items: list[str]) -> None:
    assert [bullet.text for bullet in bullets(text, skip=SKIP)] == items


def test_an_item_knows_its_line_and_the_headings_above_it() -> None:
    text = "# Top #\n\n- a\n## Deep\n- b\n### Deeper\n- c\n## Other\n- d\n# Next\n- e\n"
    told = [(bullet.line, bullet.headings) for bullet in bullets(text)]
    assert told == [
        (3, ("Top",)),
        (5, ("Top", "Deep")),
        (7, ("Top", "Deep", "Deeper")),
        (9, ("Top", "Other")),
        (11, ("Next",)),
    ]


LINES = st.sampled_from(["- a", "  - b", "", "c", "  d", "# h", "```", "  ```", "~~~", "---", "1. e", "\t- f", *MARKS])


@given(st.lists(LINES, max_size=14))
def test_items_are_lines_of_the_text_in_order_and_none_twice(lines: list[str]) -> None:
    found = list(bullets("\n".join(lines), skip=SKIP))
    ends = [(bullet.line, bullet.line + len(bullet.lines)) for bullet in found]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    for bullet in found:
        for offset, line in enumerate(bullet.lines):
            assert line in lines[bullet.line - 1 + offset]
