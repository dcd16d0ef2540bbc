"""The lines by which git merges what is in a memdir: put in once, taken out again, and known."""

from __future__ import annotations

import pytest

from memdir_cli.storage import attributes
from memdir_cli.storage.attributes import DRIVEN, UNION

OWN = b"# ours\n*.png binary\n"


@pytest.mark.parametrize("before", [b"", OWN, attributes.NEW, OWN + f"{UNION[0]}\n".encode()])
def test_every_line_that_merging_needs_stands_once_and_goes_again(before: bytes) -> None:
    after = attributes.with_driver(before)
    lines = after.decode().splitlines()
    assert [lines.count(line) for line in (*UNION, *DRIVEN)] == [1] * len((*UNION, *DRIVEN))
    assert attributes.with_driver(after) == after
    assert attributes.without_driver(after) == before


def test_a_file_that_is_not_there_gets_the_block_alone() -> None:
    after = attributes.with_driver(None)
    assert after == attributes.with_driver(b"")
    assert attributes.without_driver(after) == b""


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (None, False),
        (attributes.NEW, False),
        (attributes.with_driver(None), True),
        (OWN + f"{DRIVEN[0]}\n".encode(), True),
        (f"#{DRIVEN[0]}\n".encode(), False),
        (b"merge=memdir\n", False),
    ],
)
def test_the_driver_is_named_by_a_line_that_is_no_remark(content: bytes | None, *, named: bool) -> None:
    assert attributes.names_driver(content) is named
