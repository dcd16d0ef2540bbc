"""Attribution: whether the receipts support what a memory file claims.

A file that no receipt names, or whose status, authority or source nobody recorded, was not written
by memdir on anybody's word. It is served with a warning only, until ``confirm`` adopts it.
"""

from __future__ import annotations

from collections.abc import Sequence

from memdir_cli.domain.status import CAUTION, Status
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """What one receipt recorded of one memory.

    :ivar at: when the receipt counts as made.
    :ivar content: keyed digest of value, description, body and type.
    :ivar sources: keyed digests of the source entries.
    :ivar revision: of which it was recorded.
    """

    at: str
    status: Status
    authority: str
    content: str
    sources: frozenset[str]
    revision: int = 1


def unsupported(found: Claim, recorded: Sequence[Claim]) -> str:
    """What the receipts do not support about a memory, as a code; ``""`` if they support it.

    :param found: the claims of the file as it is, digested with the same key.
    :param recorded: the claims of the receipts that name its id, in the order of the files.
    """
    if not recorded:
        return "no-receipt"
    latest = recorded[0] if len(recorded) == 1 else _latest(found, recorded)
    if CAUTION.index(found.status) > CAUTION.index(latest.status):
        return "status"
    return unsupported_parts(found, recorded)


def unsupported_parts(found: Claim, recorded: Sequence[Claim]) -> str:
    """As :func:`unsupported`, whatever its status is."""
    if any(_supports(claim, found) for claim in recorded):
        return ""
    if found.authority not in {claim.authority for claim in recorded}:
        return "authority"
    if not found.sources <= frozenset().union(*(claim.sources for claim in recorded)):
        return "source"
    if found.content not in {claim.content for claim in recorded}:
        return "content"
    return ""


def _supports(claim: Claim, found: Claim) -> bool:
    """Whether one receipt supports all of it, as nearly always the last one does."""
    return claim.content == found.content and claim.authority == found.authority and found.sources <= claim.sources


def _latest(found: Claim, recorded: Sequence[Claim]) -> Claim:
    """The receipt that has the last word on the status of ``found``.

    What happened to an earlier revision, or to another one of the same number, says nothing of this one: another
    branch may have done it.
    """
    meant = [
        claim
        for claim in recorded
        if claim.revision > found.revision or (claim.revision, claim.content) == (found.revision, found.content)
    ]
    if not meant:
        reached = max(claim.revision for claim in recorded)
        meant = [claim for claim in recorded if claim.revision == reached]
    latest = max(meant, key=lambda claim: claim.at)
    # a later receipt of the same second stands further down
    return next(claim for claim in reversed(meant) if claim.at == latest.at)
