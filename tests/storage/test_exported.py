"""The files that other programs are given: a page a memory, an index that leads to them, lines that go again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.exporting import MAX_BYTES, MAX_LINES, NOTE, Given
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.resolve import judge
from memdir_cli.storage import codec, exported
from tests.records import project, runtime

STALE = Caution("stale", "stale: verify first")


def given(key: str = "lint", doubts: tuple[Caution, ...] = (), **keys: Any) -> Given:
    return Given(Listed(judge(project(predicate=key, id=key, **keys), runtime())), doubts)


@pytest.mark.parametrize(
    ("one", "parts"),
    [
        (given(value="npm run lint"), ["npm run lint"]),
        (given(value="ruff", body="\nBecause it is quick.\n"), ["ruff", "Because it is quick."]),
        (given(value=None, body="Only a text.\n"), ["Only a text."]),
        (given(value=None, none=True), ["Nothing applies here."]),
        (given(value="ruff", path="src/**"), ["Only when path src/**.", "ruff"]),
        (given(value="ruff", doubts=(STALE,)), ["ruff", "**stale: verify first**"]),
    ],
)
def test_a_page_says_condition_value_text_and_doubts_each_in_a_paragraph(one: Given, parts: list[str]) -> None:
    header, _, text = exported.page(one).decode().partition("\n---\n\n")
    *said, last = text.removesuffix("\n").split("\n\n")
    assert said == parts
    assert last.startswith("Kept by memdir (repository; 2026-09-01; ")
    assert f"{NOTE} This file is written anew: `memdir correct lint` changes it." in last
    assert codec.read_header(f"{header}\n---\n".encode()).values["memdir"] == one.listed.judged.memory.ref


@pytest.mark.parametrize(
    ("one", "hook"),
    [
        (given(value="ruff", description="Lint with ruff"), "Lint with ruff"),
        (given(value="ruff", description="Lint", doubts=(STALE,)), "Lint; verify first"),
        (
            given(value="ruff", description="Lint", path="a/**", doubts=(STALE,)),
            "Lint; verify first; only when path a/**",
        ),
    ],
)
def test_a_line_of_the_index_leads_to_the_page_and_says_what_to_be_wary_of(one: Given, hook: str) -> None:
    content = exported.index(None, [one])
    assert content is not None
    assert f"- [lint]({exported.page_name(one)}) — {hook}\n" in content.decode()


@pytest.mark.parametrize("own", [b"", b"# Mine\n\nMy own words.\n"])
def test_what_was_put_into_a_file_goes_again_and_leaves_what_was_there(own: bytes) -> None:
    both = exported.block(own, [given("lint", value="ruff"), given("test", value="pytest")])
    one = exported.block(own, [given("lint", value="ruff")])
    assert both is not None
    assert exported.without_lines(both, ["test"]) == one
    assert exported.without_lines(both, ["other"]) == both
    assert exported.without_lines(both, ["lint", "test"]) == (own or None)
    assert exported.block(both, []) == (own or None)


def test_a_block_uses_the_room_that_there_is_and_no_byte_beyond() -> None:
    two = [given("lint", value="ruff"), given("test", value="pytest")]
    spare = MAX_BYTES - len(exported.block(b"\n", two) or b"")
    contents = [exported.block(b"o" * size + b"\n", two) or b"" for size in range(spare - 20, spare + 20)]
    whole = [len(content) for content in contents if b" more" not in content]
    assert 0 < len(whole) < len(contents)
    assert MAX_BYTES - 10 < max(whole) <= MAX_BYTES


def test_where_lines_end_as_on_windows_a_block_may_fill_the_room_to_the_last_byte() -> None:
    two = [given("lint", value="ruff"), given("test", value="pytest")]
    spare = MAX_BYTES - len(exported.block(b"\r\n", two) or b"")
    assert (
        exported.block(b"o" * spare + b"\r\n", two)
        == (exported.block(None, two) or b"").replace(b"\n", b"\r\n") + b"o" * spare + b"\r\n"
    )
    assert b" more not shown here" in (exported.block(b"o" * (spare + 1) + b"\r\n", two) or b"")


@pytest.mark.parametrize("standing", [None, b"", b"# Mine\n", b"mine\n" * 30])
@pytest.mark.parametrize("write", [exported.index, exported.block])
def test_a_file_with_too_many_memories_has_as_many_lines_as_are_loaded(
    write: Callable[[bytes | None, Sequence[Given]], bytes | None], standing: bytes | None
) -> None:
    content = write(standing, [given(f"k{number}", value="v") for number in range(MAX_LINES)]) or b""
    assert content.count(b"\n") == MAX_LINES
    assert b" more not shown here" in content
    assert content.endswith(standing or b"\n")


def test_a_line_that_has_lost_its_id_goes_by_its_words_and_one_of_another_memory_stays() -> None:
    other = given("test", value="ruff everywhere, please")
    both = exported.block(b"", [given("lint", value="ruff everywhere"), other]) or b""
    bare = both.replace(b" <!-- lint -->", b"")
    assert bare != both
    assert exported.without_lines(bare, ["lint"], texts=["ruff everywhere"]) == exported.block(b"", [other])


def test_lines_of_json_go_by_their_id_and_what_is_none_stays() -> None:
    mine = b'no json\n[1]\n\n{"value": "a1"}\n'
    content = exported.records([{"id": "a1"}, {"id": "b2"}])
    assert exported.without_records(mine + content, ["a1"]) == mine + exported.records([{"id": "b2"}])


@pytest.mark.parametrize(
    ("content", "are"),
    [(b"", True), (exported.records([{"id": "a1"}]), True), (exported.records([{"id": "a1"}]) + b"mine\n", False)],
)
def test_a_file_with_a_line_of_somebody_else_holds_more_than_records(content: bytes, *, are: bool) -> None:
    assert exported.are_records(content) is are


@pytest.mark.parametrize(
    ("line", "speaks"),
    [
        ("- lint: `ruff` <!-- a1 -->", True),
        ("- lint: `ruff everywhere, please` <!-- b2 -->", False),
        ("- lint: ruff everywhere, please", True),
        ("- lint: `ruff` <!-- a1 --> moved here", True),
        (json.dumps({"id": "a1"}), True),
        (r'{"id": "\u00611"}', True),
        (json.dumps({"id": "b2", "value": "ruff everywhere, please"}), False),
        ("nothing of it", False),
    ],
)
def test_a_line_speaks_by_its_id_or_where_it_names_none_by_its_words(line: str, speaks: bool) -> None:
    assert exported.speaks(f"# Mine\n{line}\n".encode(), ["a1"], ["ruff everywhere"]) is speaks
