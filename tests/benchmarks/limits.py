"""Limits: what a command over a small memdir may take, so that a change that makes it dear is seen at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.benchmarks.table import BARE, Measured

#: Memories of the memdir that is measured: few, so that what is measured is the way to an answer.
SIZE = 100

#: A ratio so many times over its target fails.
OVER = 1.5

#: By row of the table, the ratio to a bare interpreter that is aimed at over :data:`SIZE` memories.
TARGETS: dict[str, float] = {
    "python -c 'import memdir_cli'": 1,
    "memdir --version": 2,
    "memdir --help": 10,
    "memdir get KEY, after a write": 10,
    "memdir get KEY": 2,
    "memdir context, after a write": 12,
    "memdir context": 2.2,
    "memdir hook session-start, after a write": 12,
    "memdir hook session-start": 4,
    "memdir list, after a write": 12,
    "memdir list": 2.2,
    "memdir search TEXT, after a write": 14,
    "memdir search TEXT": 2.2,
    "memdir remember KEY VALUE": 10,
    "memdir correct KEY VALUE": 10,
    "memdir check": 4,
}


def broken(found: Mapping[str, Measured]) -> Iterator[str]:
    """A sentence for every row that is too dear."""
    bare = found[BARE].seconds
    for row, target in TARGETS.items():
        ratio = found[row].seconds / bare
        if ratio > target * OVER:
            allowed = f"{target:g} is aimed at, and {target * OVER:g} allowed"
            yield f"`{row}` takes {ratio:.1f} times a bare interpreter; {allowed}"
