"""reject: a user does not want what waits in the inbox."""

from __future__ import annotations

from memdir_cli.domain import ending, screen
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations import referring, refusing, rejecting, vouching
from memdir_cli.operations.answering import refused
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace


@refusing.noting
def reject(
    workplace: Workplace, ref: str, provenance: Provenance, *, reason: str = "", scope: Level | None = None
) -> WriteAnswer:
    """Drop the candidate that ``ref`` names. Who proposes the same once more is told so.

    :param reason: why, in the user's words; kept on this machine only.
    :raises UsageError: if ``ref`` names no candidate.
    :raises PersonNeededError: if it names several.
    """
    barred = screen.bar((("--reason", reason),))
    if barred is not None:
        return refused(ref, barred)
    word = vouching.word_of(workplace, provenance, "reject", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = referring.find(workplace, ref, ("candidate",), level=scope)
    with store.writing(workplace.lock_timeout, "memdir reject") as writer:
        record = vouching.as_read(store, named)
        now = workplace.runtime.now
        carried = ending.reject(record, word.speaker.kind, word.message)
        files = rejecting.keep_reason(store, record.memory.id, reason, now)
        writer.commit(replace(carried.changes, files=files), now)
        return WriteAnswer(
            carried.decision,
            record.memory.predicate,
            memory=record.memory,
            previous=record.memory,
            warnings=(*word.cautions, *writer.cautions()),
        )
