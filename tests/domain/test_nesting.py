"""Texts that go deeper than a reader should follow."""

from __future__ import annotations

import time

import pytest

from memdir_cli.domain.nesting import BEYOND_ALL_BOUNDS, is_bottomless


@pytest.mark.parametrize("unit", ["[", "{", "[{", "[a, ", "{a: ", "[\n", "[[]", "]["])
def test_what_opens_and_opens_is_bottomless(unit: str) -> None:
    assert is_bottomless(unit * (BEYOND_ALL_BOUNDS + 1)) is (unit != "][")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * BEYOND_ALL_BOUNDS,
        "[]" * 10_000,
        "]" * 10_000 + "[",
        "]" + "[" * BEYOND_ALL_BOUNDS,
        "a: [b, {c: d}]\n" * 9_000,
    ],
)
def test_what_closes_again_is_not(text: str) -> None:
    assert not is_bottomless(text)


def test_it_takes_no_longer_than_reading() -> None:
    began = time.process_time()
    is_bottomless("[]{}" * 250_000)
    assert time.process_time() - began < 1
