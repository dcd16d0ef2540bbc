"""Doubt: why a value that is served should be verified first."""

from __future__ import annotations

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.text import printable

#: Of each code of :func:`attribution.unsupported`, the sentence for people.
UNATTRIBUTED = {
    "no-receipt": "no receipt names this memory",
    "status": "no receipt gave it this status",
    "authority": "no receipt gave it this authority",
    "source": "a source of it is in no receipt",
    "content": "it was changed by hand since the last receipt",
}


def doubts(judged: Judged, unsupported: str) -> tuple[Caution, ...]:
    """The warnings that go with a value.

    :param unsupported: what the receipts do not support, ``""`` if they support it.
    """
    found = []
    if judged.effective.status == "stale":
        why = printable(judged.effective.sentence)
        found.append(Caution("stale", "stale: verify first" + (f": {why}" if why else "")))
    if unsupported:
        why = UNATTRIBUTED.get(unsupported, unsupported)
        found.append(Caution("unattributed", f"unattributed: verify first: {why}; `memdir confirm` adopts it"))
    return tuple(found)
