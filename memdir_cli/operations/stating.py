"""Stating: what ``remember`` and ``correct`` share. Judge a statement, decide, commit."""

from __future__ import annotations

from memdir_cli.domain import decision, gate, plan, remarks, screen
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.content import describe
from memdir_cli.domain.event import Decided
from memdir_cli.domain.hearing import Hearing, bar_scope, bar_speaker, check_content, has_details
from memdir_cli.domain.identity import Identity, parse_predicate
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Statement
from memdir_cli.errors import FaultError
from memdir_cli.operations import answering, attesting, barring, evidencing, placing, rejecting, reviving, sourcing
from memdir_cli.operations.answering import refused
from memdir_cli.operations.workplace import Workplace, with_git
from memdir_cli.shapes import replace
from memdir_cli.storage import layout
from memdir_cli.storage.ids import new_id
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


def state(workplace: Workplace, statement: Statement, verb: str) -> WriteAnswer:
    """Carry out ``remember`` or ``correct``.

    :raises UsageError: for a statement that cannot be understood.
    :raises NoMemdirError: for a repository scope where there is no project memdir.
    """
    barred = screen.bar(screen.statement_texts(statement))
    if barred is not None:
        return refused(statement.predicate, barred)
    key = parse_predicate(statement.predicate)
    check_content(statement)
    heard = attesting.hear(workplace, statement.provenance)
    if isinstance(heard, gate.Refusal):
        return refused(key, heard)
    statement = replace(statement, provenance=heard.provenance)
    hearing = Hearing(statement, key, heard.speaker, workplace.gate_policy, verb)
    barred = bar_speaker(hearing)
    if barred is not None:
        return refused(key, barred)
    unheard = gate.needs_word(heard.speaker, verb) if statement.correction else None
    if unheard is not None and unheard.reason != "unproven":
        return refused(key, unheard)
    scoped = placing.with_scope(workplace, statement, key, verb)
    if isinstance(scoped, WriteAnswer):
        return scoped
    hearing = replace(hearing, statement=scoped)
    if scoped.level == "task" or scoped.private:
        workplace = with_git(workplace)
    barred = bar_scope(hearing, workplace.runtime.user.value)
    if barred is not None:
        return refused(key, barred)
    answer = _write(workplace, hearing)
    if answer.exit_status == 5:
        return answer
    answer = replace(answer, warnings=(*answer.warnings, *heard.cautions))
    return answer if unheard is None else _unproven(answer, unheard)


def _unproven(answer: WriteAnswer, unheard: gate.Refusal) -> WriteAnswer:
    """The answer to a correction that nothing proves to be the user's: it is refused, its value may wait."""
    waits = answer.memory is not None and answer.memory.status == "candidate"
    kept = f" The value waits in the inbox as `{answer.memory.id}`." if answer.memory and waits else ""
    return replace(answer, decision="refused", reason=unheard.reason, message=unheard.message + kept, hint=unheard.hint)


def _write(workplace: Workplace, hearing: Hearing) -> WriteAnswer:
    statement = hearing.statement
    store = placing.store_for(workplace, statement)
    with store.writing(workplace.lock_timeout, f"memdir {hearing.verb}") as writer:
        identity = placing.identity(workplace, store, statement, hearing.key)
        record = record_of(writer, identity)
        waiting = waiting_of(store, identity)
        newcomer = _memory(workplace, store, hearing, identity)
        # what was put together of harmless parts, or came from the workspace
        barred = screen.bar(screen.memory_texts(newcomer)) or barring.refusal(
            store, identity, newcomer, standing=record is not None
        )
        if barred is not None:
            return refused(hearing.key, barred)
        revival = reviving.admitted(
            store,
            newcomer,
            hearing.speaker,
            after_forget=statement.after_forget,
            standing=record is not None and same_value(record.memory, newcomer),
        )
        if isinstance(revival, gate.Refusal):
            return refused(hearing.key, revival)
        judged = plan.Judged(
            newcomer,
            newcomer.status == "verified",
            (new_id(), new_id()),
            workplace.runtime.now,
            sourcing.message_of(workplace, statement.provenance),
        )
        return _decide(workplace, writer, hearing, judged, record, waiting, revival)


def _decide(
    workplace: Workplace,
    writer: Writer,
    hearing: Hearing,
    judged: plan.Judged,
    record: Record | None,
    waiting: tuple[Record, ...],
    revival: reviving.Revival,
) -> WriteAnswer:
    statement, store, now = hearing.statement, writer.store, workplace.runtime.now
    standing = record.memory if record else None
    verdict = _verdict(workplace, hearing, judged, standing)
    unwritten = answering.unwritten(verdict, hearing.key, statement.if_revision, record, store)
    if unwritten is not None:
        return unwritten
    if verdict.outcome == "conflicted" and statement.provenance.terminal and not statement.explicit:
        return _answer(hearing, "conflicted", standing, record, store, reason="ask-person")
    if not judged.believed and hearing.speaker.kind != "user" and verdict.outcome in {"created", "needs_decision"}:
        rejection = rejecting.earlier(store, judged.memory)
        if rejection is not None:
            return refused(hearing.key, rejecting.refusal(store, hearing.key, rejection))
    if verdict.outcome == "superseded" and standing is not None and statement.type is None:
        # another value of a decision is a decision
        judged = replace(judged, memory=replace(judged.memory, type=standing.type))
    carried = plan.carry_out(verdict, record, judged, waiting)
    source = sourcing.keep_full(workplace, store, carried.memory, hearing.speaker, statement.provenance)
    changes = _revived(carried, revival, store, replace(carried.changes, files=source), now)
    writer.commit(changes, now, txn=revival.transaction, lifted=revival.stones)
    answer = _answer(hearing, carried.decision, carried.memory, record, store, reason=verdict.reason)
    cautions = (*_cautions(hearing, judged.memory, answer, standing), *revival.cautions, *writer.cautions())
    return replace(answer, warnings=cautions)


