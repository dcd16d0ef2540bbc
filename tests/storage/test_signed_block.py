"""A signed block in a text of others, and a page of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.bullets import bullets
from memdir_cli.storage import signed_block
from memdir_cli.storage.signed_block import HASH, INSTRUCTIONS, standing, with_signed, without_signed

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


@pytest.mark.parametrize("content", [b"", b"mine", b"mine\n", b"mine\r\n\r\n"])
def test_where_there_is_no_block_none_goes(content: bytes) -> None:
    assert without_signed(content, INSTRUCTIONS) == content


#: As they have been written since the first version.
MADE = b"""\
<!-- memdir:instructions:begin a d95758a28132 -->
## Memory

- one
- two
<!-- memdir:instructions:end -->
"""
PAGE = b"""\
## Memory

- one
- two

<!-- written by memdir install a d95758a28132 -->
"""


def test_what_was_written_before_is_known_again() -> None:
    assert with_signed(None, LINES, INSTRUCTIONS, ["a"]) == MADE
    assert signed_block.page(LINES, "a") == PAGE
    assert signed_block.is_own_page(PAGE)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_blanks_at_the_ends_of_lines_change_nothing(ending: str) -> None:
    blanks = MADE.decode().replace("\n", f"  {ending}").encode()
    found = standing(blanks, INSTRUCTIONS)
    assert found is not None
    assert (found.owners, found.edited) == (("a",), False)
    indented = standing(MADE.replace(b"- two", b"  - two"), INSTRUCTIONS)
    assert indented is not None
    assert indented.edited, "but those at their beginnings do"


def test_a_block_ends_its_lines_as_the_text_around_it_does() -> None:
    made = with_signed(b"# App\r\n", LINES, INSTRUCTIONS, ["a"])
    assert made == MADE.replace(b"\n", b"\r\n") + b"# App\r\n"


def test_a_block_is_indented_as_its_first_line_and_its_markers_are_comments_of_their_language() -> None:
    lines = ("  - repo: x", "", "    hooks: []")
    made = with_signed(b"repos:\n", lines, HASH, ["a", "b"], len(b"repos:\n"))
    begin, *inside, end = made.decode().splitlines()[1:]
    assert (begin, tuple(inside), end) == (
        f"  # memdir:begin a b {signed_block.digest(lines)}",
        lines,
        "  # memdir:end",
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"written by memdir install", b"written by somebody"), (b"two\n\n", b"two\nmine\n"), (b"<!--", b"x <!--")],
)
def test_a_page_that_somebody_has_signed_otherwise_is_not_ours(old: bytes, new: bytes) -> None:
    assert PAGE.count(old) == 1
    assert not signed_block.is_own_page(PAGE.replace(old, new))


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
