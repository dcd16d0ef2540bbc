"""Sameness of texts: line ends around one are nobody's statement, and every letter is."""

from __future__ import annotations

import pytest

from memdir_cli.domain.sameness import same_value
from tests.records import project


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("By hand.", "\r\nBy hand.\n\n", True),
        ("By hand.", " By hand.", False),
        ("X", "XX", False),
        ("Xcode", "code", False),
        ("macOS X", "macOS ", False),
    ],
)
def test_bodies_are_the_same_but_for_the_line_ends_around_them(one: str, other: str, *, same: bool) -> None:
    first, second = (project(value=None, body=body).memory for body in (one, other))
    assert same_value(first, second) is same
    assert same_value(second, first) is same
