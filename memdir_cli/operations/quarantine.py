"""quarantine: take a memory, or all that one source wrote, out of everybody's reach at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from memdir_cli.domain import gate, isolation, screen
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.changes import together
from memdir_cli.domain.identity import fold
from memdir_cli.domain.isolation import Isolated, QuarantineAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import rows
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Kind
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.operations import attesting, isolating, referring, refusing, sourcing, withdrawing
from memdir_cli.operations.answering import refused
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Order:
    """Who wants it, and why. No user's word is needed: what was taken out by mistake is released."""

    workplace: Workplace
    actor: Kind
    message: str
    reason: str


@refusing.noting
def quarantine(
    workplace: Workplace, ref: str, reason: str, provenance: Provenance, *, scope: Level | None = None
) -> WriteAnswer:
    """Seal everything that a memdir holds of the memory that ``ref`` names, in one transaction.

    :param reason: a sentence that stands in the clear, without anything of the memory.
    :raises UsageError: if ``ref`` names nothing, or what is in quarantine already.
    :raises PersonNeededError: if it names several.
    """
    order = _order(workplace, reason, provenance, ref)
    if isinstance(order, WriteAnswer):
        return order
    place = referring.anywhere(workplace, ref, level=scope, copies=True)
    if place is None:
        raise referring.unknown(workplace, ref)
    store, named = place
    with store.writing(workplace.lock_timeout, "memdir quarantine") as writer:
        memory_id = named.memory.id
        found = isolating.files_of(store, memory_id)
        if found is None:
            raise referring.unknown(workplace, ref)
        if isolating.is_sealed_whole(found):
            _withdrawn(workplace, writer, [memory_id])
            raise UsageError(
                f"`{memory_id}` is in quarantine already.", code="wrong-status", hint=f"memdir trace {memory_id}"
            )
        changes, memory = isolating.sealed(found, order.reason, order.actor, order.message)
        writer.commit(changes, workplace.runtime.now)
        exported = _withdrawn(workplace, writer, [memory_id])
        return WriteAnswer(
            "quarantined",
            memory.predicate,
            memory=memory,
            path=store.absolute(layout.path_of(memory, store.layer)),
            reason=isolation.CODE,
            hint=f"`memdir trace {memory_id}` tells who was shown it",
            warnings=(*_echoes(store, found), *exported, *writer.cautions()),
        )


def quarantine_source(
    workplace: Workplace, source: str, reason: str, provenance: Provenance
) -> QuarantineAnswer | WriteAnswer:
    """Seal everything that ``source`` wrote: whatever names it first or later, in both memdirs, the user's first.

    :param source: an address, a file, a session or a message, as `memdir show` prints it or whole.
    :raises UsageError: if nothing names it.
    :raises FaultError: if one memdir could not be written; it says which one was.
    """
    order = _order(workplace, reason, provenance, source)
    if isinstance(order, WriteAnswer):
        return order
    if not any(_written(store, source) for store in workplace.stores):
        raise _nothing_from(workplace, source)
    done: list[Isolated] = []
    warnings: list[tuple[str, str]] = []
    for store in workplace.stores:
        try:
            some, told = _in_one(order, store, source)
        except FaultError as error:
            if done:
                error.message = f"The {store.layer} memdir was left as it was; the user's own is done: {error.message}"
            raise
        done += some
        warnings += ((caution.code, caution.message) for caution in told)
    return QuarantineAnswer(tuple(done), tuple(warnings))


def _nothing_from(workplace: Workplace, source: str) -> UsageError:
    """Why a source has nothing to be taken out: all of it was, or there never was anything."""
    done = sorted({memory_id for store in workplace.stores for memory_id in _taken(store, source)})
    if done:
        return UsageError(
            f"All that comes from `{printable(source)}` is in quarantine already: "
            f"{', '.join(f'`{memory_id}`' for memory_id in done)}.",
            code="wrong-status",
            hint=f"memdir trace {done[0]}",
        )
    return UsageError(
        f"Nothing comes from `{printable(source)}`.",
        code="unknown-ref",
        hint="name a session, a message, a file or an address as `memdir show REF` prints it",
    )


