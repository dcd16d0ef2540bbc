"""Ids that are made of texts: the same on every machine and in every version."""

from __future__ import annotations

import pytest

from memdir_cli.domain.ids import ALPHABET, LENGTH, LETTERS, derived, spelt


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("a", "bc"), "vg578rtjxtq3r"),
        (("ab", "c"), "bfhmc3hea1tjt"),
        (("häß", ""), "k7qap71nv7g8f"),
        (("\ud800",), "xfmaqakcamwy8"),
    ],
)
def test_an_id_of_texts_is_the_same_for_ever(texts: tuple[str, ...], found: str) -> None:
    assert derived(*texts) == found


def test_an_id_begins_with_a_letter_and_has_no_more_than_its_length() -> None:
    for first in range(256):
        made = spelt(bytes([first]) + bytes(range(40)))
        assert (len(made), made[0] in LETTERS, set(made) <= {*LETTERS, *ALPHABET}) == (LENGTH, True, True)
