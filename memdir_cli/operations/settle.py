"""settle: a user says which side of a conflict holds; the others go to history."""

from __future__ import annotations

from dataclasses import replace

from memdir_cli.domain import gate, plan
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.errors import ChangedError, UsageError
from memdir_cli.operations import referring, sourcing
from memdir_cli.operations.stating import refused
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout


def settle(
    workplace: Workplace, ref: str, keep: str, provenance: Provenance, *, scope: Level | None = None
) -> WriteAnswer:
    """Let the side ``keep`` (id or unique prefix) be the value of the conflicted memory ``ref``.

    :raises UsageError: if ``ref`` names no conflict, or ``keep`` none of its sides.
    """
    speaker = gate.hear(provenance, workplace.gate_policy)
    barred = speaker if isinstance(speaker, gate.Refusal) else gate.needs_word(speaker, "settle")
    if isinstance(speaker, gate.Refusal) or barred is not None:
        assert barred is not None
        return refused(ref, barred)
    store, named = referring.find(workplace, ref, ("conflicted",), level=scope)
    now = workplace.runtime.now
    with store.writing(workplace.lock_timeout, "memdir settle") as writer:
        record = store.read(named.path)
        if not isinstance(record, Record) or record.memory.id != named.memory.id:
            raise ChangedError(f"`{named.path}` was changed meanwhile.", hint="read it again")
        if any(side.authority == "policy" for side in record.memory.sides) and not gate.may_set_policy(
            speaker, workplace.gate_policy, workplace.runtime.user.value
        ):
            return refused(record.memory.predicate, gate.policy_record(record.memory.predicate))
        source = sourcing.source(workplace, store, speaker, provenance)
        side = _side(record.memory, keep)
        carried = plan.settle(record, side, source, now, sourcing.message_of(workplace, provenance))
        files = sourcing.keep_full(workplace, store, carried.memory, speaker, provenance)
        writer.commit(replace(carried.changes, files=files), now)
    return WriteAnswer(
        "settled",
        record.memory.predicate,
        memory=carried.memory,
        path=store.absolute(layout.path_of(carried.memory, store.layer)),
        previous=record.memory,
        warnings=writer.cautions(),
    )


def _side(memory: Memory, keep: str) -> str:
    found = [side.id for side in memory.sides if side.id.startswith(keep.lower())] if keep else []
    if len(found) == 1:
        return found[0]
    sides = ", ".join(f"{side.id} ({printable(side.value or '')})" for side in memory.sides)
    raise UsageError(
        f"`{printable(keep)}` is not one side of this conflict.", code="unknown-side", hint=f"the sides: {sides}"
    )
