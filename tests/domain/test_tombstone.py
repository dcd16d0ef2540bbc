"""What is forgotten: which ids, keys and texts it keeps out, what a user's word lets in again, and its lines."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.memory import Side
from memdir_cli.domain.tombstone import (
    NOTHING,
    TEXT_CHARACTERS,
    Entry,
    Lift,
    Tombstone,
    comparable,
    forgotten,
    identity_parts,
    line,
    long_texts,
    parse,
    parse_all,
)
from tests.records import ELSEWHERE, private, project, user

FIRST = Tombstone("a1", "key", "2026-09-01T08:00:00Z", "t1", ("words", "more"))
SECOND = Tombstone("a2", "key", "2026-09-02T08:00:00Z", "t2", ("words",))
BARE = Tombstone("a3", "", "2026-09-03T08:00:00Z", "t3")
STONES = (FIRST, SECOND, BARE)


def lift(*, identities: tuple[str, ...] = (), texts: tuple[str, ...] = ()) -> Lift:
    return Lift("new", identities, texts, "2026-09-04T08:00:00Z", "t4")


def test_neither_order_nor_repetition_of_the_lines_counts() -> None:
    expected = forgotten(STONES, ())
    assert expected.identities == {"key": (FIRST, SECOND)}, "the oldest first"
    assert expected.texts == {"words": (FIRST, SECOND), "more": (FIRST,)}
    assert expected.ids == {"a1": FIRST, "a2": SECOND, "a3": BARE}
    for stones in permutations((*STONES, FIRST)):
        assert forgotten(stones, ()) == expected
    assert expected
    assert not NOTHING


def test_of_two_of_one_moment_the_order_is_still_the_same() -> None:
    one, other = Tombstone("b", "key", FIRST.at, "t1"), Tombstone("a", "key", FIRST.at, "t2")
    third = Tombstone("c", "key", FIRST.at, "t1")
    for stones in permutations((one, other, third)):
        assert forgotten(stones, ()).identities["key"] == (one, third, other)


def test_a_users_word_lets_a_key_in_again_but_neither_the_id_nor_the_texts() -> None:
    found = forgotten(STONES, [lift(identities=("t1/a1",))])
    assert found.identities == {"key": (SECOND,)}, "what was forgotten later holds"
    assert found.texts == forgotten(STONES, ()).texts
    assert set(found.ids) == {"a1", "a2", "a3"}
    both = forgotten(STONES, [lift(identities=("t1/a1",)), lift(identities=("t2/a2",))])
    assert both.identities == {}


def test_a_text_comes_back_only_where_it_was_said_again() -> None:
    found = forgotten(STONES, [lift(texts=("t1/a1",))])
    assert found.texts == {"words": (SECOND,)}
    assert found.identities == forgotten(STONES, ()).identities


def test_standing_is_what_was_not_lifted_and_what_names_no_key() -> None:
    assert forgotten(STONES, ()).standing == {FIRST, SECOND, BARE}
    assert forgotten(STONES, [lift(identities=("t1/a1",))]).standing == {SECOND, BARE}


def test_a_memory_is_named_by_its_id_or_by_what_it_replaced() -> None:
    found = forgotten(STONES, ())
    assert found.named(project(id="a1").memory) == FIRST
    assert found.named(project(id="a4", supersedes="a2@3").memory) == SECOND
    assert found.named(project(id="a4", supersedes="a4@3").memory) is None
    assert found.named(project(id="a4").memory) is None
    assert found.named(project(id="x", supersedes="a2").memory) == SECOND, "a hand may have left the revision out"


def test_in_a_project_a_key_is_the_same_whatever_the_repository_is_called() -> None:
    here, there = project(predicate="Lint").memory, project(predicate="lint", repository=ELSEWHERE).memory
    assert identity_parts(here, "project") == ("identity", "lint", "repository", ""), "as in the files of others"
    assert identity_parts(here, "project") == identity_parts(there, "project")
    others = [
        project(predicate="build").memory,
        project(predicate="lint", topic="t").memory,
        user(predicate="lint").memory,
    ]
    assert len({identity_parts(one, "project") for one in (here, *others)}) == 4


def test_in_the_user_memdir_the_repository_counts() -> None:
    here, there = private().memory, private(repository=ELSEWHERE).memory
    assert identity_parts(here, "user") != identity_parts(there, "user")
    assert identity_parts(here, "user") == ("identity", *here.identity.key)


LONG = "keep the lockfile"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"value": LONG}, (LONG,)),
        ({"body": "  Keep   THE\nlockfile\n"}, (LONG,)),
        ({"description": LONG, "body": LONG, "value": LONG.upper()}, (LONG,)),
        ({"value": "x" * TEXT_CHARACTERS}, ("x" * TEXT_CHARACTERS,)),
        ({"value": "x" * (TEXT_CHARACTERS - 1)}, ()),
        ({"value": None, "sides": (Side("s", None, LONG, "user"), Side("t", "x" * 20, "", "user"))}, (LONG, "x" * 20)),
    ],
)
def test_texts_are_told_apart_by_wording_where_they_are_long_enough(
    keys: dict[str, Any], expected: tuple[str, ...]
) -> None:
    assert long_texts(project(**keys).memory) == expected


def test_composed_and_decomposed_letters_make_the_same_text() -> None:
    assert comparable("Cle\u0301 \t A") == comparable("clé a") == "clé a"


words = st.text(min_size=1, max_size=8)
several = st.lists(words, max_size=3).map(tuple)
tombstones = st.builds(Tombstone, words, st.text(max_size=8), words, words, several, st.text(max_size=8))
lifts = st.builds(Lift, words, several, several, words, words).filter(lambda one: one.identities or one.texts)


@given(tombstones | lifts)
def test_an_entry_is_read_as_it_was_written_and_lies_on_one_line(entry: Entry) -> None:
    text = line(entry)
    assert text.isprintable()
    assert parse(text.encode()) == entry


def test_a_line_is_what_older_files_hold() -> None:
    assert line(FIRST) == (
        '{"forgotten":"a1","identity":"key","texts":["words","more"],"at":"2026-09-01T08:00:00Z","txn":"t1"}'
    )
    assert line(BARE) == '{"forgotten":"a3","at":"2026-09-03T08:00:00Z","txn":"t3"}'
    assert line(lift(identities=("t1/a1",))) == (
        '{"lifted":"new","identities":["t1/a1"],"at":"2026-09-04T08:00:00Z","txn":"t4"}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "7", '{"forgotten":"a"}', '{"forgotten":"a","at":"t"}', '{"forgotten":"a","txn":"t"}',
        '{"forgotten":"","at":"t","txn":"t"}', '{"forgotten":7,"at":"t","txn":"t"}', '{"at":"t","txn":"t"}',
        '{"forgotten":"a","at":"t","txn":"t","identity":7}', '{"forgotten":"a","at":"t","txn":"t","texts":"x"}',
        '{"forgotten":"a","at":"t","txn":"t","texts":[7]}', '{"forgotten":"a","at":"t","txn":"t","memdir":[]}',
        '{"lifted":"a","at":"t","txn":"t"}', '{"lifted":"a","at":"t","txn":"t","identities":[7]}',
        '{"lifted":"a","at":"t","txn":"t","identities":["x"],"texts":7}',
        '{"lifted":7,"at":"t","txn":"t","texts":["x"]}',
    ],
)  # fmt: skip
def test_what_is_no_entry_is_none(text: str) -> None:
    assert parse(text.encode()) is None


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    content = f"{line(FIRST)}\n\nnonsense\n  \n{line(BARE)}".encode()
    assert list(parse_all(content)) == [(1, FIRST), (3, None), (5, BARE)]
