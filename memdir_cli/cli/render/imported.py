"""The answer of ``import`` as lines: what became of every entry, and where it came from."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.cli.render import human
from memdir_cli.domain.importing import ImportAnswer, Imported
from memdir_cli.domain.text import printable


def line(one: Imported, *, dry_run: bool) -> str:
    """``created key = value [scope] id candidate (from notes/a.md:3)``; what is only shown has no id."""
    memory = one.memory
    told = [one.decision, human.statement(memory), "" if dry_run else memory.id, memory.status]
    return f"{' '.join(part for part in told if part)} (from {printable(one.origin)}:{one.line})"


def kept_out(answer: ImportAnswer) -> Iterator[str]:
    """What could not be read, and what was refused."""
    for one in answer.unread:
        yield printable(f"{one.path}:{one.line}:{one.column}: error: {one.message}")
    for entry in answer.refused:
        yield printable(f"{entry.origin}:{entry.line}: refused: {entry.message}")


def remarks(answer: ImportAnswer) -> Iterator[str]:
    """What a person should know of those that were taken in."""
    for one in answer.imported:
        for remark in one.remarks:
            yield printable(f"{one.origin}:{one.line}: warning: {remark}")
