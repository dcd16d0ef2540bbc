"""expire: a user ends a memory that holds no longer."""

from __future__ import annotations

from dataclasses import replace

from memdir_cli.domain import ending, gate
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
    speaker = gate.hear(provenance, workplace.gate_policy)
    barred = speaker if isinstance(speaker, gate.Refusal) else gate.needs_word(speaker, "expire")
    if isinstance(speaker, gate.Refusal) or barred is not None:
        assert barred is not None
        return refused(ref, barred)
    store, named = referring.find(workplace, ref, ("verified", "stale"), level=scope)
    successor = _successor(workplace, superseded_by, named.memory) if superseded_by is not None else None
    now = workplace.runtime.now
    with store.writing(workplace.lock_timeout, "memdir expire") as writer:
        record = store.read(named.path)
        if not isinstance(record, Record) or record.memory.ref != named.memory.ref:
            raise ChangedError(f"`{named.path}` was changed meanwhile.", hint="read it again and repeat the command")
        if record.memory.authority == "policy" and not gate.may_set_policy(
            speaker, workplace.gate_policy, workplace.runtime.user.value
        ):
            return refused(record.memory.predicate, gate.policy_record(record.memory.predicate))
        source = sourcing.source(workplace, store, speaker, provenance)
        carried = ending.end(record, successor, source, sourcing.message_of(workplace, provenance))
        files = sourcing.keep_full(workplace, store, carried.memory, speaker, provenance)
        writer.commit(replace(carried.changes, files=files), now)
    return WriteAnswer(
        "expired",
        record.memory.predicate,
        memory=carried.memory,
        path=store.absolute(layout.path_of(carried.memory, store.layer)),
        reason=carried.memory.status_reason.partition(":")[0],
        previous=record.memory,
        warnings=writer.cautions(),
    )


def _successor(workplace: Workplace, ref: str, ended: Memory) -> Memory:
    _, record = referring.find(workplace, ref, ("verified", "stale", "conflicted"))
    if record.memory.id == ended.id:
        raise UsageError(
            f"`{printable(ref)}` names the memory that is to end.",
            hint=f"name another one, or type `memdir correct {ended.predicate} VALUE` to replace its value",
        )
    return record.memory
