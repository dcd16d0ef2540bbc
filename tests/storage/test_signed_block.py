"""A signed block in a text of others, and a page of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.bullets import bullets
from memdir_cli.storage import signed_block
from memdir_cli.storage.signed_block import INSTRUCTIONS, standing, with_signed, without_signed

LINES = ("## Memory", "", "- one", "- two")

TEXTS = st.builds(
    lambda mark, header, text, newline: mark + (header + text).replace("\n", newline).encode(),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from(["", "", "---\nx: 1\n---\n", "---\nx: 1\n---", "---\nnever closed\n"]),
    st.text() | st.lists(st.sampled_from(["# App\n", "- a\n", "\n", "---\n", INSTRUCTIONS.begin, "x"])).map("".join),
    st.sampled_from(["\n", "\r\n"]),
)


@given(TEXTS)
def test_a_block_comes_and_goes_without_a_trace(text: bytes) -> None:
    once = with_signed(text, LINES, INSTRUCTIONS, ["a"], signed_block.top(text))
    assert standing(once, INSTRUCTIONS) == signed_block.Standing(("a",), LINES, edited=False)
    assert with_signed(once, LINES, INSTRUCTIONS, ["a"], signed_block.top(once)) == once
    both = with_signed(once, [*LINES, "- three"], INSTRUCTIONS, ["a", "b"])
    assert without_signed(both, INSTRUCTIONS) == without_signed(once, INSTRUCTIONS) == text
    assert not [
        one for one in bullets(once.decode(), skip=[(INSTRUCTIONS.begin, INSTRUCTIONS.end)]) if one.text == "two"
    ]


def test_a_file_that_is_made_for_a_block_goes_with_it_and_an_empty_one_stays() -> None:
    made = with_signed(None, LINES, INSTRUCTIONS, ["a"])
    assert without_signed(made, INSTRUCTIONS) is None
    assert without_signed(with_signed(b"", LINES, INSTRUCTIONS, ["a"]), INSTRUCTIONS) == b""
    assert without_signed(made + b"mine\n", INSTRUCTIONS) == b"mine\n"


@pytest.mark.parametrize(("old", "new"), [("- two", "- 2"), ("- two\n", "- two\n- three\n"), ("- one\n", "")])
def test_a_change_inside_is_seen(old: str, new: str) -> None:
    made = with_signed(None, LINES, INSTRUCTIONS, ["a"])
    found = standing(made.replace(old.encode(), new.encode()), INSTRUCTIONS)
    assert found is not None
    assert found.edited
    page = signed_block.page(LINES, "a")
    assert signed_block.is_own_page(page)
    assert not signed_block.is_own_page(page.replace(old.encode(), new.encode()))


@given(st.binary() | st.text().map(str.encode))
def test_a_file_of_somebody_else_is_no_page_of_ours(content: bytes) -> None:
    assert not signed_block.is_own_page(content)
    assert standing(content, INSTRUCTIONS) is None
