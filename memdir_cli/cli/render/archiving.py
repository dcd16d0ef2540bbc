"""What lies cold, a line a memory."""

from __future__ import annotations

from memdir_cli.cli.render import human
from memdir_cli.domain.archiving import ArchiveAnswer, Chill
from memdir_cli.domain.text import printable


def told(answer: ArchiveAnswer) -> str:
    """The memories that were put away, or would be."""
    verb = "archived" if answer.archived else "cold"
    return "\n".join(f"{verb} {_line(one)}" for one in answer.cold)


def _line(one: Chill) -> str:
    memory = one.record.memory
    return f"{human.statement(memory)} {memory.id}: {one.cold}: {printable(one.sentence)}"
