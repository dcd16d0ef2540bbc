"""Changing a list in a header: the entries that stay keep their lines, with comments and unknown keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memdir_cli.shapes import dataclass
from memdir_cli.storage.codec.scalars import Value, block

_DASH = re.compile(r"( *)-(?: |\r?\n)")


@dataclass(frozen=True, slots=True)
class Entries:
    """A list as it shall be: for each entry the index of the one that stays, or a new value."""

    entries: tuple[int | Value, ...]

    @classmethod
    def between(cls, old: Sequence[Value], new: Sequence[Value]) -> Entries:
        """``new``, with the entries that stand in ``old`` in the same order left as they are."""
        entries: list[int | Value] = []
        after = 0
        for value in new:
            index = next((at for at in range(after, len(old)) if old[at] == value), None)
            entries.append(value if index is None else index)
            after = after if index is None else index + 1
        return cls(tuple(entries))

    def values(self, old: Sequence[Value]) -> list[Value]:
        """The list that results from ``old``."""
        return [old[entry] if isinstance(entry, int) else entry for entry in self.entries]


def list_lines(lines: str, change: Entries, count: int, ending: str) -> str | None:
    """The lines of a key with a block list after ``change``; ``None`` if they are of another form.

    :param lines: the key's line and those of its entries.
    :param count: how many entries stand there.
    :param ending: the line end of new lines.
    """
    head: str
    rest: list[str]
    head, *rest = re.findall(r"[^\n]*\n", lines)
    dashes = [(at, match) for at, line in enumerate(rest) if (match := _DASH.match(line))]
    if not dashes:
        return None
    column = len(dashes[0][1][1])
    starts = [_with_comments(rest, at) for at, match in dashes if len(match[1]) == column]
    if len(starts) != count or starts[0] != 0:
        return None
    chunks = ["".join(rest[start:end]) for start, end in pairwise([*starts, len(rest)])]
    return head + "".join(
        chunks[entry] if isinstance(entry, int) else _new(entry, column, ending) for entry in change.entries
    )


def _with_comments(rest: Sequence[str], at: int) -> int:
    """Index of the first of the comment and blank lines right above the entry at ``at``."""
    while at > 0 and (not rest[at - 1].strip() or rest[at - 1].lstrip(" ").startswith("#")):
        at -= 1
    return at


def _new(value: Value, column: int, ending: str) -> str:
    return block([value], column - 2)[1:].replace("\n", ending) + ending
