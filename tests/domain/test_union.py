"""Union: what two sides added, in one order, whichever side is one's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.source import ATTESTATIONS, Attestation, Source, name_of
from memdir_cli.domain.union import lines, united

T1, T2, T3 = "2026-09-01T08:00:00Z", "2026-09-02T08:00:00Z", "2026-09-03T08:00:00Z"
REF = "session:s1/message:m1"


def entry(said: str, at: str, attested: Attestation = "claimed", ref: str = REF) -> Source:
    return Source("user", ref, said, at, attested)


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (entry("npm", T1), entry("npm", T1), entry("npm", T1)),
        (entry("npm", T1), entry("npm", T2), entry("npm", T2)),
        # by what the times mean: eight o'clock in the east is before seven in the west
        (entry("npm", "2026-09-01T08:00:00+02:00"), entry("npm", "2026-09-01T07:00:00Z"),
         entry("npm", "2026-09-01T07:00:00Z")),
        (entry("npm", T1, "transcript"), entry("npm", T2), entry("npm", T2, "transcript")),
        # a proof never passes to other words, nor their time to it
        (entry("npm", T1, "transcript"), entry("yarn", T2), entry("npm", T1, "transcript")),
        (entry("npm", T1), entry("yarn", T2), entry("yarn", T2)),
        (entry("npm", T1), entry("", T2), entry("npm", T1)),
        (entry("npm", T1), entry("yarn", ""), entry("npm", T1)),
    ],
)  # fmt: skip
def test_of_one_message_the_words_that_are_proven_best_stay_else_the_latest(
    one: Source, other: Source, joined: Source
) -> None:
    assert united((one,), (other,)) == united((other,), (one,)) == (joined,)


def test_sources_of_both_sides_stand_in_the_order_of_their_times() -> None:
    first, mine, yours, last = (entry("npm", at, ref=f"message:{at}") for at in (T1, T2, T3, "2026-09-04"))
    assert united((first, mine, last), (first, yours)) == (first, mine, yours, last)
    assert united((first, yours), (first, mine, last)) == (first, mine, yours, last)


def test_lines_of_two_logs_stand_once_in_the_order_of_their_times() -> None:
    ours, theirs = [f"{T1} a", f"{T3} b", "no time"], [f"{T1} a", f"{T2} c", f"{T3} d"]
    told = (f"{T1} a", f"{T2} c", f"{T3} b", "no time", f"{T3} d")
    for one, other in ((ours, theirs), (theirs, ours)):
        assert lines(one, other, lambda line: line.partition(" ")[0]) == told


sources = st.lists(
    st.builds(
        entry, st.sampled_from(["", "x", "y"]), st.sampled_from(["", T1, T2]), st.sampled_from(ATTESTATIONS),
        st.sampled_from(["", "a", "b"]),
    ),
    max_size=6,
    unique_by=name_of,
).map(tuple)  # fmt: skip


@given(sources, sources)
def test_the_union_is_the_same_whichever_side_is_ones_own_and_loses_nobody(
    ours: tuple[Source, ...], theirs: tuple[Source, ...]
) -> None:
    both = united(ours, theirs)
    assert both == united(theirs, ours)
    assert {name_of(one) for one in both} == {name_of(one) for one in (*ours, *theirs)}
    assert united(both, both) == both
