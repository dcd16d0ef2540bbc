"""Answering: what who wanted a write is told where it was refused, or did not plainly succeed."""

from __future__ import annotations

from memdir_cli.domain import gate, screen
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.conflict import way_out
from memdir_cli.domain.decision import Verdict
from memdir_cli.domain.event import Decided
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.plan import Plan
from memdir_cli.domain.snapshot import Record
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store


def refused(key: str, refusal: gate.Refusal) -> WriteAnswer:
    """The answer where the gate says no."""
    return WriteAnswer("refused", screen.shown(key), reason=refusal.reason, message=refusal.message, hint=refusal.hint)


def unwritten(
    verdict: Verdict, key: str, expected: int | None, record: Record | None, store: Store
) -> WriteAnswer | None:
    """The answer to a verdict after which nobody writes, whoever speaks; ``None`` for any other.

    :param expected: the revision that the caller read, where it named one.
    :param record: the current record of the identity.
    """
    if verdict.outcome == "revision_conflict":
        return _changed_meanwhile(key, expected, record, store)
    if verdict.outcome == "refused":
        return refused(key, gate.policy_record(key))
    return None


def done(carried: Plan, store: Store, previous: Memory, warnings: tuple[Caution, ...]) -> WriteAnswer:
    """The answer where a plan was carried out in ``store``.

    :param previous: the memory before it.
    """
    return WriteAnswer(
        carried.decision,
        carried.memory.predicate,
        memory=carried.memory,
        path=store.absolute(layout.path_of(carried.memory, store.layer)),
        reason=carried.memory.status_reason.partition(":")[0],
        previous=previous,
        warnings=warnings,
    )


def undecided(store: Store, record: Record, rival: Memory, message: str, hint: str) -> WriteAnswer:
    """The answer where ``rival`` stands in the place of what ``record`` holds: a user must say which one holds."""
    return WriteAnswer(
        "needs_decision",
        record.memory.predicate,
        memory=record.memory,
        path=store.absolute(record.path),
        reason="rival",
        message=message,
        hint=hint,
        previous=rival,
    )


def _changed_meanwhile(key: str, expected: int | None, record: Record | None, store: Store) -> WriteAnswer:
    """The answer where another revision than the ``expected`` one stands."""
    now = f"revision {record.memory.revision}" if record else "no such memory"
    return WriteAnswer(
        "revision_conflict",
        key,
        memory=record.memory if record else None,
        path=store.absolute(record.path) if record else "",
        reason="revision-changed",
        message=f"`{key}` is not at revision {expected} any more: {now}.",
        hint=f"read it again: memdir get {key} --json",
        previous=record.memory if record else None,
    )


_MESSAGES = {
    "conflicted": "Two values of equal weight stand against each other for `{key}`; none is served.",
    "needs_decision": "`{key}` is remembered otherwise on higher authority; the new value waits in the inbox.",
}


def message_of(decided: Decided, key: str) -> str:
    """The sentence for a decision that is no plain success, ``""`` for the others."""
    return _MESSAGES.get(decided, "").format(key=key)


def hint_of(decided: Decided, memory: Memory | None) -> str:
    """What to type after a decision.

    :param memory: the memory after it.
    """
    if memory is None:
        return ""
    if decided == "conflicted" and memory.sides:
        return way_out(memory)
    if decided == "conflicted":
        return f"memdir correct {memory.predicate} VALUE replaces it"
    if decided == "needs_decision":
        return f"the user decides: `memdir correct {memory.predicate} VALUE` replaces what stands"
    if memory.status == "candidate" and memory.status_reason.startswith("evidence-missing"):
        return f"make it so in the project, then `memdir confirm {memory.id}`"
    if memory.status == "candidate":
        return gate.way_to_proof("confirm")
    return ""
