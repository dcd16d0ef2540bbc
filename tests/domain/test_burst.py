"""Bursts: when changes that follow one another are answered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.burst import LONGEST, QUIET, Burst, grown


def test_one_change_is_answered_after_quiet() -> None:
    assert grown(None, 10.0).due() == 10.0 + QUIET


def test_each_further_change_puts_it_off() -> None:
    assert grown(grown(None, 10.0), 10.2).due() == 10.2 + QUIET


def test_changes_without_end_put_it_off_so_long_only() -> None:
    burst: Burst | None = None
    for tick in range(1000):
        burst = grown(burst, 10.0 + tick / 10)
    assert burst is not None
    assert burst.due() == 10.0 + LONGEST


@given(st.lists(st.floats(0, 0.29), max_size=200), st.floats(0.01, 1), st.floats(1, 10))
def test_it_is_never_due_before_quiet_nor_after_its_longest(gaps: list[float], quiet: float, longest: float) -> None:
    at = 100.0
    burst = grown(None, at)
    for gap in gaps:
        at += gap
        burst = grown(burst, at)
    assert burst.first + min(quiet, longest) <= burst.due(quiet, longest) <= burst.first + longest
    assert burst.due(quiet, longest) <= at + quiet


def test_a_clock_that_stands_still_or_goes_back_shortens_nothing() -> None:
    assert grown(Burst(10.0, 11.0), 10.5) == Burst(10.0, 11.0)
