"""confirm: a user's word that a memory is right; a candidate becomes a memory by it."""

from __future__ import annotations

from memdir_cli.domain import plan, screen
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.conflict import way_out
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations import barring, evidencing, placing, referring, refusing, vouching
from memdir_cli.operations.answering import refused, undecided
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@refusing.noting
def confirm(
    workplace: Workplace,
    ref: str,
    provenance: Provenance,
    *,
    scope: Level | None = None,
    without_evidence: bool = False,
) -> WriteAnswer:
    """Verify what ``ref`` names.

    A candidate moves among the memories; where another value stands there, a person must decide. Evidence
    is looked at anew; where it is gone the verb refuses.

    :param without_evidence: verify all the same; what the memory depended on and is gone is dropped.
    :raises UsageError: if ``ref`` names nothing that can be confirmed.
    :raises PersonNeededError: if it names several.
    """
    word = vouching.word_of(workplace, provenance, "confirm", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = referring.find(workplace, ref, ("candidate", "verified", "stale", "conflicted"), level=scope)
    with store.writing(workplace.lock_timeout, "memdir confirm") as writer:
        record = vouching.as_read(store, named)
        placing.refuse_expired(record.memory, workplace.runtime.now)
        return _confirm(word, writer, record, without_evidence=without_evidence)


def _confirm(word: vouching.Word, writer: Writer, record: Record, *, without_evidence: bool) -> WriteAnswer:
    store, memory, now = writer.store, record.memory, word.workplace.runtime.now
    standing = _standing(writer, record) if memory.status == "candidate" else record
    isolated = barring.refusal(
        store, memory.identity, memory if record is not standing else None, standing=standing is not None
    )
    if isolated is not None:
        return refused(memory.predicate, isolated)
    unfit = screen.bar(screen.memory_texts(memory))
    if unfit is not None:
        return refused(memory.predicate, replace(unfit, hint="take it out of the file by hand first"))
    ended = standing is not None and placing.expired(standing.memory, now)
    if standing is not None and not ended and _disagree(standing.memory, memory):
        return _undecided(store, record, standing)
    confirmed = record if standing is None or ended else standing
    renewed, missing = evidencing.renew(word.workplace, confirmed.memory)
    if missing and not without_evidence:
        return refused(memory.predicate, vouching.evidence_missing(memory, missing))
    source, message = word.source(store), word.message
    if standing is not None and ended:
        carried = plan.replace_ended(standing, record, renewed.depends_on, source, now, message)
    else:
        merged = standing if standing is not record else None
        carried = plan.confirm(record, merged, renewed.depends_on, source, now, message)
    return vouching.carry_out(word, writer, carried, memory)


def _disagree(standing: Memory, memory: Memory) -> bool:
    return standing.status == "conflicted" or not same_value(standing, memory)


def _undecided(store: Store, record: Record, standing: Record) -> WriteAnswer:
    key, rival = record.memory.predicate, standing.memory
    if rival.status == "conflicted":
        message = f"`{rival.predicate}` is in conflict; a user must say which side holds."
        answer = undecided(store, record, rival, message, way_out(rival))
        return replace(answer, decision="conflicted", reason="sides-disagree")
    message = f"Another value stands for `{key}`; a user must say which one holds."
    return undecided(store, record, rival, message, f"memdir correct {key} VALUE replaces it")


def _standing(writer: Writer, candidate: Record) -> Record | None:
    return next(iter(writer.current(candidate.memory.identity)), None)