def _verdict(workplace: Workplace, hearing: Hearing, judged: plan.Judged, standing: Memory | None) -> decision.Verdict:
    """What the write table says of a judged statement and the memory that stands."""
    statement = hearing.statement
    return decision.decide(
        standing,
        decision.Newcomer(
            judged.memory,
            judged.believed,
            explicit=statement.explicit,
            may_set_policy=gate.may_set_policy(hearing.speaker, hearing.policy, workplace.runtime.user.value),
            if_revision=statement.if_revision,
            details=standing is not None and has_details(statement, judged.memory, standing),
            record_expired=standing is not None and placing.expired(standing, workplace.runtime.now),
        ),
    )


def _revived(carried: plan.Plan, revival: reviving.Revival, store: Store, changes: ChangeSet, now: str) -> ChangeSet:
    """``changes`` with what a user's new word lifts."""
    last = changes.events[-1] if changes.events else None
    told = revival.events(carried.memory, last.actor, last.message) if last else ()
    return replace(
        changes,
        removes=(*changes.removes, *revival.removes(store, carried.memory)),
        events=(*told, *changes.events),
        files=(*changes.files, *revival.files(store, carried.memory, now)),
    )


def _answer(
    hearing: Hearing,
    decided: Decided,
    memory: Memory | None,
    record: Record | None,
    store: Store,
    *,
    reason: str,
) -> WriteAnswer:
    return WriteAnswer(
        decided,
        hearing.key,
        memory=memory,
        path=store.absolute(layout.path_of(memory, store.layer)) if memory else "",
        reason=reason or (memory.status_reason.split(":")[0] if memory else ""),
        message=answering.message_of(decided, hearing.key),
        hint=answering.hint_of(decided, memory),
        previous=record.memory if record else None,
    )


def _cautions(hearing: Hearing, said: Memory, answer: WriteAnswer, standing: Memory | None) -> tuple[Caution, ...]:
    found = list(answer.warnings)
    memory, statement = answer.memory, hearing.statement
    if statement.correction and standing is None and answer.decision == "created":
        found.append(Caution("no-record", f"There was nothing to correct for `{hearing.key}`; it is new."))
    if memory is not None and memory.status == "candidate":
        found.append(Caution("candidate", "It waits in the inbox and is not served until a user confirms it."))
    if answer.decision == "confirmed" and standing is not None:
        if standing.status == "stale":
            found.append(Caution("stale", "It stays stale; `memdir confirm` verifies it anew."))
        if has_details(statement, said, standing):
            found.append(Caution("details-kept", "The value is the same; `memdir correct` changes the details."))
    old = standing.value if standing is not None and answer.decision == "superseded" else None
    if old and memory is not None and old in memory.body:
        found.append(Caution("old-value-in-body", "The text still names the old value; see `--body-file`."))
    found += (*remarks.cautions(said), *remarks.apart(said, statement.provenance))
    if memory is not None:
        # what stands may be more than what was said
        told = {caution.code for caution in found}
        found += [caution for caution in remarks.cautions(memory) if caution.code not in told]
    return tuple(found)


def record_of(writer: Writer, identity: Identity) -> Record | None:
    """The current record of an identity, ``None`` if there is none.

    :raises FaultError: code ``identity-twice``, if two files claim to be it.
    """
    found = writer.current(identity)
    if len(found) > 1:
        paths = ", ".join(f"`{record.path}`" for record in found)
        raise FaultError(
            f"Two files claim to be the same memory: {paths}.",
            code="identity-twice",
            hint="run `memdir check`, keep one and remove the other",
        )
    return found[0] if found else None


def waiting_of(store: Store, identity: Identity) -> tuple[Record, ...]:
    """The candidates of an identity in the inbox."""
    found = store.find(identity.predicate, (layout.INBOX,))
    return tuple(record for record in found if record.memory.identity.key == identity.key)


def _memory(workplace: Workplace, store: Store, hearing: Hearing, identity: Identity) -> Memory:
    statement, speaker, now = hearing.statement, hearing.speaker, workplace.runtime.now
    value = None if statement.none else statement.value
    expires, review = placing.lifetime(statement, identity.scope, now)
    description = statement.description or describe(hearing.key, value, statement.none, statement.body)
    gathered = evidencing.gather(workplace, statement, identity.scope, hearing.type, description)
    source = sourcing.source(workplace, store, speaker, statement.provenance)
    verified = not (hearing.lowered or gathered.missing)
    return Memory(
        id=new_id(),
        subject=identity.subject,
        predicate=hearing.key,
        scope=identity.scope,
        status="verified" if verified else "candidate",
        status_reason=hearing.lowered or gathered.missing,
        name=hearing.key,
        description=description,
        type=hearing.type,
        value=value,
        none=statement.none,
        authority="policy" if statement.policy else speaker.authority,
        source=(evidencing.with_file(source, statement),),
        depends_on=gathered.evidence,
        created_at=now,
        updated_at=now,
        verified_at=now if verified else "",
        review_after=review,
        expires_at=expires,
        body=statement.body or "",
    )
