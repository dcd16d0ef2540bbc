"""import: what other tools keep as memories becomes candidates. Their files are only read."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memdir_cli.domain import decision, gate, plan, remarks, screen, times
from memdir_cli.domain.changes import ChangeSet, Put, together
from memdir_cli.domain.content import describe
from memdir_cli.domain.foreign import Entry, Form, Unread, keyed
from memdir_cli.domain.importing import ImportAnswer, Imported, Refused
from memdir_cli.domain.markdown import cut
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import AUTHORITY_OF_KIND, Source
from memdir_cli.domain.statement import Qualification, Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations import evidencing, placing, rejecting, reviving, sourcing
from memdir_cli.operations.workplace import Workplace, with_git
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, foreign, layout, receipts, refusals
from memdir_cli.storage.ids import new_id
from memdir_cli.storage.store import Store

#: Why an imported memory waits.
WAITS = "unconfirmed: said by a source of kind import"

#: Nobody whose word would verify anything.
_IMPORTER = gate.Speaker("import", "none", AUTHORITY_OF_KIND["import"], believed=False, said="")

#: Letters of a description: one line of the index.
DESCRIPTION = 300


@dataclass(frozen=True, slots=True)
class Hearing:
    """One memdir while entries are judged for it.

    :ivar records: by identity, what stands there.
    :ivar waiting: by identity, what waits in the inbox.
    :ivar heard: keyed digests of all sources of which a receipt tells.
    """

    workplace: Workplace
    store: Store
    records: dict[tuple[str, ...], Record]
    waiting: dict[tuple[str, ...], tuple[Record, ...]]
    heard: frozenset[str]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What becomes of the entries for one memdir."""

    imported: tuple[Imported, ...]
    refused: tuple[Refused, ...]
    known: int
    changes: ChangeSet


def import_memories(workplace: Workplace, form: Form, path: str, *, dry_run: bool = False) -> ImportAnswer:
    """Take in the memories that ``form`` keeps at ``path``, a folder, a file, or the root of a project.

    :param dry_run: tell what would be done, and write nothing.
    :raises UsageError: if nothing of that form lies there.
    """
    workplace = with_git(workplace)
    found = foreign.read(form, os.path.join(workplace.cwd, path), workplace.environ)
    if not (found.entries or found.unread or found.left):
        raise UsageError(
            f"There is nothing of the format `{form}` at `{printable(path)}`.",
            code="nothing-to-import",
            hint="give the folder that holds the files, or another format",
        )
    answer = ImportAnswer(
        form, unread=_shown(workplace, found.unread), left=_shown(workplace, found.left), dry_run=dry_run
    )
    layers: tuple[Layer, ...] = ("user", "project")
    for layer in layers:
        entries = [entry for entry in found.entries if _layer(workplace, entry) == layer]
        if entries:
            judged = _taken_in(workplace, layer, entries, dry_run=dry_run)
            answer = replace(
                answer,
                imported=(*answer.imported, *judged.imported),
                refused=(*answer.refused, *judged.refused),
                known=answer.known + judged.known,
            )
    return answer


def _layer(workplace: Workplace, entry: Entry) -> Layer:
    return "project" if entry.reach == "project" and workplace.project is not None else "user"


def _taken_in(workplace: Workplace, layer: Layer, entries: list[Entry], *, dry_run: bool) -> Judgement:
    standing = workplace.user if layer == "user" else workplace.project
    if dry_run:
        # a memdir that is not there yet is an empty one
        store = standing or Store(workplace.user_root, "user")
        return _judged(_hearing(workplace, store), entries)
    level: Level = "user" if layer == "user" else "repository"
    store = placing.store_for(workplace, Statement("", level=level))
    with store.writing(workplace.lock_timeout, "memdir import") as writer:
        judged = _judged(_hearing(workplace, store), entries)
        if judged.changes:
            writer.commit(judged.changes, workplace.runtime.now)
    for one in judged.refused:
        refusals.note(store, workplace.runtime.now, "import", one.reason)
    return judged


def _hearing(workplace: Workplace, store: Store) -> Hearing:
    records: dict[tuple[str, ...], Record] = {}
    waiting: dict[tuple[str, ...], tuple[Record, ...]] = {}
    for record in store.snapshot((layout.MEMORIES, layout.INBOX)).records:
        key = record.memory.identity.key
        if record.current:
            records[key] = record
        elif record.folder == layout.INBOX:
            waiting[key] = (*waiting.get(key, ()), record)
    return Hearing(workplace, store, records, waiting, receipts.sources(store.receipts()))


def _judged(hearing: Hearing, entries: list[Entry]) -> Judgement:
    """What becomes of ``entries``; of which a receipt tells, that was imported before."""
    key = hearing.store.config.key
    sources = ((entry, receipts.source_digest(key, _source(hearing.workplace, entry))) for entry in entries)
    distinct = keyed(entry for entry, source in sources if source not in hearing.heard)
    imported: list[Imported] = []
    refused: list[Refused] = []
    changes: list[ChangeSet] = []
    for name, entry in distinct:
        outcome = _judge(hearing, name, entry)
        if isinstance(outcome, gate.Refusal):
            origin = screen.shown(_label(hearing.workplace, entry.path))
            refused.append(Refused(origin, entry.line, outcome.reason, outcome.message))
        else:
            imported.append(outcome[0])
            changes.append(outcome[1])
    return Judgement(tuple(imported), tuple(refused), len(entries) - len(distinct), together(changes))


