"""Everything that YAML may write: where it stands, how deep it may go, and what of it is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memdir_cli.storage.codec.full_reader import DEPTH, Extent, read_full
from memdir_cli.storage.problems import Malformed

PLAIN = "b: x\n"


@pytest.mark.parametrize(
    ("text", "extent"),
    [
        pytest.param("a: xy\n", Extent("a", 0, 5, open=False), id="words"),
        pytest.param("a: 'xy'\n", Extent("a", 0, 7, open=False), id="quoted"),
        pytest.param("a: [1, 2]\n", Extent("a", 0, 9, open=False), id="in brackets"),
        pytest.param("a:\n  - 1\n  - 2\n", Extent("a", 0, 14, open=False), id="a list"),
        pytest.param("a:\n  c: 1\n  d:\n", Extent("a", 0, 9, open=False), id="up to the last that is written"),
        pytest.param("a: |\n  x\n\n\n", Extent("a", 0, 8, open=False), id="a block whose blank lines are dropped"),
        pytest.param("a: |+\n  x\n\n\n", Extent("a", 0, 12, open=True), id="a block that keeps its blank lines"),
        pytest.param("a: |\n\n", Extent("a", 0, 6, open=True), id="a block of a blank line"),
    ],
)
def test_it_is_known_where_a_value_stands(text: str, extent: Extent) -> None:
    assert read_full(text + PLAIN).extents[0] == extent


@pytest.mark.parametrize("text", ["a:\n", "a:\n# c\n", "a: # c\n", "a:\n\n\n"])
def test_a_value_that_is_not_there_stands_at_its_key_and_owns_no_blank_line(text: str) -> None:
    first, second, third = read_full(f"x: |\n\n{text}{PLAIN}").extents
    assert (second.key, second.open) == (6, False)
    assert third.key == 6 + len(text)
    assert first.open


def _mappings(levels: int) -> str:
    return "".join(f"{'  ' * level}a:\n" for level in range(levels))


def _lists(levels: int) -> str:
    return f"a:\n  {'- ' * (levels - 1)}x"


def _brackets(levels: int) -> str:
    return f"a: {'[' * (levels - 1)}{']' * (levels - 1)}"


@pytest.mark.parametrize("nested", [_mappings, _lists, _brackets])
def test_a_header_is_as_deep_as_is_promised_and_no_deeper(nested: Callable[[int], str]) -> None:
    assert read_full(nested(DEPTH)).values
    for levels in (DEPTH + 1, DEPTH + 2):
        with pytest.raises(Malformed) as caught:
            read_full(nested(levels))
        assert caught.value.reason == "too-deep"


def test_a_text_of_brackets_alone_is_refused_at_the_line_where_it_begins() -> None:
    with pytest.raises(Malformed) as caught:
        read_full("a: " + "[" * 100_000, first_line=5)
    assert (caught.value.reason, caught.value.line) == ("too-deep", 5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a\nname: x\n", "not-a-mapping"),
        ("- a\n- name: x\n", "not-a-mapping"),
        ("- |\n  a\nname: x\n", "not-a-mapping"),
        ("[a,\nname: x\n]", "not-a-mapping"),
        ("words\nname: x\n", "missing-colon"),
        ("words\n", "not-a-mapping"),
    ],
)
def test_what_is_no_mapping_is_told_by_what_it_is(text: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_full(text)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("a: x #y\n", [(1, 6)], id="behind words"),
        pytest.param("a: x # y\n", [], id="a comment"),
        pytest.param("a: 'x' #y\n", [], id="behind quotes, where nothing else can stand"),
        pytest.param("a: #y\n", [(1, 4)], id="in the place of the value"),
        pytest.param("a: #y\n  x\n", [], id="above the value"),
        pytest.param("a: #y\n  - x\n", [], id="above a list"),
        pytest.param("a: #y\n  b: x\n", [], id="above a mapping"),
        pytest.param("a: # y\n  x\n", [], id="a comment above the value"),
        pytest.param("\n\na: x #y\n", [(3, 6)], id="below blank lines"),
        pytest.param("a: {b: #y\n  }\n", [(1, 8)], id="in braces"),
        pytest.param("a: x #y\nb: z #y\n", [(1, 6), (2, 6)], id="twice"),
    ],
)
def test_a_tail_that_yaml_drops_is_told_once_with_its_place(text: str, places: list[tuple[int, int]]) -> None:
    notices = read_full(text).notices
    assert [(one.line, one.column) for one in notices] == places
    assert all(one.reason == "lost-tail" for one in notices)


@pytest.mark.parametrize("text", ['"<<": x\n', "'<<': x\n"])
def test_a_key_in_quotes_is_no_merge(text: str) -> None:
    assert read_full(text).values == {"<<": "x"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x: {\n\ta: 1}\n", (2, 2)),
        ("x: {\n  \ta: 1}\n", (2, 4)),
        ("x: {b: 1,\n c: 2,\n\ta: 1}\n", (3, 2)),
    ],
)
def test_a_key_behind_a_tab_is_refused_where_it_stands(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(Malformed) as caught:
        read_full(text)
    assert (caught.value.reason, caught.value.line, caught.value.column) == ("tab-indentation", *place)


@pytest.mark.parametrize("text", ["x: {a: 1,\tb: 2}\n", "x: {a: 1, \tb: 2}\n", "x: {a: 1,\n b:\t2}\n"])
def test_a_tab_that_indents_nothing_is_a_blank(text: str) -> None:
    assert read_full(text).values == {"x": {"a": "1", "b": "2"}}
