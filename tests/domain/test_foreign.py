"""Foreign: the keys that entries of other tools get, whatever they are called there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.foreign import Entry, key_of, keyed
from memdir_cli.domain.identity import fold, parse_predicate


def entry(*name: str, value: str | None = "v", body: str = "") -> Entry:
    return Entry("/a/b.md", 1, value or body, name, value, body=body)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (("Known Recurring Issues",), "known-recurring-issues"),
        (("activeContext",), "activeContext"),
        (("README",), "readme"),
        (("project_overview",), "project_overview"),
        (("docs", "decisions", "0014-allow"), "docs.decisions.0014-allow"),
        (("Testing", "Run `npm test`!"), "testing.run-npm-test"),
        (("v1.2 … (draft)",), "v1-2-draft"),
        (("基本的なルール",), "基本的なルール"),
        (("", "—"), "note"),
        (("../..", ".hidden"), "hidden"),
        (("The activeContext",), "the-activecontext"),
        # cut at a word, and never in the middle of the name
        (("x" * 61,), "x" * 60),
        (("x" * 29 + " " + "y" * 30,), "x" * 29 + "-" + "y" * 30),
        (("x" * 29 + " " + "y" * 31,), "x" * 29),
        (("x" * 59 + " y",), "x" * 59),
        (("x" * 50 + " " + "y" * 20 + " z",), "x" * 50),
    ],
)
def test_keys_of_names(name: tuple[str, ...], key: str) -> None:
    assert key_of(name) == key


@given(st.lists(st.text(max_size=90), max_size=3))
def test_a_key_is_one_whatever_the_name(name: list[str]) -> None:
    key = key_of(name)
    assert parse_predicate(key) == key
    assert key_of(name) == key
    assert all(len(part) <= 60 for part in key.split("."))


def test_keys_are_told_apart_and_what_is_said_twice_comes_once() -> None:
    entries = [entry("A b"), entry("a B", value="w"), entry("a b"), entry("a-b", value="x"), entry("c", value="w")]
    assert [(key, one.value) for key, one in keyed(entries)] == [
        ("a-b", "v"),
        ("a-b-2", "w"),
        ("a-b-3", "x"),
        ("c", "w"),
    ]
    twice = [entry("a", value=None, body="The text."), entry("a", value=None, body="\nThe text. \n")]
    assert [key for key, _ in keyed(twice)] == ["a"]


@given(st.lists(st.tuples(st.sampled_from(["a", "A", "a-2", "b", "ß", "SS"]), st.sampled_from("xyz")), max_size=12))
def test_no_two_entries_have_the_same_key(names: list[tuple[str, str]]) -> None:
    found = keyed(entry(name, value=value) for name, value in names)
    keys = [fold(key) for key, _ in found]
    assert len(keys) == len(set(keys))
    said = {(fold(key_of((name,))), value) for name, value in names}
    assert len(found) == len(said)


def test_an_entry_is_known_by_its_words_not_by_its_place() -> None:
    assert entry("a").digest == entry("b").digest
    assert entry("a").digest != entry("a", value="w").digest
    assert len(entry("a").digest) == 16
