"""Parentage: of what a merge may have made a memory, so that the receipts of both sides speak for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdir_cli.domain import conflict
from memdir_cli.domain.content import THINGS, Content, content_of, saying
from memdir_cli.domain.memory import Memory
from memdir_cli.shapes import replace


def parents(memory: Memory, past: Iterable[Memory]) -> Iterator[tuple[Memory, ...]]:
    """What a merge may have made ``memory`` of: it is supported if each memory of one of these groups is.

    A conflict is made of its sides. What says something new is made of two changes of different things, and what
    both came from is in history. What says nothing new was said under another id as well.

    :param past: the earlier revisions.
    """
    if memory.sides:
        yield tuple(conflict.side_as_memory(memory, side) for side in memory.sides)
        return
    yield (memory,)
    content = content_of(memory)
    for base in (content_of(earlier) for earlier in past if not earlier.sides):
        # what one of them changed, or else the other: the last thing is always the other's
        for changed in range(1, 2 ** (len(THINGS) - 1)):
            one = _with_things_of(content, base, changed)
            other = _with_things_of(content, base, ~changed)
            if content not in (one, other):
                yield saying(memory, one), saying(memory, other)


def _with_things_of(content: Content, base: Content, which: int) -> Content:
    """``content`` with the things of ``base`` whose bits are set in ``which``."""
    names = [name for bit, things in enumerate(THINGS) if which >> bit & 1 for name in things]
    return replace(content, **{name: getattr(base, name) for name in names})
