"""Barring: what lies in quarantine keeps others from being written in its place, and itself from being said again."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import gate
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Unreadable
from memdir_cli.storage import layout, receipts
from memdir_cli.storage.store import Store


def refusal(store: Store, identity: Identity, newcomer: Memory | None, *, standing: bool) -> gate.Refusal | None:
    """Why nothing may be written under an identity, or nothing of what ``newcomer`` says; ``None`` if it may.

    :param standing: another memory stands there: then only what is in quarantine itself is kept out.
    """
    found = store.named(identity.predicate, (layout.QUARANTINE,))
    for record in found.records:
        memory = record.memory
        if memory.identity.key != identity.key:
            continue
        if not standing or (newcomer is not None and _same_again(store, memory.id, newcomer)):
            return gate.Refusal(
                "quarantined",
                f"`{memory.predicate}` is in quarantine as `{memory.id}`; nobody writes it until a person has decided.",
                f"a person looks at it with `memdir show {memory.id} --quarantined`, then types "
                f"`memdir release {memory.id}` or `memdir forget {memory.id}`",
            )
    hidden: Iterable[Unreadable] = found.unreadable if not standing else ()
    for one in hidden:
        return gate.Refusal(
            "quarantined",
            f"`{one.path}` is in quarantine and cannot be read, so that it may be `{identity.predicate}`.",
            "mend that file; `memdir check` says what is wrong with it",
        )
    return None


def _same_again(store: Store, memory_id: str, newcomer: Memory) -> bool:
    """Whether ``newcomer`` says what the receipts know of a memory in quarantine."""
    content = receipts.claim(store.config.key, newcomer).content
    return any(one.content == content for one in receipts.claims(store.receipts(memory_id)).get(memory_id, []))
