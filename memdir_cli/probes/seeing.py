"""What all looks share: from a file that cannot be used to what is said of it."""

from __future__ import annotations

from memdir_cli.domain.evidence import Observation, State
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.workspace import Unseen


def not_seen(state: State, message: str) -> Observation:
    """An observation of nothing."""
    return Observation(state, message=message)


def of_unseen(unseen: Unseen) -> Observation:
    """A file that was not read: absent, or there and of no use."""
    return Observation("absent" if unseen.reason == "absent" else "unreadable", message=unseen.message)


def package(path: str, ground: Ground) -> dict[str, object] | Observation:
    """The object that a JSON file holds, or why there is none."""
    document = ground.document(path)
    if isinstance(document, Unseen):
        return of_unseen(document)
    if not isinstance(document, dict):
        return Observation("unreadable", message="not a JSON object")
    return document
