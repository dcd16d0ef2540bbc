"""settle: a user says which side of a conflict holds; the others go to history."""

from __future__ import annotations

from memdir_cli.domain import plan
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations import referring, refusing, vouching
from memdir_cli.operations.workplace import Workplace


@refusing.noting
def settle(
    workplace: Workplace, ref: str, keep: str, provenance: Provenance, *, scope: Level | None = None
) -> WriteAnswer:
    """Let the side ``keep`` (id or unique prefix) be the value of the conflicted memory ``ref``.

    :raises UsageError: if ``ref`` names no conflict, or ``keep`` none of its sides.
    """
    word = vouching.word_of(workplace, provenance, "settle", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = referring.find(workplace, ref, ("conflicted",), level=scope)
    with store.writing(workplace.lock_timeout, "memdir settle") as writer:
        record = vouching.as_read(store, named)
        memory = record.memory
        barred = vouching.policy_kept(word, memory.predicate, (side.authority for side in memory.sides))
        if barred is not None:
            return barred
        carried = plan.settle(record, _side(memory, keep), word.source(store), workplace.runtime.now, word.message)
        return vouching.carry_out(word, writer, carried, memory)


def _side(memory: Memory, keep: str) -> str:
    found = [side.id for side in memory.sides if side.id.startswith(keep.lower())] if keep else []
    if len(found) == 1:
        return found[0]
    sides = ", ".join(f"{side.id} ({printable(side.value or '')})" for side in memory.sides)
    raise UsageError(
        f"`{printable(keep)}` is not one side of this conflict.", code="unknown-side", hint=f"the sides: {sides}"
    )
