"""Search: what of a memory is looked at, and what makes a find a better one."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.memory import Side
from memdir_cli.domain.search import FIELDS, Counts, Match, Place, Reason, ranked, texts
from tests.records import project, user

NOWHERE: Counts = (0, 0, 0, 0, 0)


def counts(**fields: int) -> Counts:
    return tuple(fields.get(name, 0) for name in FIELDS)


def place(name: str) -> Place:
    return ("project", name)


def test_every_part_of_a_memory_is_looked_at() -> None:
    record = project(
        predicate="test_command",
        name="Tests",
        value="npm test",
        path="packages/web/**",
        topic="speed",
        environment={"os": "linux"},
        version="^2",
        description="how to test",
        body="Why: it is fast",
    )
    told = dict(zip(FIELDS, texts(record), strict=True))
    assert told["key"].split("\n") == ["test_command", "Tests"]
    assert told["value"].strip() == "npm test"
    assert told["qualifiers"].split("\n") == ["packages/web/**", "speed", "os linux"]
    assert told["description"] == "how to test"
    assert told["body"] == "Why: it is fast"


def test_a_conflict_is_found_by_its_sides_and_a_quarantined_memory_by_its_key_alone() -> None:
    sides = (Side("s1", "tabs", "wide", "user"), Side("s2", "spaces", "", "user"))
    conflicted = project(value=None, status="conflicted", sides=sides)
    assert "spaces" in texts(conflicted)[1]
    assert "wide" in texts(conflicted)[3]
    nothing = project(value=None, status="conflicted", sides=(Side("s1", None, "none", "user"), sides[1]))
    assert texts(nothing)[1].split() == ["spaces"]
    for record in (
        project(value="poison", body="poison", status="quarantined"),
        user(value="poison", body="poison", folder="quarantine"),
    ):
        assert texts(record) == ("package_manager", "", "", "", "")


def test_a_word_that_few_memories_hold_weighs_more() -> None:
    lengths = {place(name): 10 for name in "abcdef"}
    common = Match("test", "word", {place(name): counts(body=1) for name in "abcde"})
    rare = Match("lockfil", "word", {place("f"): counts(body=1)})
    hits = ranked({"tests": [common], "lockfile": [rare]}, lengths)
    assert max(hits, key=lambda where: hits[where].score) == place("f")
    assert hits[place("f")].reasons == (Reason("lockfile", "lockfil", "word", ("body",)),)


def test_the_key_weighs_more_than_the_text_and_a_short_text_more_than_a_long_one() -> None:
    places = {place("key"): counts(key=1), place("body"): counts(body=1), place("long"): counts(body=1)}
    hits = ranked({"x": [Match("x", "word", places)]}, {place("key"): 10, place("body"): 10, place("long"): 500})
    scores = [hits[place(name)].score for name in ("key", "body", "long")]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_a_word_itself_weighs_more_than_one_that_is_like_it() -> None:
    lengths = {place(name): 10 for name in "abc"}
    scores = []
    for how in ("word", "beginning", "spelling"):
        hits = ranked({"x": [Match("x", how, {place("a"): counts(body=1)})]}, lengths)
        scores.append(hits[place("a")].score)
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_of_several_terms_that_fit_a_word_the_best_counts_once() -> None:
    both = [Match(term, "beginning", {place("a"): counts(body=1)}) for term in ("config", "configur")]
    hits = ranked({"conf": both}, {place("a"): 10, place("b"): 10})
    assert hits[place("a")].reasons == (Reason("conf", "config", "beginning", ("body",)),), "the first of equals"


def test_a_better_fit_that_comes_later_counts() -> None:
    near = Match("lint", "spelling", {place("a"): counts(body=1)})
    same = Match("link", "word", {place("a"): counts(key=1)})
    lengths = {place("a"): 10, place("b"): 10}
    for matches in ([near, same], [same, near]):
        hits = ranked({"link": matches}, lengths)
        assert hits == ranked({"link": [same]}, lengths)


@pytest.mark.parametrize(
    ("stands", "scores"),
    [
        # the logarithm of 1 + (2 - 1 + 0.5) / (1 + 0.5), times 1 * 2.2 / (1 + 1.2 * (1 - 0.5 + 0.5 * 10 / 20))
        ({"a": counts(body=1)}, {"a": 0.8026}),
        ({"a": counts(key=1)}, {"a": 1.0517}),
        ({"b": counts(body=1)}, {"b": 0.61}),
        ({"a": counts(body=1), "b": counts(body=1)}, {"a": 0.2111, "b": 0.1604}),
    ],
)
def test_a_score_is_that_of_okapi_bm25(stands: dict[str, Counts], scores: dict[str, float]) -> None:
    lengths = {place("a"): 10, place("b"): 30}
    match = Match("x", "word", {place(name): found for name, found in stands.items()})
    hits = ranked({"x": [match]}, lengths)
    assert {where[1]: hit.score for where, hit in hits.items()} == scores
    twice = ranked({"x": [match], "y": [match]}, lengths)
    assert all(twice[where].score == pytest.approx(2 * hit.score, abs=1e-3) for where, hit in hits.items())


def test_nothing_is_found_where_nothing_is() -> None:
    assert ranked({"x": []}, {}) == {}
    assert ranked({}, {place("a"): 0}) == {}


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 50), min_size=1),
    st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=4),
    st.randoms(use_true_random=False),
)
def test_a_score_is_positive_and_depends_on_no_order(
    lengths: dict[str, int], words: list[list[str]], shuffled: object
) -> None:
    whole = {place(name): length for name, length in lengths.items()}
    found = {
        f"w{number}": [Match(f"t{number}", "word", {place(n): counts(body=1) for n in holders if n in lengths})]
        for number, holders in enumerate(words)
    }
    hits = ranked(found, whole)
    assert all(hit.score > 0 for hit in hits.values())
    assert hits.keys() == {place(name) for holders in words for name in holders if name in lengths}
    names = list(whole)
    shuffled.shuffle(names)  # type: ignore[attr-defined]
    turned = {
        word: [dataclasses.replace(match, places=dict(reversed([*match.places.items()]))) for match in matches]
        for word, matches in found.items()
    }
    assert ranked(turned, {name: whole[name] for name in names}) == hits
