"""A block of ours in somebody else's file: where it goes, and that nothing around it changes."""

from __future__ import annotations

import pytest

from memdir_cli.storage.managed_block import HASH, Markers, inside, outside, with_block, without_block

BLOCK = b"# memdir:begin\none\n  two\n# memdir:end\n"


@pytest.mark.parametrize("content", [None, b""])
def test_a_file_that_is_not_there_becomes_the_block(content: bytes | None) -> None:
    assert with_block(content, ["one", "  two"], HASH) == BLOCK


@pytest.mark.parametrize(
    ("words", "opening"), [("", b"# memdir:begin\n"), ("by memdir", b"# memdir:begin by memdir\n")]
)
def test_the_first_line_ends_with_its_last_word(words: str, opening: bytes) -> None:
    assert with_block(None, [], HASH, words) == opening + b"# memdir:end\n"


def test_an_indented_marker_stands_as_it_is_given() -> None:
    assert with_block(None, ["x"], Markers("  <!-- a", "  <!-- b"), "c") == b"  <!-- a c\nx\n  <!-- b\n"


@pytest.mark.parametrize("above", [b"", b"a\n", b"\tfirst\n\n"])
@pytest.mark.parametrize("below", [b"", b"z\n", b"  last", b"\n# memdir:end\n"])
def test_a_block_is_replaced_where_it_stands_and_all_other_bytes_stay(above: bytes, below: bytes) -> None:
    content = above + BLOCK + below
    assert with_block(content, ["three"], HASH) == above + b"# memdir:begin\nthree\n# memdir:end\n" + below
    assert without_block(content, HASH) == above + below
    assert inside(content, HASH) == ["one", "  two"]
    assert outside(content, HASH) == (above + below).decode().split("\n")


def test_line_ends_are_those_of_the_file_and_belong_to_no_line() -> None:
    content = b"  a \r\n" + BLOCK.replace(b"\n", b"\r\n") + b"z\r\n"
    assert outside(content, HASH) == ["  a ", "z", ""]
    assert inside(content, HASH) == ["one", "  two"]
    assert with_block(content, ["x"], HASH) == b"  a \r\n# memdir:begin\r\nx\r\n# memdir:end\r\nz\r\n"


@pytest.mark.parametrize("content", [b"", b"a\nb\n", b"# memdir:begin\nnever closed\n"])
def test_where_no_block_is_none_has_lines(content: bytes) -> None:
    assert inside(content, HASH) == []
    assert without_block(content, HASH) == content