def _taken(store: Store, wanted: str) -> Iterator[str]:
    """The ids of what a source wrote and lies in quarantine."""
    for record in store.snapshot((layout.QUARANTINE,)).records:
        with suppress(FaultError):  # a damaged seal tells nothing
            sources = [source for one in isolating.opened(record) for source in one.memory.sources]
            if isolation.wrote(sources, wanted) or any(_whole_sources(store, record.memory.id, wanted)):
                yield record.memory.id


def _order(workplace: Workplace, reason: str, provenance: Provenance, ref: str) -> Order | WriteAnswer:
    barred = screen.bar((("--reason", reason),))
    if barred is not None:
        return refused(ref, barred)
    if not reason.strip():
        raise UsageError("A quarantine needs a reason.", hint="add `--reason 'why'`, without anything of the memory")
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        return refused(ref, heard)
    return Order(workplace, heard.actor, sourcing.message_of(workplace, heard.provenance), reason)


def _in_one(order: Order, store: Store, source: str) -> tuple[list[Isolated], tuple[Caution, ...]]:
    """What one memdir holds of a source, taken out in one transaction."""
    if not _written(store, source):
        return [], ()
    workplace, done = order.workplace, []
    with store.writing(workplace.lock_timeout, "memdir quarantine") as writer:
        parts = []
        for memory_id, first in _written(store, source).items():
            found = isolating.files_of(store, memory_id)
            if found is not None:
                changes, memory = isolating.sealed(found, order.reason, order.actor, order.message)
                parts.append(changes)
                done.append(_isolated(store, memory, first=first))
        writer.commit(together(parts), workplace.runtime.now)
        exported = _withdrawn(workplace, writer, [one.id for one in done])
        return done, (*exported, *writer.cautions())


def _withdrawn(workplace: Workplace, writer: Writer, ids: Collection[str]) -> tuple[Caution, ...]:
    """Take them out of the files of other programs too, and tell of which; an export that fails stays recorded."""
    withdrawn = withdrawing.withdraw(writer, ids, (), workplace.runtime.now)
    done = [Caution("exported", f"It was taken out of `{printable(path)}` too.") for path in withdrawn.done]
    left = [
        Caution("exported", f"It may still stand in `{printable(path)}`, which could not be changed: {reason}")
        for path, reason in withdrawn.left
    ]
    return (*done, *left)


def _isolated(store: Store, memory: Memory, *, first: bool) -> Isolated:
    path = store.absolute(layout.path_of(memory, store.layer))
    return Isolated(memory.id, memory.revision, memory.predicate, memory.scope.text, store.layer, path, first)


def _written(store: Store, wanted: str) -> dict[str, bool]:
    """The ids of memories that a source wrote, with whether it was their first one."""
    found: dict[str, bool] = {}
    snapshot = store.snapshot()
    for record in (*snapshot.records, *snapshot.copies):
        memory = record.memory
        if record.folder == layout.QUARANTINE or memory.id in found:
            continue
        whole = tuple(_whole_sources(store, memory.id, wanted))
        if isolation.wrote((*memory.sources, *sourcing.older(store, memory)), wanted) or whole:
            found[memory.id] = isolation.wrote(memory.source[:1], wanted) or wanted in whole[:1]
    return found


def _whole_sources(store: Store, memory_id: str, wanted: str) -> Iterator[str]:
    """The whole ids, kept on this machine, of sessions and messages that are the wanted one."""
    for entry in rows(isolating.words(store, memory_id)):
        yield from (wanted for name in ("session", "message") if entry.get(name) == wanted)


def _echoes(store: Store, files: isolating.Files) -> tuple[Caution, ...]:
    """Other memories that say the same under the same key, such as the wide one that was narrowed."""
    said = files.speaking.memory
    found = [record for record in store.snapshot().records if _is_echo(record, said)]
    ids = sorted({record.memory.id for record in found} - {said.id})
    return tuple(
        Caution(
            "says-the-same",
            f"`{one}` says the same and stays where it is; type `memdir quarantine {one} --reason WHY` too",
        )
        for one in ids
    )


def _is_echo(record: Record, said: Memory) -> bool:
    memory = record.memory
    spoken = memory.value is not None or memory.body.strip() != ""
    alike = spoken and same_value(replace(memory, none=False), replace(said, none=False))
    return record.folder != layout.QUARANTINE and fold(memory.predicate) == fold(said.predicate) and alike
