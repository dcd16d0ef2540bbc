"""No command over a small memdir takes much more of a processor than is aimed at."""

from __future__ import annotations

import sys

from tests.benchmarks import limits
from tests.benchmarks.table import BARE, COMMANDS, Measured, measure

ROUNDS = 4


def test_no_command_over_a_small_memdir_is_dear() -> None:
    found = measure([limits.SIZE], ROUNDS, sys.executable, callgrind=False)[limits.SIZE]
    assert list(limits.broken(found)) == []


def test_what_is_half_over_its_target_is_named() -> None:
    assert limits.TARGETS.keys() <= COMMANDS.keys()
    found = {BARE: Measured(2.0, 1)} | {
        row: Measured(2.0 * target * limits.OVER, 1) for row, target in limits.TARGETS.items()
    }
    assert list(limits.broken(found)) == []
    found["memdir get KEY"] = Measured(6.1, 1)
    (sentence,) = limits.broken(found)
    assert sentence.startswith("`memdir get KEY` takes 3.0 times")
