"""What is shown of a text that anybody may have written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("npm ci, for the lockfile", "npm ci, for the lockfile"),
        ("Größe 設計 🚀", "Größe 設計 🚀"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("é\u202etxt.exe", "é\\u202etxt.exe"),
        ("a\u00a0b\u200bc\u2028d", "a\\xa0b\\u200bc\\u2028d"),
        ("\ud800", "\\ud800"),
        ("\U000e0061", "\\U000e0061"),
    ],
)
def test_what_steers_or_hides_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_nothing_is_left_that_is_a_control_a_format_or_an_odd_space(text: str) -> None:
    shown = printable(text)
    assert not [char for char in shown if unicodedata.category(char)[0] in "CZ" and char != " "]
    assert printable(shown) == shown
