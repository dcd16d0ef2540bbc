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
        ("- one\n<!-- a --> said more\n- no\n<!-- b -->\n- two", ["one", "two"]),
        ("<!-- a -->\r\n- no\r\n<!-- b -->\r\n- - -\r\n- one  \r\n\r\n  two\r\n", ["one\n\ntwo"]),
        ("- one\n---\n- two\n***\nprose", ["one", "two"]),
        ("- one\n - two", ["one", "two"]),
        ("- 12. Juni: no deploy\n  on that day", ["12. Juni: no deploy on that day"]),
        ("- one\n\n\ta paragraph\n\n \tanother", ["one\n\na paragraph\n\nanother"]),
        ("- one\n\n\u00a0\u00a0prose", ["one"]),
        ("", []),
    ],
)  # fmt: skip
def test_items_of_a_text(text: str, items: list[str]) -> None:
    assert [bullet.text for bullet in bullets(text, skip=SKIP)] == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- one\n  ```\n    code\n  ```", ["one\n```\n  code\n```"]),
        ("- one\n\t```\n\tcode\n\t```\n- two", ["one\n```\ncode\n```", "two"]),
        ("- one\n```\n- no\n```\n- two", ["one", "two"]),
        ("- ```\n  - none\n  ```\n- two", ["```\n- none\n```", "two"]),
        # lines of a fence that its writer did not indent
        ("- one\n  ```\n# a\n  ~~~\n# b\n  ```\n- two", ["one\n```\n# a\n~~~\n# b\n```", "two"]),
        ("- one\n  ````\n# a\n  ```\n# b\n  ````\n- two", ["one\n````\n# a\n```\n# b\n````", "two"]),
        ("- one\n  ~~~\n- none", ["one\n~~~\n- none"]),
        # three backticks within a sentence open nothing
        ("- ```npm ci``` first,\n  ```npm test``` then\n- two", ["```npm ci``` first, ```npm test``` then", "two"]),
        ("```\n- no\n```  \n- one", ["one"]),
        ("```npm ci``` first\n- one", ["one"]),
        # only a bare one closes
        ("```\n- no\n```js\n- no\n```\n- one", ["one"]),
    ],
)  # fmt: skip
def test_a_fence_is_taken_whole(text: str, items: list[str]) -> None:
    assert [bullet.text for bullet in bullets(text)] == items


def test_headings_of_a_file_with_carriage_returns_are_the_same() -> None:
    assert [bullet.headings for bullet in bullets("# Top\r\n## Deep #\r\n- a\r\n")] == [("Top", "Deep")]


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
