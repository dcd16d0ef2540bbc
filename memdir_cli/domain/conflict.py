"""Conflict: several values of equal weight under one identity, kept in one file until a person settles it."""

from __future__ import annotations

from dataclasses import replace

from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.source import Source, merge, trim

REASON = "sides-disagree: values of equal weight contradict each other"


def side_of(memory: Memory, side_id: str) -> Side:
    """``memory`` as one side of a conflict."""
    return Side(side_id, memory.value, memory.description, memory.authority, memory.source)


def open_conflict(record: Memory, newcomer: Memory, ids: tuple[str, str], now: str) -> Memory:
    """``record`` with both values kept and none served.

    :param ids: fresh ids for the side that stood and the side that came.
    """
    first, second = side_of(record, ids[0]), side_of(newcomer, ids[1])
    texts = _texts(((first.id, record.body), (second.id, newcomer.body)))
    return replace(
        record,
        value=None,
        none=False,
        description=f"{record.predicate}: in conflict, ask before use",
        status="conflicted",
        status_reason=REASON,
        sides=(first, second),
        source=_union(record.source, newcomer.source),
        revision=record.revision + 1,
        updated_at=now,
        body=texts,
    )


def add_side(record: Memory, newcomer: Memory, side_id: str, now: str) -> Memory:
    """A conflicted ``record`` with one more side, or with the source added to the side that says the same."""
    for side in record.sides:
        if side.value == newcomer.value:
            heard = replace(side, source=_union(side.source, newcomer.source))
            sides = tuple(heard if one is side else one for one in record.sides)
            return replace(record, sides=sides, source=_union(record.source, newcomer.source))
    return replace(
        record,
        sides=(*record.sides, side_of(newcomer, side_id)),
        source=_union(record.source, newcomer.source),
        revision=record.revision + 1,
        updated_at=now,
        body=record.body + _texts(((side_id, newcomer.body),)),
    )


def side_as_memory(record: Memory, side: Side) -> Memory:
    """One side of a conflicted ``record`` as the memory it would be."""
    return replace(
        record,
        value=side.value,
        none=side.value is None and not text_of(record, side),
        description=side.description,
        authority=side.authority,
        source=side.source,
        sides=(),
        body=text_of(record, side),
    )


def loser(record: Memory, side: Side, successor: Memory) -> Memory:
    """One side of a settled ``record`` as it goes to history."""
    return replace(
        side_as_memory(record, side),
        id=side.id,
        status="superseded",
        status_reason=f"superseded: by {successor.ref}",
        superseded_by=successor.ref,
        supersedes="",
    )


def text_of(record: Memory, side: Side) -> str:
    """The text under the heading of ``side`` in the body of a conflicted ``record``."""
    headings = {f"## {one.id}" for one in record.sides}
    kept: list[str] = []
    inside = False
    for line in record.body.splitlines(keepends=True):
        if line.rstrip() in headings:
            inside = line.rstrip() == f"## {side.id}"
        elif inside:
            kept.append(line)
    text = "".join(kept).strip("\n")
    return f"{text}\n" if text else ""


def _texts(bodies: tuple[tuple[str, str], ...]) -> str:
    return "".join(f"## {side_id}\n\n{body.strip(chr(10))}\n\n" for side_id, body in bodies if body.strip())


def _union(kept: tuple[Source, ...], new: tuple[Source, ...]) -> tuple[Source, ...]:
    for source in new:
        kept = merge(kept, source)
    return trim(kept)
