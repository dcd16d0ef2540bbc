"""Which name a wrong one was probably meant to be."""

from __future__ import annotations

import pytest

from memdir_cli.domain.nearest import near, nearest


@pytest.mark.parametrize(
    ("name", "names", "found"),
    [
        ("linter", ["liner", "printer", "editor"], ["liner", "printer"]),
        ("LINTER", ["Liner"], ["Liner"]),
        ("abc12", ["abc34"], ["abc34"]),
        ("abc12", ["abcd34"], []),
        ("abc", ["cba"], []),
        ("npm", ["npm", "NPM", "npn"], ["npn"]),
        ("", ["a"], []),
        ("a", [], []),
    ],
)
def test_names_that_are_alike_the_nearest_first(name: str, names: list[str], found: list[str]) -> None:
    assert near(name, names, 3) == found
    assert nearest(name, names) == (found[0] if found else "")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_no_more_are_given_than_were_asked_for(count: int) -> None:
    assert len(near("key", ["key1", "key2", "key3", "key4", "key5"], count)) == count


def test_of_names_that_are_equally_near_it_is_always_the_same_one() -> None:
    assert nearest("key", {"key1", "key2"}) == nearest("key", ["key2", "key1"])
