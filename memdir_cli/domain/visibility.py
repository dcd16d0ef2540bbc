"""Visibility: which memories a runtime may see at all, whether or not they win."""

from __future__ import annotations

from memdir_cli.domain.applies import MOVABLE, PLACE
from memdir_cli.domain.resolve import Judged


def another_users(judged: Judged) -> bool:
    """Whether a record is another user's; of those nothing is ever told, not even that they exist."""
    return judged.memory.subject.startswith("user:") and any(one.name == "subject" for one in judged.unmet)


def here(judged: Judged) -> bool:
    """Whether a record belongs to this user, repository and task, whatever its qualifiers and status."""
    return not any(one.name in PLACE for one in judged.unmet)


def in_view(judged: Judged) -> bool:
    """Whether a record is in the current view: of this place, and usable or conflicted, with any qualifiers."""
    return here(judged) and judged.servable


def in_run(judged: Judged) -> bool:
    """Whether a record is in the view of this run: in another environment or version it could not come to apply."""
    return judged.servable and all(one.name in MOVABLE for one in judged.unmet)