def _judge(hearing: Hearing, key: str, entry: Entry) -> tuple[Imported, ChangeSet] | gate.Refusal:
    workplace, store = hearing.workplace, hearing.store
    memory = _memory(workplace, store, _statement(workplace, store.layer, key, entry), entry)
    texts = screen.memory_texts(memory)
    barred = screen.bar(texts) or screen.bar_permission(texts, "import")
    record = hearing.records.get(memory.identity.key)
    barred = barred or _unkeepable(memory) or _unwanted(store, memory, record)
    if barred is not None:
        return barred
    carried = _carried(hearing, memory, record)
    told = Imported(
        carried.decision,
        carried.memory,
        store.layer,
        layout.path_of(carried.memory, store.layer),
        _label(workplace, entry.path),
        entry.line,
        (*entry.remarks, *(caution.message for caution in remarks.cautions(memory))),
    )
    return told, replace(carried.changes, files=(_whole_source(workplace, store, carried.memory, entry),))


def _carried(hearing: Hearing, memory: Memory, record: Record | None) -> plan.Plan:
    standing, now = record.memory if record else None, hearing.workplace.runtime.now
    ended = standing is not None and placing.expired(standing, now)
    verdict = decision.decide(standing, decision.Newcomer(memory, believed=False, record_expired=ended))
    judged = plan.Judged(memory, False, (new_id(), new_id()), now)
    return plan.carry_out(verdict, record, judged, hearing.waiting.get(memory.identity.key, ()))


def _unkeepable(memory: Memory) -> gate.Refusal | None:
    """The refusal of a text that no memory file can hold."""
    try:
        codec.render(memory)
    except codec.Malformed as error:
        return gate.Refusal("text-unkeepable", f"The text cannot be kept: {error.message}", "")
    return None


def _unwanted(store: Store, memory: Memory, record: Record | None) -> gate.Refusal | None:
    """The refusal of what a user has forgotten or rejected before, wherever it comes from."""
    standing = record is not None and same_value(record.memory, memory)
    revival = reviving.admitted(store, memory, _IMPORTER, after_forget=False, standing=standing)
    if isinstance(revival, gate.Refusal):
        return revival
    rejection = rejecting.earlier(store, memory)
    return rejecting.refusal(store, memory.predicate, rejection) if rejection is not None else None


def _statement(workplace: Workplace, layer: Layer, key: str, entry: Entry) -> Statement:
    """The entry as somebody would state it; nothing is widened, and nobody is given orders everywhere."""
    private = layer == "user" and entry.reach == "personal" and workplace.runtime.repository.value is not None
    wide = layer == "user" and not private
    type_ = entry.type or "fact"
    return Statement(
        predicate=key,
        value=entry.value,
        level="user" if wide else "repository",
        private=private,
        qualification=Qualification(path=entry.glob or None),
        type="fact" if wide and type_ in gate.INSTRUCTIONS else type_,
        description=cut(printable(entry.description), DESCRIPTION) or None,
        body=entry.body,
    )


def _memory(workplace: Workplace, store: Store, statement: Statement, entry: Entry) -> Memory:
    now, type_ = workplace.runtime.now, statement.type or "fact"
    identity = placing.identity(workplace, store, statement, statement.predicate)
    description = statement.description or describe(statement.predicate, statement.value, False, statement.body)
    gathered = evidencing.gather(workplace, statement, identity.scope, type_, description)
    return Memory(
        id=new_id(),
        subject=identity.subject,
        predicate=statement.predicate,
        scope=identity.scope,
        status="candidate",
        status_reason=WAITS,
        name=statement.predicate,
        description=description,
        type=type_,
        value=statement.value,
        authority=_IMPORTER.authority,
        source=(_source(workplace, entry),),
        depends_on=gathered.evidence,
        created_at=now,
        updated_at=now,
        body=statement.body or "",
    )


def _source(workplace: Workplace, entry: Entry) -> Source:
    """Where an entry comes from: a path that is the same whoever imports it, and a hash of what stands there."""
    now = workplace.runtime.now
    at = entry.at if entry.at and times.order(entry.at) <= times.order(now) else now
    return Source("import", f"{_label(workplace, entry.path)} sha256:{entry.digest}", at=at)


def _label(workplace: Workplace, path: str) -> str:
    """A file by its path from the root of the project, elsewhere by its name and that of its folder."""
    root = os.path.realpath(workplace.root) if workplace.root else ""
    if root and is_within(path, root):
        return os.path.relpath(path, root).replace(os.sep, "/")
    return "/".join(path.split(os.sep)[-2:])


def _whole_source(workplace: Workplace, store: Store, memory: Memory, entry: Entry) -> Put:
    """The file that keeps on this machine where the original lies."""
    told = {
        "ref": _source(workplace, entry).ref,
        "original": entry.path,
        "line": str(entry.line),
        "session": entry.session,
        "at": workplace.runtime.now,
    }
    return sourcing.added(store, layout.sources_path(memory.id), {key: text for key, text in told.items() if text})


def _shown(workplace: Workplace, parts: Iterable[Unread]) -> tuple[Unread, ...]:
    return tuple(replace(part, path=_label(workplace, part.path)) for part in parts)
