"""Two values of equal weight in one memory: kept apart, and each taken out again as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain import conflict
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.source import SOURCES_ROOM, Source
from tests.records import project

NOW = "2026-09-20T10:00:00Z"
IDS = ("side-a", "side-b")


def said(number: int) -> Source:
    return Source("user", f"session:s1/message:m{number}", f"words {number}", "2026-09-01T08:00:00Z", "transcript")


NPM = project(value="npm", description="npm ci here", body="Keep the lockfile.\n", source=(said(1),)).memory
PNPM = project(value="pnpm", description="pnpm here", body="It is faster.\n", source=(said(2),)).memory
YARN = project(value="yarn", description="yarn here", source=(said(3),)).memory


def opened(one: Memory = NPM, other: Memory = PNPM) -> Memory:
    return conflict.open_conflict(one, other, IDS, NOW)


def test_a_conflict_keeps_the_identity_and_serves_no_value() -> None:
    memory = opened()
    assert (memory.id, memory.identity, memory.created_at) == (NPM.id, NPM.identity, NPM.created_at)
    assert (memory.value, memory.none, memory.status) == (None, False, "conflicted")
    assert memory.status_reason.startswith("sides-disagree: ")
    assert (memory.revision, memory.updated_at) == (NPM.revision + 1, NOW)


def test_each_side_has_an_id_its_value_its_description_its_authority_and_its_sources() -> None:
    first, second = opened().sides
    assert (first.id, first.value, first.description, first.authority, first.source) == (
        "side-a", "npm", "npm ci here", "user", (said(1),),
    )  # fmt: skip
    assert (second.id, second.value, second.source) == ("side-b", "pnpm", (said(2),))
    assert opened().source == (said(1), said(2))


def test_the_texts_stand_under_headings_in_the_body() -> None:
    assert opened().body == "## side-a\n\nKeep the lockfile.\n\n## side-b\n\nIt is faster.\n\n"
    assert opened(replace(NPM, body=" \n")).body == "## side-b\n\nIt is faster.\n\n", "blanks are no text"


def test_a_third_value_adds_a_side_and_leaves_the_others() -> None:
    memory = conflict.add_side(opened(), YARN, "side-c", "2026-09-21T10:00:00Z")
    assert [side.value for side in memory.sides] == ["npm", "pnpm", "yarn"]
    assert memory.sides[:2] == opened().sides
    assert (memory.revision, memory.updated_at) == (opened().revision + 1, "2026-09-21T10:00:00Z")
    assert memory.source == (said(1), said(2), said(3))
    assert memory.body == opened().body, "a side without text needs no heading"


def test_a_value_that_is_a_side_already_only_brings_its_source() -> None:
    memory = conflict.add_side(opened(), replace(PNPM, source=(said(9),)), "side-c", NOW)
    assert [side.id for side in memory.sides] == ["side-a", "side-b"]
    assert memory.sides[1].source == (said(2), said(9))
    assert memory.source == (said(1), said(2), said(9))
    assert memory.revision == opened().revision, "nothing new is said"


def test_a_side_taken_out_is_the_memory_that_went_in() -> None:
    memory = opened()
    for side, original in zip(memory.sides, (NPM, PNPM), strict=True):
        out = conflict.side_as_memory(memory, side)
        assert (out.value, out.description, out.body, out.source, out.sides) == (
            original.value, original.description, original.body, original.source, (),
        )  # fmt: skip


def test_the_loser_goes_to_history_under_its_own_id() -> None:
    memory = replace(opened(), supersedes="another@1")
    winner = replace(NPM, revision=memory.revision + 1)
    past = conflict.loser(memory, memory.sides[1], winner)
    assert (past.id, past.value, past.status) == ("side-b", "pnpm", "superseded")
    assert past.superseded_by == winner.ref
    assert winner.ref in past.status_reason
    assert past.supersedes == "", "what the record replaced was not replaced by a side"


def test_the_sides_share_the_room_that_a_header_has_for_sources() -> None:
    many = tuple(replace(said(n), said=f"{n}" + "x" * 2000) for n in range(19))
    memory = conflict.add_side(opened(replace(NPM, source=many), replace(PNPM, source=many)), YARN, "side-c", NOW)
    npm, pnpm, yarn = (side.source for side in memory.sides)
    for kept in (npm, pnpm):
        assert len(kept) > 2
        assert sum(len(source.said) for source in kept) <= SOURCES_ROOM // 3
        assert (kept[0], *kept[1:]) == (many[0], *many[-len(kept) + 1 :]), "the first one and the latest ones stay"
    assert yarn == YARN.source


def test_whoever_is_to_settle_sees_what_each_side_says() -> None:
    memory = opened(replace(NPM, value=None, none=True), PNPM)
    assert conflict.way_out(memory) == "memdir settle npm --keep SIDE-ID\nside-a  npm ci here\nside-b  pnpm"


def test_what_was_said_to_apply_to_nothing_is_said_no_more_by_the_record_itself() -> None:
    parts = (("side-a", NOTHING), ("side-b", replace(PNPM, type="fact")))
    for memory in (opened(NOTHING, PNPM), conflict.laid_open(replace(NOTHING, type="decision"), parts)):
        assert (memory.none, memory.value) == (False, None)
        assert memory.description == "package_manager: in conflict, ask before use"
        assert [side.value for side in memory.sides] == [None, "pnpm"]


def test_a_side_of_another_type_or_authority_keeps_it() -> None:
    record = replace(NPM, type="decision")
    others = replace(PNPM, type="fact", authority="observed"), replace(YARN, type="decision", authority="inferred")
    memory = conflict.laid_open(record, zip(("side-a", "side-b"), others, strict=True))
    assert [side.type for side in memory.sides] == ["fact", None], "the record's own type is not repeated"
    out = [conflict.side_as_memory(memory, side) for side in memory.sides]
    assert [(one.type, one.authority) for one in out] == [("fact", "observed"), ("decision", "inferred")]


def test_a_text_above_the_first_heading_is_nobodys_and_stays() -> None:
    memory = replace(opened(), body=f"By hand.\n\nTwice.\n{opened().body}")
    assert conflict.above_sides(memory) == "By hand.\n\nTwice.\n"
    assert conflict.text_of(memory, memory.sides[0]) == NPM.body
    assert conflict.above_sides(NPM) == "", "where nothing is in conflict, nothing stands above"
    again = conflict.laid_open(memory, [("side-a", NPM), ("side-b", PNPM)], conflict.above_sides(memory))
    assert again.body == memory.body


def test_of_three_sides_one_goes_and_the_texts_of_the_others_stay() -> None:
    memory = conflict.add_side(opened(), replace(YARN, body="Older.\n"), "side-c", NOW)
    left = conflict.without(memory, memory.sides[1])
    assert left.sides == (memory.sides[0], memory.sides[2])
    assert left.body == "## side-a\n\nKeep the lockfile.\n\n## side-c\n\nOlder.\n\n"


NOTHING = project(value=None, none=True, body="").memory
NOTHING_WITH_WHY = project(value=None, none=True, body="Vendored, nothing to install.\n").memory
TEXT = project(value=None, body="Install by hand.\n").memory
ONLY_DESCRIBED = project(value=None, body="", description="see the wiki").memory


@pytest.mark.parametrize("one", [NOTHING, NOTHING_WITH_WHY, TEXT, NPM])
@pytest.mark.parametrize("other", [NOTHING, NOTHING_WITH_WHY, TEXT, PNPM])
def test_that_nothing_applies_survives_a_conflict_with_or_without_a_text(one: Memory, other: Memory) -> None:
    memory = opened(one, other)
    for side, original in zip(memory.sides, (one, other), strict=True):
        out = conflict.side_as_memory(memory, side)
        assert (out.none, out.value, out.body) == (original.none, original.value, original.body)
        if not same_value(one, other):
            assert conflict.side_that_says(memory, original) is side


def test_a_text_that_no_side_says_belongs_to_none() -> None:
    memory = opened(NOTHING_WITH_WHY, NPM)
    assert conflict.side_that_says(memory, TEXT) is None
    assert conflict.side_that_says(memory, YARN) is None


bodies = st.text(
    st.characters(codec="utf-8") | st.sampled_from("\n\r#- ab"), max_size=60
).map(lambda text: text.strip("\r\n") + "\n" if text.strip() else "")  # fmt: skip


@given(bodies, bodies, bodies)
def test_every_text_comes_out_of_a_conflict_as_it_went_in(first: str, second: str, third: str) -> None:
    memory = opened(replace(NPM, body=first), replace(PNPM, body=second))
    memory = conflict.add_side(memory, replace(YARN, body=third), "side-c", NOW)
    texts = [conflict.text_of(memory, side) for side in memory.sides]
    assert [text.rstrip("\r\n") for text in texts] == [body.rstrip("\r\n") for body in (first, second, third)]


def test_windows_line_ends_stay() -> None:
    body = "one\r\n\r\n## not a side\r\ntwo\r\n"
    memory = opened(replace(NPM, body=body), PNPM)
    assert memory.body.startswith("## side-a\r\n\r\none\r\n")
    assert conflict.side_as_memory(memory, memory.sides[0]).body == body
    assert conflict.side_as_memory(memory, memory.sides[1]).body == PNPM.body


def test_only_line_ends_are_taken_from_around_a_text() -> None:
    memory = opened(replace(NPM, body="\nX marks it, not X\n\n"), PNPM)
    assert memory.body == "## side-a\n\nX marks it, not X\n\n## side-b\n\nIt is faster.\n\n"
    assert conflict.text_of(memory, memory.sides[0]) == "X marks it, not X\n"
