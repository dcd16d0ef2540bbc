"""narrow: a user says where a memory holds; elsewhere it does not hold any more."""

from __future__ import annotations

from memdir_cli.domain import decision, narrowing, plan, screen
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.conflict import way_out
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.narrowing import Wide
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance, Qualification
from memdir_cli.errors import UsageError
from memdir_cli.operations import answering, barring, evidencing, placing, referring, refusing, stating, vouching
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage.ids import new_id
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@refusing.noting
def narrow(
    workplace: Workplace,
    ref: str,
    given: Qualification,
    provenance: Provenance,
    *,
    scope: Level | None = None,
    replacing: int | None = None,
) -> WriteAnswer:
    """Let what ``ref`` names hold only where ``given`` says. The wide memory goes to history.

    What stands in the narrower place already is met as by ``remember``: the same value is confirmed, another one
    makes a conflict. A side of a conflict is named by its own id.

    :param replacing: the revision, in the narrower place, of another value that the user has agreed to replace.
    :raises UsageError: if ``ref`` names nothing that can be narrowed, or ``given`` is not narrower.
    :raises PersonNeededError: if it names several.
    """
    word = vouching.word_of(workplace, provenance, "narrow", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = _named(workplace, ref, scope)
    with store.writing(workplace.lock_timeout, "memdir narrow") as writer:
        wide = _as_read(store, named)
        memory = wide.memory
        placing.refuse_expired(memory, workplace.runtime.now)
        barred = vouching.policy_kept(word, memory.predicate, (memory.authority,))
        if barred is not None:
            return barred
        said = _said(word, store, wide, placing.qualification(given))
        if isinstance(said, WriteAnswer):
            return said
        return _decide(word, writer, wide, said, replacing)


def _named(workplace: Workplace, ref: str, scope: Level | None) -> tuple[Store, Wide]:
    """What ``ref`` names: a memory, or a side of a conflict.

    :raises UsageError: if it names a conflict as a whole: each of its sides holds somewhere else.
    """
    try:
        store, record = referring.find(workplace, ref, ("candidate", "verified", "stale", "conflicted"), level=scope)
    except UsageError as error:
        side = referring.find_side(workplace, ref) if error.code == "unknown-ref" else None
        if side is None:
            raise
        return side[0], Wide(*side[1:])
    if record.memory.status == "conflicted":
        sides = way_out(record.memory).partition("\n")[2]
        raise UsageError(
            f"`{record.memory.predicate}` is in conflict; each side can be narrowed to where it holds.",
            code="in-conflict",
            hint=f"memdir narrow SIDE-ID with `--path`, `--topic`, `--env` or `--for-version`\n{sides}",
        )
    return store, Wide(record)


def _as_read(store: Store, named: Wide) -> Wide:
    record = vouching.as_read(store, named.record)
    if named.side is None:
        return Wide(record)
    return Wide(record, next(side for side in record.memory.sides if side.id == named.side.id))


def _said(word: vouching.Word, store: Store, wide: Wide, given: Qualification) -> plan.Judged | WriteAnswer:
    """The user's word that the memory holds in a narrower place, or why it may not be written."""
    workplace, memory = word.workplace, wide.memory
    scope = narrowing.narrower(memory.scope, given)
    if memory.status == "candidate":
        # nobody has vouched for it so far
        memory, missing = evidencing.renew(workplace, memory)
        if missing:
            return answering.refused(memory.predicate, vouching.evidence_missing(memory, missing))
    source = word.source(store)
    fresh = narrowing.newcomer(memory, scope, new_id(), source, workplace.runtime.now)
    fresh = replace(fresh, depends_on=evidencing.followed(workplace, memory, scope))
    unfit = screen.bar(screen.memory_texts(fresh))
    if unfit is not None:
        return answering.refused(memory.predicate, unfit)
    return plan.Judged(fresh, True, (new_id(), new_id()), workplace.runtime.now, word.message, source)


def _decide(word: vouching.Word, writer: Writer, wide: Wide, said: plan.Judged, replacing: int | None) -> WriteAnswer:
    store, identity = writer.store, said.memory.identity
    record = stating.record_of(writer, identity)
    isolated = barring.refusal(store, identity, said.memory, standing=record is not None)
    if isolated is not None:
        return answering.refused(said.memory.predicate, isolated)
    standing = record.memory if record else None
    verdict = _verdict(word, said, standing, replacing)
    unwritten = answering.unwritten(verdict, said.memory.predicate, replacing, record, store)
    if unwritten is not None:
        return unwritten
    if verdict.outcome == "conflicted" and word.provenance.terminal:
        return WriteAnswer("conflicted", said.memory.predicate, memory=standing, reason="ask-person", previous=standing)
    there = plan.carry_out(verdict, record, said, stating.waiting_of(store, identity))
    carried = narrowing.carry_out(there, wide, said)
    answer = vouching.carry_out(word, writer, carried, wide.memory)
    return replace(
        answer,
        reason=verdict.reason or answer.reason,
        message=answering.message_of(carried.decision, answer.key),
        hint=answering.hint_of(carried.decision, carried.memory),
        warnings=(*_cautions(wide, carried), *answer.warnings),
    )


def _verdict(
    word: vouching.Word, said: plan.Judged, standing: Memory | None, replacing: int | None
) -> decision.Verdict:
    """What the write table says of the user's word and the memory that stands in the narrower place."""
    return decision.decide(
        standing,
        decision.Newcomer(
            said.memory,
            believed=True,
            explicit=replacing is not None,
            may_set_policy=vouching.sets_policy(word),
            if_revision=replacing,
            record_expired=standing is not None and placing.expired(standing, word.workplace.runtime.now),
        ),
    )


def _cautions(wide: Wide, carried: plan.Plan) -> tuple[Caution, ...]:
    found = []
    if carried.memory.status == "stale":
        found.append(Caution("stale", "It stays stale; `memdir confirm` verifies it anew."))
    if wide.side is not None:
        left = next(event.memory for event in carried.changes.events if event.memory.id == wide.record.memory.id)
        found.append(Caution("left-of-conflict", _left(left)))
    return tuple(found)


def _left(memory: Memory) -> str:
    if memory.sides:
        return f"The other {len(memory.sides)} sides still stand against each other in `{memory.id}`."
    return f"The other side stands alone now, as `{memory.id}`; `memdir narrow {memory.id}` narrows it too."
