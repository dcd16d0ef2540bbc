"""Descent: what a merge made has no receipt of its own; those of both sides may speak for it together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdir_cli.domain.attribution import Claim, unsupported_parts
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.parentage import parents
from memdir_cli.storage import receipts


def is_supported(
    key: str, memory: Memory, past: Sequence[Memory], recorded: Sequence[Claim], every: Mapping[str, list[Claim]]
) -> bool:
    """Whether the receipts support what a merge made ``memory`` of, under whatever id it was said.

    :param key: that of the digests in the receipts.
    :param past: the earlier revisions of ``memory``.
    :param recorded: what the receipts claim of ``memory`` itself.
    :param every: all that the receipts claim, by id.
    """
    ids: dict[str, set[str]] = {}
    for memory_id, claims in every.items():
        for claim in claims:
            ids.setdefault(claim.content, set()).add(memory_id)
    found = receipts.claim(key, memory)
    for group in parents(memory, past):
        each = [receipts.contents(key, one) & ids.keys() for one in group]
        # the same content has the same identity: whatever was recorded under those ids is about this memory
        joined = {memory_id for contents in each for content in contents for memory_id in ids[content]}
        known = [*recorded, *(claim for memory_id in joined for claim in every[memory_id])]
        if all(each) and unsupported_parts(found, known) in {"", "content"}:
            return True
    return False
