"""expire: a user ends a memory that holds no longer."""

from __future__ import annotations

from memdir_cli.domain import ending
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations import referring, refusing, vouching
from memdir_cli.operations.workplace import Workplace


@refusing.noting
def expire(
    workplace: Workplace,
    ref: str,
    provenance: Provenance,
    *,
    superseded_by: str | None = None,
    scope: Level | None = None,
) -> WriteAnswer:
    """Send what ``ref`` names to history.

    :param superseded_by: REF of the memory that holds in its place; history links to it.
    :raises UsageError: if ``ref`` names nothing that can be ended, or ``superseded_by`` the same memory.
    :raises PersonNeededError: if either names several.
    """
    word = vouching.word_of(workplace, provenance, "expire", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = referring.find(workplace, ref, ("verified", "stale"), level=scope)
    successor = _successor(workplace, superseded_by, named.memory) if superseded_by is not None else None
    with store.writing(workplace.lock_timeout, "memdir expire") as writer:
        record = vouching.as_read(store, named)
        memory = record.memory
        barred = vouching.policy_kept(word, memory.predicate, (memory.authority,))
        if barred is not None:
            return barred
        carried = ending.end(record, successor, word.source(store), word.message)
        return vouching.carry_out(word, writer, carried, memory)


def _successor(workplace: Workplace, ref: str, ended: Memory) -> Memory:
    _, record = referring.find(workplace, ref, ("verified", "stale", "conflicted"))
    if record.memory.id == ended.id:
        raise UsageError(
            f"`{printable(ref)}` names the memory that is to end.",
            hint=f"name another one, or type `memdir correct {ended.predicate} VALUE` to replace its value",
        )
    return record.memory
