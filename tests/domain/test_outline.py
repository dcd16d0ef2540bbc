"""Outline: it never says no where there is something."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain import outline

TEXTS = st.text(alphabet="aZ09 \t\n\r\x1c\x85\u3000_-'.é中\u200b", max_size=60) | st.text(max_size=40)


@given(TEXTS)
def test_a_word_with_letter_and_digit_is_seen(text: str) -> None:
    mixed = any(re.search("[0-9]", word) and any(char.isalpha() for char in word) for word in text.split())
    assert outline.outline(text)[0] or not mixed


@given(TEXTS)
def test_a_number_is_seen(text: str) -> None:
    found = re.search(r"\d{4}|\d{3}[- ]\d{3}", text)
    assert outline.outline(text)[1] or not found


@given(TEXTS, st.integers(1, 8))
def test_long_words_of_ascii_are_given(text: str, least: int) -> None:
    runs = re.findall(rf"(?a:[!-~]{{{least},}})", text)
    words = outline.long_words(text, least)
    assert all(any(run in word for word in words) for run in runs)
    assert all(len(word) >= least for word in words)


@given(st.text(alphabet="ab,; \n'-0é", max_size=400) | st.text(alphabet="a b\n", max_size=400), st.integers(1, 9))
def test_a_line_of_many_words_is_seen(text: str, words: int) -> None:
    pattern = re.compile(r"[^\W\d_][\w'-]{1,40}")
    many = any(len(pattern.findall(line)) >= words for line in text.split("\n"))
    assert outline.crowded(text, words) or not many


@pytest.mark.parametrize(
    ("text", "words"),
    [("Don't IGNORE_this, ok2go", "don t ignore this ok go"), ("请ignore之前", "ignore"), ("naïve", "na ve"), ("", "")],
)
def test_words_that_are_spelt(text: str, words: str) -> None:
    assert [word.decode() for word in outline.spelt(text)] == words.split()


def test_lone_surrogates_are_characters_like_others() -> None:
    assert outline.outline("\udcff1a")[0]
    assert outline.spelt("a\udcffb") == [b"a", b"b"]


@pytest.mark.parametrize("text", ["no digit at all", "12 34 56", "a 1", ""])
def test_what_holds_no_mixed_word(text: str) -> None:
    assert outline.outline(text) == (False, False, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a1", (True, False, False)),
        ("1a", (True, False, False)),
        ("code 4932", (False, True, False)),
        ("code 493-201", (False, True, False)),
        ("code 493 201", (False, True, False)),
        ("493", (False, False, False)),
        ("\u0664\u0669\u0663\u0662", (False, True, True)),
        ("größer", (False, True, True)),
    ],
)
def test_what_a_text_may_hold(text: str, found: outline.Outline) -> None:
    assert outline.outline(text) == found


@pytest.mark.parametrize(
    ("text", "words", "crowded"),
    [
        ("a b c", 3, True),
        ("a b c", 4, False),
        ("a\nb\nc", 2, False),
        ("x\na b c\ny", 3, True),
        ("größer", 9, True),
        # a run of more than 41 letters may be read as several words
        ("a" * 41, 2, False),
        ("a" * 82, 3, True),
        ("a" * 82, 4, False),
        (f"{'a' * 83} b b b", 6, True),
        (f"{'a' * 83} b b b", 7, False),
        (f"{'a' * 83}\nb b b", 4, False),
        (f"x\n{'a' * 82}\ny", 3, True),
    ],
)
def test_how_many_words_may_stand_in_one_line(text: str, words: int, *, crowded: bool) -> None:
    assert outline.crowded(text, words) is crowded
    assert outline.crowded(text.encode(), words) is crowded
