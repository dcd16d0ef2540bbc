"""What two memdirs' tombstones keep from being served, whichever of the two holds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from memdir_cli.domain import tombstone
from memdir_cli.domain.tombstone import Lift, Tombstone
from memdir_cli.storage import tombstones
from memdir_cli.storage.graveyard import FEW, Graveyard, Yard
from tests.records import NOW, project

KEY, USER_KEY = "key-of-the-memdir", "key-of-the-user"
MEMORY = project(id="a", predicate="lint", value="ruff", body="Run ruff before every commit.\n").memory
OTHER = replace(MEMORY, id="b", predicate="other", value="x", body="Nothing of the kind was ever forgotten.\n")
IDENTITY = tombstones.of_identity(KEY, MEMORY, "project")
TEXTS = tombstones.of_texts(USER_KEY, MEMORY)
STONES = {
    "id": Tombstone("a", "", NOW, "t1"),
    "identity": Tombstone("z", IDENTITY, NOW, "t1"),
    "text": Tombstone("z", "", NOW, "t1", TEXTS),
}


def everything(lifts: Iterable[Lift]) -> Iterable[Lift]:
    return lifts


def yard(*entries: Tombstone | Lift) -> Yard:
    return Yard("".join(f"{tombstone.line(entry)}\n" for entry in entries).encode(), everything)


def graveyard(*yards: Yard, told: Iterable[str] = ()) -> Graveyard:
    return Graveyard(yards, "project", KEY, USER_KEY, set(told).__contains__)


def test_where_nothing_is_forgotten_everything_is_served() -> None:
    found = graveyard(yard(), yard())
    assert (found.empty, found.of(MEMORY), found.holds_text_of(MEMORY)) == (True, None, False)
    assert graveyard(yard(STONES["id"]), yard()).empty is False


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("beside", [(), (Tombstone("y", "", NOW, "t0"),)], ids=["alone", "beside another"])
@pytest.mark.parametrize("place", [0, 1], ids=["own", "of the user"])
@pytest.mark.parametrize("of", STONES)
def test_a_memory_is_kept_back_by_id_identity_or_text_whoever_holds_the_tombstone(
    of: str, place: int, beside: tuple[Tombstone, ...], *, many: bool
) -> None:
    yards = [yard(*beside), yard(*beside)]
    yards[place] = yard(STONES[of])
    found = graveyard(*yards)
    assert [found.of(OTHER) for _ in range(FEW + 1 if many else 1)][-1] is None
    assert found.of(MEMORY) == STONES[of]
    assert found.holds_text_of(MEMORY) is (of == "text")
    assert found.holds_text_of(OTHER) is False


def test_a_receipt_speaks_for_a_text_that_stood_here_besides_but_not_for_an_identity() -> None:
    assert graveyard(yard(STONES["text"]), told=["a"]).of(MEMORY) is None
    both = graveyard(yard(STONES["identity"], replace(STONES["text"], id="y", at="2027-01-01T00:00:00Z")), told=["a"])
    assert both.of(MEMORY) == STONES["identity"]


def test_a_past_revision_is_judged_by_its_identity_alone() -> None:
    past = replace(MEMORY, status="superseded")
    assert graveyard(yard(STONES["text"])).of(past) is None
    assert graveyard(yard(STONES["identity"])).of(past) == STONES["identity"]


def test_what_is_lifted_keeps_nothing_back_unless_no_receipt_tells_of_the_lift() -> None:
    lifted = yard(STONES["identity"], Lift("n", ("t1/z",), (), NOW, "t2"))
    assert graveyard(lifted).of(MEMORY) is None
    assert graveyard(Yard(lifted.content, lambda _: ())).of(MEMORY) == STONES["identity"]


@pytest.mark.parametrize("beside", [False, True], ids=["looked for in the bytes", "parsed"])
@pytest.mark.parametrize("link", ["a@r1", "a"])
def test_what_came_in_the_place_of_a_forgotten_memory_is_kept_back(link: str, *, beside: bool) -> None:
    found = graveyard(yard(STONES["id"]))
    if beside:
        assert found.forgotten.ids
    assert found.of(replace(OTHER, supersedes=link)) == STONES["id"]
    assert found.of(replace(OTHER, supersedes="c@a")) is None


@pytest.mark.parametrize("of", ["identity", "text"])
def test_of_several_tombstones_the_last_one_is_told(of: str) -> None:
    later = replace(STONES[of], at="2027-01-01T00:00:00Z", transaction="t2")
    assert graveyard(yard(later, STONES[of])).of(MEMORY) == later
    assert graveyard(yard(STONES[of]), yard(later)).of(MEMORY) == later
