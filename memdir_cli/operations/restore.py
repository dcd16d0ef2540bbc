"""restore: take a memory back from the archive, no better than it was."""

from __future__ import annotations

from memdir_cli.domain import archiving, gate
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations import answering, attesting, barring, referring, refusing, sourcing, stating, vouching
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import receipts
from memdir_cli.storage.store import Store


@refusing.noting
def restore(workplace: Workplace, ref: str, provenance: Provenance, *, scope: Level | None = None) -> WriteAnswer:
    """Take back what ``ref`` names. Nobody's word is needed: it becomes what it was, and nothing more.

    :raises UsageError: if ``ref`` names nothing in the archive.
    :raises PersonNeededError: if it names several.
    :raises RefusedError: if it was forgotten.
    """
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        return answering.refused(ref, heard)
    store, named = referring.find(workplace, ref, ("archived",), level=scope)
    with store.writing(workplace.lock_timeout, "memdir restore") as writer:
        record = vouching.as_read(store, named)
        standing = stating.record_of(writer, record.memory.identity)
        isolated = barring.refusal(store, record.memory.identity, record.memory, standing=standing is not None)
        if isolated is not None:
            return answering.refused(record.memory.predicate, isolated)
        if standing is not None:
            return _in_the_way(store, record, standing)
        carried = archiving.restore(
            record,
            archiving.status_before(receipts.claims(store.receipts(record.memory.id)).get(record.memory.id, ())),
            actor=heard.actor,
            message=sourcing.message_of(workplace, heard.provenance),
            vouched=not store.unattributed(record),
        )
        writer.commit(carried.changes, workplace.runtime.now)
        return answering.done(carried, store, record.memory, (*heard.cautions, *writer.cautions()))


def _in_the_way(store: Store, record: Record, standing: Record) -> WriteAnswer:
    memory, rival = record.memory, standing.memory
    message = f"`{rival.id}` stands for `{memory.predicate}` now; a user must say which one holds."
    hint = f"`memdir show {memory.id}` shows the archived one, `memdir correct {memory.predicate} VALUE` replaces"
    return answering.undecided(store, record, rival, message, hint)
