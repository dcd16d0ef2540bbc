"""Visibility: which memories a runtime may see at all, whether or not they win."""

from __future__ import annotations

from memdir_cli.domain.applies import PLACE
from memdir_cli.domain.resolve import Judged


def own(judged: Judged) -> bool:
    """Whether a record lies in the memdir where its subject's memories belong, and the subject is ours."""
    return not any(one.name in {"memdir", "subject"} for one in judged.unmet)


def here(judged: Judged) -> bool:
    """Whether a record belongs to this user, repository and task, whatever its qualifiers and status."""
    return not any(one.name in PLACE for one in judged.unmet)


def in_view(judged: Judged) -> bool:
    """Whether a record is in the current view: of this place, and usable or conflicted."""
    return here(judged) and judged.servable
