"""What a memory tells of itself as a whole."""

from __future__ import annotations

import pytest

from memdir_cli.domain.memory import Side
from memdir_cli.domain.source import Source
from tests.records import project

TIMES = {"created_at": "2026-09-01", "updated_at": "2026-09-02", "verified_at": "2026-09-03"}


@pytest.mark.parametrize("name", list(TIMES))
def test_the_latest_moment_is_that_at_which_it_was_made_changed_or_verified(name: str) -> None:
    told = {**TIMES, name: "2026-09-09"}
    memory = project(source=(Source("user", at="2026-09-04"),), **told).memory
    assert memory.latest == "2026-09-09"


def test_or_at_which_somebody_said_it() -> None:
    memory = project(source=(Source("user", at="2026-09-09"), Source("agent", at="2026-09-04")), **TIMES).memory
    assert memory.latest == "2026-09-09"
    assert project(source=(), **TIMES).memory.latest == "2026-09-03"


def test_sources_of_a_memory_are_its_own_and_those_of_its_sides() -> None:
    own, ours, theirs = (Source("user", f"m{n}") for n in range(3))
    sides = (Side("a", "npm", "", "user", (ours,)), Side("b", "pnpm", "", "user", (theirs,)))
    assert project(source=(own,), sides=sides).memory.sources == (own, ours, theirs)
