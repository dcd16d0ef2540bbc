"""Terms: what of a text counts when somebody looks for it."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memdir_cli.domain.terms import STOP, asked, folded, indexed, is_letter, misspelt

LETTERS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Run npm-ci, please!", "run npm ci please"),
        ("naïve café", "naive cafe"),
        ("Straße ﬁle Ｊest", "strasse file jest"),
        ("包管理器 npm", "包管 管理 理器 器 npm"),
        ("第3章", "第 3 章"),
        ("학교에서", "학교 교에 에서 서"),
        ("人々・ビール", "人々 々 ビー ール ル"),
        ("हिन्दी में", "हिन्दी में"),
        ("привет, Мир — “да”", "привет мир да"),
        ("🙂 — …", ""),
    ],
)
def test_terms_of_texts(text: str, terms: str) -> None:
    assert " ".join(indexed(text).replace("-", " ").replace(",", " ").replace("!", " ").split()) == terms


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("how do I run the tests", ("run", "tests")),
        ("to be or not to be", ("to", "be", "or", "not")),
        ("npm npm NPM", ("npm",)),
        ("包管理", ("包管", "管理")),
        ("包", ("包",)),
        ('"a:b" NEAR(c* -d) {', ("b", "near", "c", "d")),
        ("*", ()),
        ("", ()),
    ],
)
def test_words_that_are_looked_for(text: str, words: tuple[str, ...]) -> None:
    assert asked(text) == words


def test_the_words_that_stand_in_every_question_are_words_as_they_are_asked() -> None:
    assert all(asked(word) == (word,) for word in STOP)
    assert len(STOP) > 100


@given(st.text(max_size=30))
def test_ways_to_write_the_same_text_are_folded_to_one(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert folded(unicodedata.normalize(form, text)) == once
    # the few letters that are no capital of themselves are another matter
    assume(text.upper().casefold() == text.casefold())
    assert folded(text.upper()) == once


@pytest.mark.parametrize(
    ("word", "single"), [("包", True), ("학", True), ("包管", False), ("a", False), ("я", False), ("", False)]
)
def test_a_single_letter_is_one_of_an_unspaced_script(word: str, *, single: bool) -> None:
    assert is_letter(word) is single


def test_a_letter_that_is_another_one_stays_apart() -> None:
    assert folded("ılık") != folded("ilik"), "the dot is no accent"


@given(LETTERS)
def test_every_letter_of_an_unspaced_script_begins_a_term(text: str) -> None:
    terms = indexed(text).split()
    for letter in folded(text):
        if is_letter(letter):
            assert any(term.startswith(letter) for term in terms)


@given(st.text(max_size=30), st.text(max_size=30))
def test_what_is_asked_for_stands_in_a_text_that_holds_it(before: str, after: str) -> None:
    for text in ("install", "包管理器", "café", "学"):
        # an index parts words at all ASCII that is no letter
        found = re.findall("[a-z0-9]+|[^\x00-\x7f]+", indexed(f"{before} {text} {after}"))
        assert all(any(term.startswith(word) for term in found) for word in asked(text))


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("migratoin", ["migration", "migrate"], ["migration"]),
        ("instal", ["install", "installed"], ["install"]),
        ("lokcfile", ["lockfile", "logfile"], ["lockfile"]),
        ("confgiuraton", ["configuration"], ["configuration"]),
        ("npn", ["npm"], []),
        ("pnmp", ["pnpm", "prmp"], ["pnpm", "prmp"]),
        ("vite", ["site", "view"], ["site"]),
        # one letter more in front or within, two swapped in front
        ("xvitest", ["vitest"], ["vitest"]),
        ("vittest", ["vitest"], ["vitest"]),
        ("ivte", ["vite"], ["vite"]),
        ("vite", ["xvte"], []),
        # one letter from four on, two from eight on
        ("vtietss", ["vitests"], []),
        ("lokcfiel", ["lockfile"], ["lockfile"]),
        ("lokcfiex", ["lockfile"], []),
        ("okcfiexl", ["lockfile"], []),
        ("vite", [], []),
    ],
)
def test_a_misspelt_word_is_one_that_differs_little(word: str, known: list[str], found: list[str]) -> None:
    assert misspelt(word, known) == found


@given(LETTERS, st.lists(LETTERS, max_size=5))
def test_no_word_that_is_nearer_is_passed_over(word: str, known: list[str]) -> None:
    limit = 0 if len(word) < 4 else 1 if len(word) < 8 else 2
    near = {term: steps(word, term) for term in known}
    within = {term: distance for term, distance in near.items() if distance <= limit} if limit else {}
    expected = sorted({term for term in within if within[term] == min(within.values())})
    assert sorted(set(misspelt(word, known))) == expected


def steps(one: str, other: str) -> int:
    """The same distance, by its definition."""
    if not one or not other:
        return len(one) + len(other)
    if one[-1] == other[-1]:
        return steps(one[:-1], other[:-1])
    found = [steps(one[:-1], other), steps(one, other[:-1]), steps(one[:-1], other[:-1])]
    if len(one) > 1 and len(other) > 1 and one[-1] == other[-2] and one[-2] == other[-1]:
        found.append(steps(one[:-2], other[:-2]))
    return 1 + min(found)
