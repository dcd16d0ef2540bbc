"""Markdown: a text of anybody on a line of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.markdown import code, cut, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("npm ci", "`npm ci`"),
        ("", "`  `"),
        ("`a", "`` `a ``"),
        ("a`", "`` a` ``"),
        ("a``b", "```a``b```"),
        # a blank at one end, where a reader would take one from both
        (" a", "`  a `"),
        ("a ", "` a  `"),
        ("a\nb\x1b", "`a\\nb\\x1b`"),
    ],
)
def test_code_is_one_span_however_many_backticks_it_holds(text: str, shown: str) -> None:
    assert code(text) == shown


@pytest.mark.parametrize(
    ("text", "size", "shown"), [("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("abcd", 5, "abcd"), ("", 1, "")]
)
def test_a_text_is_cut_to_its_beginning(text: str, size: int, shown: str) -> None:
    assert cut(text, size) == shown


@given(st.text(), st.integers(1, 20))
def test_no_text_is_longer_than_it_may_be(text: str, size: int) -> None:
    assert len(cut(text, size)) == min(len(text), size)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a  b\n\tc", "a b c"), ("<!-- x -->", "&lt;!-- x -->"), ("```sh", "'''sh"), ("\u202ea", "\\u202ea")],
)
def test_a_plain_line_has_no_structure(text: str, shown: str) -> None:
    assert plain(text) == shown
