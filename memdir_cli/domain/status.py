"""Status: what may be done with a memory now."""

from __future__ import annotations

from typing import Literal

Status = Literal["candidate", "verified", "stale", "conflicted", "quarantined", "superseded", "expired", "archived"]

STATUSES: tuple[Status, ...] = (
    "candidate", "verified", "stale", "conflicted", "quarantined", "superseded", "expired", "archived",
)  # fmt: skip

#: An agent may be given the value.
USABLE: frozenset[Status] = frozenset({"verified", "stale"})

#: Lives in ``memories/`` and counts as the record of its identity.
CURRENT: frozenset[Status] = frozenset({"verified", "stale", "conflicted"})

#: From the most cautious to the least; the worse of two is the one that stands first here.
CAUTION: tuple[Status, ...] = (
    "quarantined", "superseded", "archived", "expired", "candidate", "conflicted", "stale", "verified",
)  # fmt: skip

#: The folder in which a memory of each status lies.
FOLDER: dict[Status, str] = {
    "verified": "memories",
    "stale": "memories",
    "conflicted": "memories",
    "candidate": "inbox",
    "quarantined": "quarantine",
    "superseded": "history",
    "expired": "history",
    "archived": "archive",
}


def worse(one: Status, other: Status) -> Status:
    """The more cautious of two statuses."""
    return min(one, other, key=CAUTION.index)
