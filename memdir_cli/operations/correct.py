"""correct: replace what is remembered, on a user's word, keeping what was said before."""

from __future__ import annotations

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.statement import Statement
from memdir_cli.operations import refusing
from memdir_cli.operations.stating import state
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace


@refusing.noting
def correct(workplace: Workplace, statement: Statement) -> WriteAnswer:
    """As ``remember``, of a statement that says that it replaces what stood.

    :raises MemdirError: if the statement cannot be understood or the memdir cannot be written.
    """
    return state(workplace, replace(statement, explicit=True, correction=True), "correct")
