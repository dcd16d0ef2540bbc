"""How it stood, from the receipts alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.health.replay import Past, replay
from memdir_cli.domain.status import STATUSES
from tests.domain.health.happened import event

END = "2026-12-31T23:59:59Z"


def at(moment: str, *happened: Happened) -> Past:
    """The past at one moment."""
    return next(replay(happened, [moment]))


def living(past: Past) -> dict[str, str]:
    """Id to status."""
    return {name[1]: standing.status for name, standing in past.living.items()}


def test_a_memory_stands_from_its_receipt_on() -> None:
    made = event("created", "2026-09-01T08:00:00Z")
    assert living(at("2026-09-01T07:59:59Z", made)) == {}
    past = at("2026-09-01T08:00:00Z", made)
    standing = past.living["project", "a"]
    assert (standing.status, standing.since, standing.verified, standing.created) == (
        "verified", made.at, made.at, made.at,
    )  # fmt: skip


def test_since_when_it_has_its_status_is_the_first_receipt_of_it() -> None:
    past = at(
        END,
        event("created", "2026-01-01T00:00:00Z"),
        event("conflicted", "2026-02-01T00:00:00Z", revision=2, status="conflicted", previous="a@1"),
        event("conflicted", "2026-03-01T00:00:00Z", revision=3, status="conflicted", previous="a@2"),
    )
    assert past.living["project", "a"].since == "2026-02-01T00:00:00Z"
    assert past.ended == {}, "the sides of a conflict are still open"


@pytest.mark.parametrize(
    ("kind", "actor", "moves"),
    [
        ("confirmed", "user", True),
        ("confirmed", "agent", False),
        ("superseded", "user", True),
        ("stale", "clock", False),
        ("restored", "user", False),
    ],
)
def test_only_a_user_moves_when_it_was_verified(kind: str, actor: str, moves: bool) -> None:
    later = event(kind, "2026-10-01T00:00:00Z", actor=actor, status="stale" if kind == "stale" else "verified")
    verified = at(END, event("created"), later).living["project", "a"].verified
    assert (verified == later.at) == moves


def test_nobody_stands_behind_a_candidate() -> None:
    assert at(END, event("created", status="candidate")).living["project", "a"].verified == ""


def test_a_revision_that_only_got_another_status_is_no_old_one() -> None:
    past = at(END, event("created"), event("stale", "2026-10-01T00:00:00Z", status="stale"))
    assert (living(past), past.ended) == ({"a": "stale"}, {})


@pytest.mark.parametrize("kind", ["absorbed", "dropped", "rejected", "forgotten"])
def test_what_went_away_stands_no_more_whatever_status_its_receipt_names(kind: str) -> None:
    waits = event("created", status="candidate")
    assert living(at(END, waits, event(kind, "2026-10-01T00:00:00Z", status="candidate"))) == {}


def test_a_revision_that_is_replaced_lies_in_history_until_it_is_dropped() -> None:
    replaced = event("superseded", "2026-10-01T00:00:00Z", revision=2, previous="a@1")
    dropped = event("dropped", "2026-11-01T00:00:00Z", status="superseded")
    past = at(END, event("created"), replaced)
    assert (living(past), dict(past.ended)) == ({"a": "verified"}, {"superseded": 1})
    past = at(END, event("created"), replaced, dropped)
    assert (living(past), +past.ended) == ({"a": "verified"}, {})


def test_what_expires_goes_to_history_and_what_is_forgotten_leaves_it() -> None:
    ended = event("expired", "2026-10-01T00:00:00Z", status="expired")
    past = at(END, event("created"), ended)
    assert (living(past), dict(past.ended)) == ({}, {"expired": 1})
    past = at(END, event("created"), ended, event("forgotten", "2026-11-01T00:00:00Z", status="expired"))
    assert (living(past), +past.ended) == ({}, {})


def test_a_candidate_that_is_taken_in_leaves_no_revision_behind() -> None:
    past = at(END, event("created", status="candidate"), event("confirmed", "2026-10-01T00:00:00Z", revision=2))
    assert (living(past), dict(past.ended)) == ({"a": "verified"}, {})


def test_memories_of_both_memdirs_are_told_apart() -> None:
    past = at(END, event("created"), event("created", memdir="user", status="candidate"))
    assert {name: one.status for name, one in past.living.items()} == {
        ("project", "a"): "verified", ("user", "a"): "candidate",
    }  # fmt: skip


KINDS = ("created", "confirmed", "superseded", "conflicted", "settled", "expired", "dropped", "forgotten", "unheard-of")
EVENTS = st.builds(
    event,
    st.sampled_from(KINDS),
    st.dates().map(lambda day: f"{day}T00:00:00Z"),
    id=st.sampled_from("abc"),
    revision=st.integers(-1, 4),
    status=st.sampled_from((*STATUSES, "", "nonsense")),
    previous=st.sampled_from(("", "a@1", "b@2", "@", "nonsense")),
)


@given(st.lists(EVENTS, max_size=20), st.lists(st.dates(), min_size=1, max_size=4))
def test_looking_several_times_on_the_way_finds_what_looking_once_finds(
    events: list[Happened], days: list[object]
) -> None:
    ordered = sorted(events, key=lambda one: one.at)
    moments = sorted(f"{day}T12:00:00Z" for day in days)
    assert list(replay(ordered, moments)) == [next(replay(ordered, [moment])) for moment in moments]
