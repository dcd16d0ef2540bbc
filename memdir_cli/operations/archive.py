"""archive: put a memory away without losing it, or everything that lies cold."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import access as accessing
from memdir_cli.domain import archiving, gate, times
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.archiving import ArchiveAnswer, Chill
from memdir_cli.domain.changes import ChangeSet, together
from memdir_cli.domain.rows import text_of
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.errors import RefusedError, UsageError
from memdir_cli.operations import attesting, cooling, referring, refusing, sourcing, vouching
from memdir_cli.operations.answering import done, refused
from memdir_cli.operations.attesting import Heard
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import access, layout
from memdir_cli.storage.store import Store


@refusing.noting
def archive(workplace: Workplace, ref: str, provenance: Provenance, *, scope: Level | None = None) -> WriteAnswer:
    """Put away what ``ref`` names. Nobody's word is needed: nothing is lost, and `restore` takes it back.

    :raises UsageError: if ``ref`` names nothing that may be used.
    :raises PersonNeededError: if it names several.
    """
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        return refused(ref, heard)
    store, named = referring.find(workplace, ref, ("verified", "stale"), level=scope)
    with store.writing(workplace.lock_timeout, "memdir archive") as writer:
        record = vouching.as_read(store, named)
        memory = record.memory
        if memory.authority == "policy" and not _sets_policy(workplace, heard):
            return refused(memory.predicate, gate.policy_record(memory.predicate))
        why = f"put away by hand, by a source of kind {heard.actor}"
        carried = archiving.archive(
            record,
            why,
            actor=heard.actor,
            message=sourcing.message_of(workplace, heard.provenance),
            vouched=not store.unattributed(record),
        )
        writer.commit(carried.changes, workplace.runtime.now)
        others = store.snapshot((layout.MEMORIES, layout.TASKS)).records
        cautions = (*archiving.referrers(record, others), *heard.cautions, *writer.cautions())
        return done(carried, store, memory, cautions)


def archive_cold(workplace: Workplace, span: str, provenance: Provenance, *, dry_run: bool) -> ArchiveAnswer:
    """Put away what lies cold in both memdirs.

    :param span: for how long nothing was heard of it, such as ``365d``.
    :param dry_run: only look for it.
    :raises UsageError: if ``span`` is none.
    """
    if not times.is_span(span):
        raise UsageError(f"`--cold` takes a span, not `{printable(span)}`.", hint="give for example `--cold 365d`")
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        raise RefusedError(heard.message, hint=heard.hint, code=heard.reason)
    if dry_run:
        found = [one for store in workplace.stores for one in _cold(workplace, store, span)]
        return ArchiveAnswer(tuple(found))
    done: list[Chill] = []
    warnings: list[Caution] = []
    for store in workplace.stores:
        if not _cold(workplace, store, span):
            continue
        with store.writing(workplace.lock_timeout, "memdir archive") as writer:
            chills = _cold(workplace, store, span)
            store.read_claims()
            writer.commit(_changes(workplace, store, chills, heard), workplace.runtime.now)
            done += chills
            warnings += [*_referred(store, chills), *writer.cautions()]
    return ArchiveAnswer(tuple(done), archived=True, warnings=(*warnings, *heard.cautions))


def _sets_policy(workplace: Workplace, heard: Heard) -> bool:
    return gate.may_set_policy(heard.speaker, workplace.gate_policy, workplace.runtime.user.value)


def _cold(workplace: Workplace, store: Store, span: str) -> tuple[Chill, ...]:
    now, seen = workplace.runtime.now, looks(workplace)
    records = store.snapshot((layout.MEMORIES,)).records
    judged = [
        resolving.judge(record, workplace.runtime, seen)
        for record in records
        if record.current and record.memory.subject in workplace.runtime.subjects
    ]
    return archiving.cold(judged, span, now, _shown(store), seen, cooling.gone(workplace, records))


def _shown(store: Store) -> dict[str, str]:
    """By id, when each memory was last shown, as far as the log reaches."""
    found: dict[str, str] = {}
    for line in access.read(store.root):
        for one in accessing.given(line):
            memory_id = text_of(one, "id")
            found[memory_id] = max(found.get(memory_id, ""), text_of(line, "at"))
    return found


def _changes(workplace: Workplace, store: Store, chills: Iterable[Chill], heard: Heard) -> ChangeSet:
    message = sourcing.message_of(workplace, heard.provenance)
    return together(
        archiving.archive(
            one.record,
            f"{one.cold}: {one.sentence}",
            actor=heard.actor,
            message=message,
            vouched=not store.unattributed(one.record),
        ).changes
        for one in chills
    )


def _referred(store: Store, chills: Iterable[Chill]) -> Iterable[Caution]:
    others = store.snapshot((layout.MEMORIES, layout.TASKS)).records
    for one in chills:
        for caution in archiving.referrers(one.record, others):
            yield Caution(caution.code, f"`{one.record.memory.predicate}`: {caution.message}")
