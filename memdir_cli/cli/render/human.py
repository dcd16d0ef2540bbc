"""Answers as lines for people: no colour, nothing cut or wrapped, nothing that steers a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.text import printable

if TYPE_CHECKING:
    from memdir_cli.domain.refreshing import Change


def written(answer: WriteAnswer) -> str:
    """The one line of a success: decision, key, value, scope, id; the status where it is not verified."""
    memory = answer.memory
    if memory is None:
        return f"{answer.decision} {printable(answer.key)}"
    status = "" if answer.status in {None, "verified"} else f" {answer.status}"
    return f"{answer.decision} {statement(memory)} {memory.id}{status}"


def statement(memory: Memory) -> str:
    """``key = value [scope]``."""
    return f"{printable(memory.predicate)} = {value(memory)} [{where(memory.scope)}]"


def change(moved: Change) -> str:
    """``key (id): before -> after: why``."""
    memory = moved.record.memory
    line = f"{memory.predicate} ({memory.id}): {memory.status} -> {moved.after or 'dropped'}: {moved.reason}"
    return printable(line)


def value(memory: Memory) -> str:
    """The value on one line, or in parentheses why there is none."""
    if memory.value is not None:
        return printable(memory.value) if memory.value else '""'
    if memory.status == "conflicted":
        return "(in conflict)"
    if memory.status == "quarantined":
        return "(withheld)"
    return "(nothing applies)" if memory.none else "(text)"


def where(scope: Scope) -> str:
    """The scope with its qualifiers."""
    narrowed = [f" {line}" for line in scope.qualifiers.split("\n") if line]
    return printable(scope.text + "".join(narrowed))
