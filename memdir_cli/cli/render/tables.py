"""Answers of several lines: tab-separated columns off a terminal, a table where a person looks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from memdir_cli.cli import streams
from memdir_cli.cli.render import human
from memdir_cli.domain import view
from memdir_cli.domain.finding import Result
from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.resolve import Contender
from memdir_cli.domain.text import printable

Row = tuple[str, ...]

MEMORIES = ("key", "value", "scope", "status", "date", "id")
RESULTS = (*MEMORIES, "score")
REVISIONS = ("revision", "value", "scope", "status", "date", "source")
EVENTS = ("time", "event", "memory", "key", "status", "asked by", "memdir")
CONTENDERS = ("outcome", "value", "scope", "status", "id", "reason")


def memories(listed: Iterable[Listed]) -> list[Row]:
    """A row a memory."""
    rows: list[Row] = []
    for one in listed:
        memory, status = one.judged.memory, one.judged.effective.status
        mark = f"{status}, unattributed" if one.unsupported else status
        rows.append(
            (memory.predicate, human.value(memory), human.where(memory.scope), mark, view.dated(memory)[:10], memory.id)
        )
    return rows


def results(found: Iterable[Result]) -> list[Row]:
    """A row a memory, the best first; where there is no value, what it says of itself."""
    rows: list[Row] = []
    for one in found:
        (row,) = memories([one.listed])
        memory = one.listed.judged.memory
        texts = memory.description if memory.value is None and not memory.sides and not memory.none else ""
        rows.append((row[0], printable(texts) or row[1], *row[2:], f"{one.hit.score:.4f}"))
    return rows


def revisions(listed: Iterable[Listed]) -> list[Row]:
    """A row a revision."""
    rows: list[Row] = []
    for one in listed:
        memory, status = one.judged.memory, one.judged.effective.status
        more = len(memory.source) + len(one.older) - 1
        said = f"{view.source_label(memory)}{f' and {more} more' if more > 0 else ''}"
        rows.append((memory.ref, human.value(memory), human.where(memory.scope), status, view.dated(memory)[:10], said))
    return rows


def events(happened: Iterable[Happened]) -> list[Row]:
    """A row an event."""
    return [
        (one.at, one.kind, f"{one.id}@{one.revision}", one.key, one.status, one.actor, one.memdir) for one in happened
    ]


def contenders(fared: Iterable[Contender]) -> list[Row]:
    """A row a contender, the winner first."""
    rows: list[Row] = []
    for one in fared:
        memory, status = one.judged.memory, one.judged.effective.status
        rows.append((one.outcome, human.value(memory), human.where(memory.scope), status, memory.id, one.reason))
    return rows


def show(headings: Row, rows: Sequence[Row]) -> None:
    """Print ``rows``; the headings only where a person looks."""
    streams.write(drawn(headings, rows))


def drawn(headings: Row, rows: Sequence[Row]) -> str:
    """What :func:`show` prints."""
    cells = [tuple(printable(cell) for cell in row) for row in rows]
    if streams.decorated(sys.stdout):
        return _table(headings, cells)
    return "".join("\t".join(row) + "\n" for row in cells)


def _table(headings: Row, rows: Sequence[Row]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        # text, never markup: a memory may hold [brackets] and :colons:
        table.add_row(*(Text(cell) for cell in row))
    console = Console()
    with console.capture() as captured:
        console.print(table)
    return captured.get()
