"""Of what a merge may have made a memory: of itself, of its sides, or of two changes of different things."""

from __future__ import annotations

from dataclasses import replace

from memdir_cli.domain.content import THINGS, content_of
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.parentage import parents
from tests.records import project

BASE = project(value="npm", description="npm here", type="fact", body="Old.\n").memory
ALL = replace(BASE, value="pnpm", description="pnpm here", type="decision", body="New.\n")


def changes(memory: Memory) -> frozenset[str]:
    """Which things of :data:`ALL` a memory says; the rest must be as in :data:`BASE`."""
    said, new, old = content_of(memory), content_of(ALL), content_of(BASE)
    found = {things[0] for things in THINGS if getattr(said, things[0]) == getattr(new, things[0])}
    left = {things[0] for things in THINGS if getattr(said, things[0]) == getattr(old, things[0])}
    assert found | left == {"value", "description", "type", "text"}
    return frozenset(found)


def test_what_is_new_was_said_by_one_or_by_two_who_changed_different_things() -> None:
    alone, *pairs = parents(ALL, [BASE])
    assert alone == (ALL,)
    splits = [frozenset(map(changes, pair)) for pair in pairs]
    every = frozenset({"value", "description", "type", "text"})
    assert len(set(splits)) == len(splits) == 7, "each way to share four things between two, once"
    for one, other in splits:
        assert one | other == every
        assert not one & other


def test_where_one_thing_is_new_one_has_said_it() -> None:
    assert list(parents(replace(BASE, value="pnpm"), [BASE])) == [(replace(BASE, value="pnpm"),)]
    assert list(parents(ALL, [])) == [(ALL,)]


def test_a_conflict_is_made_of_its_sides_and_came_from_none() -> None:
    sides = (Side("a", "npm", "npm here", "user"), Side("b", "pnpm", "pnpm here", "user"))
    conflicted = replace(BASE, value=None, body="", sides=sides)
    (group,) = parents(conflicted, [BASE])
    assert [memory.value for memory in group] == ["npm", "pnpm"]
    assert list(parents(ALL, [conflicted])) == [(ALL,)], "nothing was changed from a conflict"
