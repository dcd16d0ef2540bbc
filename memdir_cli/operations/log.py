"""log: what happened, from the receipts of both memdirs. It holds no content, so it is told at all times."""

from __future__ import annotations

from memdir_cli.domain.happenings import LogAnswer, newest_first
from memdir_cli.operations.workplace import Workplace


def log(workplace: Workplace) -> LogAnswer:
    """The events of both memdirs, newest first."""
    return LogAnswer(newest_first((store.layer, store.receipts()) for store in workplace.stores))
