"""remember: believe a statement, as far as its source and what stands already allow."""

from __future__ import annotations

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.statement import Statement
from memdir_cli.operations import refusing
from memdir_cli.operations.stating import state
from memdir_cli.operations.workplace import Workplace


@refusing.noting
def remember(workplace: Workplace, statement: Statement) -> WriteAnswer:
    """Create, confirm, supersede, keep apart, ask or refuse (the write table of SPEC 3).

    :raises MemdirError: if the statement cannot be understood or the memdir cannot be written.
    """
    return state(workplace, statement, "remember")
