"""Conflict: several values of equal weight under one identity, kept in one file until a person settles it."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.source import SOURCES_ROOM, Source, merge, trim
from memdir_cli.shapes import replace

REASON = "sides-disagree: values of equal weight contradict each other"

#: Behind the id in the heading of a side that says that nothing applies, and says why.
_NOTHING = ": nothing applies"


def side_of(memory: Memory, side_id: str) -> Side:
    """``memory`` as one side of a conflict."""
    return Side(side_id, memory.value, memory.description, memory.authority, memory.source)


def way_out(memory: Memory) -> str:
    """What to type to end the conflict, and below it a line a side: id and value."""
    sides = (f"{side.id}  {side.description if side.value is None else side.value}" for side in memory.sides)
    return "\n".join((f"memdir settle {memory.id} --keep SIDE-ID", *sides))


def open_conflict(record: Memory, newcomer: Memory, ids: tuple[str, str], now: str) -> Memory:
    """``record`` with both values kept and none served.

    :param ids: fresh ids for the side that stood and the side that came.
    """
    first, second = side_of(record, ids[0]), side_of(newcomer, ids[1])
    texts = _text(first.id, record) + _text(second.id, newcomer)
    return replace(
        record,
        value=None,
        none=False,
        description=f"{record.predicate}: in conflict, ask before use",
        status="conflicted",
        status_reason=REASON,
        sides=_fitting((first, second)),
        source=union(record.source, newcomer.source),
        revision=record.revision + 1,
        updated_at=now,
        body=texts,
    )


def add_side(record: Memory, newcomer: Memory, side_id: str, now: str) -> Memory:
    """A conflicted ``record`` with one more side, or with the source added to the side that says the same."""
    side = side_that_says(record, newcomer)
    if side is not None:
        heard = replace(side, source=union(side.source, newcomer.source))
        sides = _fitting(tuple(heard if one is side else one for one in record.sides))
        return replace(record, sides=sides, source=union(record.source, newcomer.source))
    return replace(
        record,
        sides=_fitting((*record.sides, side_of(newcomer, side_id))),
        source=union(record.source, newcomer.source),
        revision=record.revision + 1,
        updated_at=now,
        body=record.body + _text(side_id, newcomer),
    )


def laid_open(record: Memory, parts: Iterable[tuple[str, Memory]], above: str = "") -> Memory:
    """``record`` with ``parts``, each a side under its id; whatever was said so far is said by them now.

    :param above: text that stands above the first heading.
    """
    parts = tuple(parts)
    sides = tuple(
        replace(side_of(memory, side_id), type=memory.type if memory.type != record.type else None)
        for side_id, memory in parts
    )
    return replace(
        record,
        value=None,
        none=False,
        description=f"{record.predicate}: in conflict, ask before use",
        sides=sides,
        body=above + "".join(_text(side_id, memory) for side_id, memory in parts),
    )


def above_sides(record: Memory) -> str:
    """What stands in the body of a conflicted ``record`` above the first heading of a side."""
    if not record.sides:
        return ""
    headings = _headings(record)
    kept: list[str] = []
    for line in record.body.splitlines(keepends=True):
        if line.rstrip() in headings:
            break
        kept.append(line)
    return "".join(kept)


def side_that_says(record: Memory, newcomer: Memory) -> Side | None:
    """The side of a conflicted ``record`` that says what ``newcomer`` says."""
    return next((side for side in record.sides if same_value(side_as_memory(record, side), newcomer)), None)


def side_as_memory(record: Memory, side: Side) -> Memory:
    """One side of a conflicted ``record`` as the memory it would be."""
    text = text_of(record, side)
    return replace(
        record,
        value=side.value,
        none=side.value is None and (not text or _heading(side.id, none=True) in record.body.splitlines()),
        description=side.description,
        type=side.type or record.type,
        authority=side.authority,
        source=side.source,
        sides=(),
        body=text,
    )


def without(record: Memory, side: Side) -> Memory:
    """A conflicted ``record`` whose other sides, two at least, stand against each other still."""
    rest = tuple(one for one in record.sides if one.id != side.id)
    texts = ((one, side_as_memory(record, one)) for one in rest)
    return replace(record, sides=rest, body="".join(_text(one.id, memory) for one, memory in texts))


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
    headings = _headings(record)
    kept: list[str] = []
    under = ""
    for line in record.body.split("\n"):
        found = headings.get(line.rstrip())
        if found is not None:
            under = found
        elif under == side.id:
            kept.append(f"{line}\n")
    text = "".join(kept).strip("\r\n")
    ending = "\r\n" if "\r\n" in text else "\n"
    return f"{text}{ending}" if text else ""


def _text(side_id: str, memory: Memory) -> str:
    """The text of ``memory`` under its heading, ``""`` if it has none."""
    text = memory.body.strip("\r\n")
    ending = "\r\n" if "\r\n" in text else "\n"
    return ending.join((_heading(side_id, none=memory.none), "", text, "", "")) if text.strip() else ""


def _headings(record: Memory) -> dict[str, str]:
    """The headings that may stand in the body of a conflicted ``record``, and the side of each."""
    return {_heading(one.id, none=none): one.id for one in record.sides for none in (False, True)}


def _heading(side_id: str, *, none: bool) -> str:
    return f"## {side_id}{_NOTHING if none else ''}"


def union(kept: tuple[Source, ...], new: tuple[Source, ...]) -> tuple[Source, ...]:
    """``kept`` with ``new`` added, as many as a header keeps."""
    for source in new:
        kept = merge(kept, source)
    return kept


def _fitting(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """``sides`` with no more sources than there is room for in one header, shared by all of them."""
    room = SOURCES_ROOM // len(sides)
    return tuple(replace(side, source=trim(side.source, room)) for side in sides)
