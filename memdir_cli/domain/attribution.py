"""Attribution: whether the receipts support what a memory file claims.

A file that no receipt names, or whose status, authority or source nobody recorded, was not written
by memdir on anybody's word. It is served with a warning only, until ``confirm`` adopts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memdir_cli.domain.status import CAUTION, Status


@dataclass(frozen=True, slots=True)
class Claim:
    """What one receipt recorded of one memory.

    :ivar at: when the receipt counts as made.
    :ivar content: keyed digest of value, description, body and type.
    :ivar sources: keyed digests of the source entries.
    """

    at: str
    status: Status
    authority: str
    content: str
    sources: frozenset[str]


def unsupported(found: Claim, recorded: Sequence[Claim]) -> str:
    """What the receipts do not support about a memory, as a code; ``""`` if they support it.

    :param found: the claims of the file as it is, digested with the same key.
    :param recorded: the claims of the receipts that name its id, in the order of the files.
    """
    if not recorded:
        return "no-receipt"
    latest = max(recorded, key=lambda claim: claim.at)
    # a later receipt of the same second stands further down
    latest = next(claim for claim in reversed(recorded) if claim.at == latest.at)
    if CAUTION.index(found.status) > CAUTION.index(latest.status):
        return "status"
    if found.authority not in {claim.authority for claim in recorded}:
        return "authority"
    if not found.sources <= frozenset().union(*(claim.sources for claim in recorded)):
        return "source"
    if found.content not in {claim.content for claim in recorded}:
        return "content"
    return ""
