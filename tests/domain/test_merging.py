"""Two versions of a memory as one: tables of what holds, and what holds of every pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir_cli.domain import conflict, times
from memdir_cli.domain.content import content_of, describe, voices
from memdir_cli.domain.memory import Evidence, Memory, Type
from memdir_cli.domain.merging import EVIDENCE_DIFFERS, UnmergeableError, merge
from memdir_cli.domain.source import Source, name_of
from memdir_cli.domain.status import CURRENT, FOLDER, Status
from memdir_cli.storage import codec
from tests.records import project


def said(number: int, words: str = "") -> Source:
    at = f"2026-09-{number:02}T08:00:00Z"
    return Source("user", f"session:s1/message:m{number}", words or f"words {number}", at, "transcript")


def made(value: str = "npm", **keys: Any) -> Memory:
    keys = {"id": "one", "source": (said(1),), "description": describe("package_manager", value, False, ""), **keys}
    return project(value=value, **keys).memory


BASE = made()
PNPM = made("pnpm", revision=2, source=(said(2),), supersedes="one@1", updated_at="2026-09-02T08:00:00Z")
YARN = made("yarn", revision=2, source=(said(3),), supersedes="one@1", updated_at="2026-09-03T08:00:00Z")


def both_ways(base: Memory | None, ours: Memory, theirs: Memory) -> Memory:
    merged = merge(base, ours, theirs)
    assert merge(base, theirs, ours) == merged, "whose side is whose changes nothing"
    return merged


def test_a_change_of_one_side_is_taken() -> None:
    assert both_ways(BASE, BASE, PNPM) == PNPM
    assert both_ways(BASE, PNPM, PNPM) == PNPM


def test_two_values_stand_against_each_other() -> None:
    merged = both_ways(BASE, PNPM, YARN)
    assert (merged.status, merged.value, merged.revision) == ("conflicted", None, 3)
    assert merged.status_reason == conflict.REASON
    assert sorted((side.value, side.source) for side in merged.sides) == [("pnpm", (said(2),)), ("yarn", (said(3),))]
    assert merged.source == (said(2), said(3))
    assert merged.updated_at == YARN.updated_at
    assert merged.supersedes == "one@1"


def test_the_ids_of_sides_are_made_of_what_they_say() -> None:
    ids = [side.id for side in both_ways(BASE, PNPM, YARN).sides]
    assert ids == [side.id for side in both_ways(BASE, YARN, replace(PNPM, source=())).sides]
    assert len(set(ids)) == 2
    assert all(len(one) == 13 and one[0].isalpha() and one.isalnum() and one == one.lower() for one in ids)


def test_changes_of_different_things_are_both_taken() -> None:
    described = replace(BASE, description="npm ci, please", revision=2)
    merged = both_ways(BASE, PNPM, described)
    assert (merged.value, merged.description, merged.status, merged.revision) == (
        "pnpm", "npm ci, please", "verified", 3,
    )  # fmt: skip
    written = replace(BASE, body="Why: the lockfile.\n", revision=2)
    assert both_ways(BASE, PNPM, written).body == written.body


def test_a_description_that_is_made_of_the_value_follows_it() -> None:
    merged = both_ways(BASE, PNPM, replace(BASE, body="Why.\n", revision=2))
    assert merged.description == "package_manager: pnpm"


@pytest.mark.parametrize(
    "change",
    [
        {"description": "one"}, {"body": "one\n"}, {"value": "one"}, {"type": "decision"},
        {"value": None, "none": True}, {"value": None, "body": "text alone\n"},
    ],
)  # fmt: skip
def test_what_can_be_contradicted_becomes_sides(change: dict[str, Any]) -> None:
    other: dict[str, Any] = {"value": "other"} if "value" in change else dict.fromkeys(change, "other\n")
    other = {"type": "temporary"} if "type" in change else other
    merged = both_ways(BASE, replace(BASE, **change, revision=2), replace(BASE, **other, revision=2))
    assert merged.status == "conflicted"
    alone = [conflict.side_as_memory(merged, side) for side in merged.sides]
    for key, wanted in change.items():
        assert sum(getattr(one, key) == wanted for one in alone) == 1


STATUSES: list[tuple[Status, Status, Status]] = [
    ("verified", "stale", "stale"),
    ("stale", "verified", "stale"),
    ("verified", "quarantined", "quarantined"),
    ("quarantined", "archived", "quarantined"),
    ("archived", "expired", "archived"),
    ("stale", "archived", "archived"),
]


@pytest.mark.parametrize(("ours", "theirs", "both"), STATUSES)
def test_the_more_cautious_status_holds(ours: Status, theirs: Status, both: Status) -> None:
    reasons = {status: "" if status == "verified" else f"code: {status}" for status in (ours, theirs)}
    one, other = (
        replace(BASE, status=status, status_reason=reasons[status], verified_at=f"2026-09-0{day}T08:00:00Z")
        for day, status in enumerate((ours, theirs), 2)
    )
    merged = both_ways(BASE, one, other)
    assert (merged.status, merged.status_reason) == (both, reasons[both])
    assert merged.verified_at == other.verified_at


@pytest.mark.parametrize("status", ["archived", "expired", "superseded"])
def test_an_end_does_not_reach_a_revision_that_it_had_not_seen(status: Status) -> None:
    over = replace(BASE, status=status, status_reason="code: over")
    assert both_ways(BASE, over, PNPM) == replace(PNPM, source=(said(1), said(2)))
    # what lies in the archive lies nowhere else; what is over stands in history
    assert both_ways(None, over, PNPM).status == ("conflicted" if status == "archived" else "verified")
    again = replace(YARN, status=status, status_reason="code: over")
    merged = both_ways(BASE, again, PNPM)
    assert {content.value for content in voices(merged)} == ({"pnpm", "yarn"} if status == "archived" else {"pnpm"})
    heard = replace(BASE, source=(said(1), said(4)))
    merged = both_ways(BASE, over, heard)
    assert (merged.status, merged.source) == (status, heard.source)


def test_a_quarantine_holds_whatever_the_other_side_says() -> None:
    merged = both_ways(BASE, replace(BASE, status="quarantined", status_reason="code: why"), PNPM)
    assert (merged.status, merged.value, merged.revision) == ("quarantined", "pnpm", 2)


def test_new_words_keep_their_status_beside_old_ones_that_were_only_heard_again() -> None:
    old = replace(BASE, status="stale", status_reason="code: why")
    merged = both_ways(old, PNPM, replace(old, source=(said(1), said(4))))
    assert (merged.status, merged.value) == ("verified", "pnpm")
    assert merged.source == (said(1), said(2), said(4))


def probed(*names: str, **keys: Any) -> Memory:
    return replace(BASE, depends_on=tuple(Evidence(name, f"v1:{name}") for name in names), **keys)


def test_different_evidence_makes_stale() -> None:
    merged = both_ways(probed("a"), probed("a", "b", revision=2), probed("a", "c", revision=2))
    assert [one.probe for one in merged.depends_on] == ["a", "b", "c"]
    assert (merged.status, merged.status_reason, merged.revision) == ("stale", EVIDENCE_DIFFERS, 3)


def test_evidence_that_one_side_changed_is_taken() -> None:
    merged = both_ways(probed("a"), probed("b", revision=2), replace(probed("a"), source=(said(1), said(2))))
    assert [one.probe for one in merged.depends_on] == ["b"]
    assert merged.status == "verified"


def test_the_evidence_seen_last_counts() -> None:
    early = replace(BASE, depends_on=(Evidence("a", "v1:9"),), verified_at="2026-09-05T08:00:00Z")
    late = replace(BASE, depends_on=(Evidence("a", "v1:1"),), verified_at="2026-09-06T08:00:00Z")
    assert both_ways(probed("a"), early, late).depends_on == late.depends_on


def test_the_same_words_on_both_sides_are_one_memory() -> None:
    mine = made("npm", id="b", source=(said(2),), created_at="2026-09-02T08:00:00Z")
    yours = made("npm", id="a", source=(said(3),), created_at="2026-09-03T08:00:00Z")
    merged = both_ways(None, mine, yours)
    assert (merged.id, merged.value, merged.revision, merged.source) == ("b", "npm", 1, (said(2), said(3)))


def test_two_new_memories_of_one_identity_are_a_conflict_under_the_older_id() -> None:
    mine = made("npm", id="b", created_at="2026-09-02T08:00:00Z")
    yours = made("yarn", id="a", created_at="2026-09-03T08:00:00Z")
    merged = both_ways(None, mine, yours)
    assert (merged.id, merged.status, merged.revision) == ("b", "conflicted", 2)
    assert {side.value for side in merged.sides} == {"npm", "yarn"}


def conflicted(*values: str) -> Memory:
    first, *rest = values
    memory = made(first)
    for number, value in enumerate(rest, 2):
        newcomer = made(value, source=(said(number),))
        at = f"2026-09-{number:02}T08:00:00Z"
        if memory.sides:
            memory = conflict.add_side(memory, newcomer, f"side-{value}", at)
        else:
            memory = conflict.open_conflict(memory, newcomer, (f"side-{first}", f"side-{value}"), at)
    return memory


def settled(value: str, revision: int) -> Memory:
    return made(value, revision=revision, supersedes=f"one@{revision - 1}", source=(said(9),))


SIDES = [
    (conflicted("a", "b"), conflicted("a", "b", "c"), settled("a", 3), "ac"),
    (conflicted("a", "b"), settled("a", 3), settled("b", 3), "ab"),
    (conflicted("a", "b"), settled("a", 3), settled("a", 3), "a"),
    (made("a"), conflicted("a", "b"), settled("c", 2), "bc"),
    (made("a"), conflicted("a", "b"), conflicted("a", "c"), "abc"),
    (made("a"), conflicted("a", "b"), settled("b", 2), "b"),
    # each side let go of what the other one kept, so that one alone is left, or two
    (conflicted("a", "b", "c"), conflicted("a", "b"), conflicted("b", "c"), "abc"),
    (conflicted("a", "b", "c", "d"), conflicted("a", "b", "c"), conflicted("b", "c", "d"), "bc"),
]


@pytest.mark.parametrize(("base", "ours", "theirs", "left"), SIDES)
def test_sides_come_and_go_one_by_one(base: Memory, ours: Memory, theirs: Memory, left: str) -> None:
    merged = both_ways(base, ours, theirs)
    assert sorted(content.value or "" for content in voices(merged)) == sorted(left)
    assert merged.status == ("conflicted" if len(left) > 1 else "verified")


def test_a_side_keeps_the_id_that_it_has() -> None:
    merged = both_ways(conflicted("a", "b"), conflicted("a", "b", "c"), settled("a", 3))
    assert "side-c" in {side.id for side in merged.sides}


def test_of_sides_that_stand_where_another_memory_ended_what_is_left_waits_for_a_look() -> None:
    ended = replace(settled("a", 3), status="superseded", status_reason="superseded: by two@1", superseded_by="two@1")
    merged = both_ways(conflicted("a", "b", "d"), conflicted("a", "b"), ended)
    assert (merged.status, merged.value) == ("stale", "a")


def test_what_is_verified_has_no_reason() -> None:
    odd = replace(BASE, status_reason="code: left by hand", source=(said(2),))
    merged = both_ways(BASE, odd, replace(BASE, description="what it is"))
    assert (merged.status, merged.status_reason) == ("verified", "")


def test_a_text_above_the_sides_stays() -> None:
    mine = conflicted("a", "b")
    mine = replace(mine, body=f"Ask the team.\n\n{mine.body}")
    assert both_ways(made("a"), mine, conflicted("a", "c")).body.startswith("Ask the team.\n")


def test_keys_of_others_are_taken_from_whoever_changed_them() -> None:
    base = replace(BASE, extra={"x-a": "1", "x-b": "1", "x-c": "1"})
    ours = replace(PNPM, extra={"x-a": "2", "x-b": "1", "x-c": "1"})
    theirs = replace(YARN, extra={"x-a": "1", "x-b": "3", "x-d": ["new"]})
    assert both_ways(base, ours, theirs).extra == {"x-a": "2", "x-b": "3", "x-d": ["new"]}
    newer = replace(YARN, extra={"x-a": "9"})
    assert both_ways(replace(BASE, extra={"x-a": "1"}), replace(PNPM, extra={"x-a": "2"}), newer).extra == {"x-a": "9"}


@pytest.mark.parametrize(
    "stranger",
    [
        replace(PNPM, predicate="other"),
        replace(PNPM, subject="project:else"),
        replace(PNPM, scope=replace(PNPM.scope, topic="x")),
        replace(PNPM, id="two"),
    ],
)
def test_what_is_not_one_memory_is_not_merged(stranger: Memory) -> None:
    for ours, theirs in ((stranger, YARN), (YARN, stranger)):
        with pytest.raises(UnmergeableError):
            merge(BASE, ours, theirs)


def test_a_revision_that_is_over_stays_the_one_that_it_was() -> None:
    one, other = (
        replace(side, status="superseded", status_reason="superseded: by one@3", superseded_by="one@3")
        for side in (PNPM, YARN)
    )
    merged = both_ways(None, one, other)
    assert (merged.revision, merged.status) == (2, "superseded")
    assert {side.value for side in merged.sides} == {"pnpm", "yarn"}


# what holds of every pair

DAYS = st.integers(1, 9)
WORDS = st.sampled_from(["", "a", "b", "c"])
SOURCES = st.lists(DAYS.map(said), max_size=4, unique_by=name_of).map(tuple)
PROBES = st.lists(st.builds(Evidence, st.sampled_from("pq"), st.sampled_from(["v1:1", "v1:2"])), max_size=2,
                  unique_by=lambda one: one.probe).map(tuple)  # fmt: skip
WHEN = st.one_of(st.just(""), DAYS.map(lambda day: f"2026-09-{day:02}T08:00:00Z"))
TYPES: st.SearchStrategy[Type] = st.sampled_from(["fact", "decision"])
STATUS: st.SearchStrategy[Status] = st.sampled_from(
    ["verified", "stale", "quarantined", "archived", "expired", "superseded"]
)
TEXTS = st.sampled_from(["", "Text.\n", "Other.\n\nMore.\n", "\nLoose", "a\r\nb\r\n"])


@st.composite
def memories(draw: st.DrawFn, id_: str = "one") -> Memory:
    """A memory, perhaps a conflicted one, as verbs could have left it."""
    value = draw(st.sampled_from(["a", "b", "c", None]))
    body = draw(TEXTS) if value is not None else draw(TEXTS.filter(bool))
    none = value is None and draw(st.booleans())
    described = draw(WORDS)
    memory = replace(
        BASE,
        id=id_,
        value=value,
        none=none,
        body=body,
        description=described or describe(BASE.predicate, value, none, body),
        type=draw(TYPES),
        status=draw(STATUS),
        revision=draw(st.integers(1, 4)),
        authority=draw(st.sampled_from(["policy", "user", "inferred"])),
        source=draw(SOURCES),
        depends_on=draw(PROBES),
        verified_at=draw(WHEN),
        updated_at=draw(WHEN),
        expires_at=draw(WHEN),
        extra={"x-note": draw(WORDS)} if draw(st.booleans()) else {},
    )
    memory = replace(memory, status_reason="" if memory.status == "verified" else f"code: {memory.status}")
    other = replace(memory, value=draw(st.sampled_from("abc")), none=False, source=draw(SOURCES), body=draw(TEXTS))
    if draw(st.integers(0, 3)) or content_of(other) in voices(memory):
        return memory
    ids = draw(st.sampled_from([("s1", "s2"), ("s2", "s3")]))
    return replace(conflict.open_conflict(memory, other, ids, memory.updated_at), revision=memory.revision)


def written(memory: Memory) -> bytes:
    """A file that says it, and that says nothing else."""
    data = codec.render(memory)
    assert codec.parse_memory(data) == memory
    return data


@settings(max_examples=400)
@given(memories(), memories(), memories())
def test_every_pair_merges_the_same_both_ways_and_loses_nothing(base: Memory, ours: Memory, theirs: Memory) -> None:
    merged = both_ways(base, ours, theirs)
    written(merged)
    known, found = voices(base), voices(merged)
    fields = set(map(_whole, found))
    for side, other in ((ours, theirs), (theirs, ours)):
        for content in voices(side):
            over = FOLDER[side.status] == "history" and other.status in CURRENT
            let_go = over or (content in known and content not in voices(other))
            assert let_go or content in found or _in_parts(content, fields)
        names = {name_of(one) for one in merged.source}
        if base not in (ours, theirs):
            assert {name_of(one) for one in side.source} <= names
            assert times.order(merged.updated_at) >= times.order(side.updated_at)
            assert times.order(merged.verified_at) >= times.order(side.verified_at)
    assert merged.revision >= min(ours.revision, theirs.revision)
    assert (merged.status == "conflicted") <= (len(merged.sides) > 1)
    if merged.status in CURRENT:
        assert (merged.status == "conflicted") == (len(found) > 1)


def _whole(content: Any) -> tuple[Any, ...]:
    return (content.value, content.none, content.description, content.type, content.text)


def _in_parts(content: Any, found: set[tuple[Any, ...]]) -> bool:
    """Whether two sides that changed different things became one: then each thing is there."""
    return len(found) == 1


@given(memories())
def test_a_memory_merged_with_itself_is_itself(memory: Memory) -> None:
    for base in (None, memory, BASE):
        assert merge(base, memory, memory) == memory


@given(memories(), memories())
def test_what_only_one_side_changed_is_that_sides(base: Memory, changed: Memory) -> None:
    assert both_ways(base, base, changed) == changed


@settings(max_examples=400)
@given(st.one_of(st.none(), memories()), memories(), memories())
def test_what_was_merged_once_is_not_changed_by_the_same_side_again(
    base: Memory | None, ours: Memory, theirs: Memory
) -> None:
    merged = merge(base, ours, theirs)
    again = both_ways(base, merged, theirs)
    assert (voices(again).keys(), again.revision, again.source) == (
        voices(merged).keys(), merged.revision, merged.source,
    )  # fmt: skip
    assert again.status == merged.status


@given(memories("one"), memories("two"))
def test_two_new_memories_of_one_identity_lose_nothing(ours: Memory, theirs: Memory) -> None:
    merged = both_ways(None, ours, theirs)
    written(merged)
    over = [side for side in (ours, theirs) if FOLDER[side.status] == "history"]
    if len(over) != 1:
        assert voices(merged).keys() == voices(ours).keys() | voices(theirs).keys()
