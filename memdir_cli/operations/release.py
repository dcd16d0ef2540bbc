"""release: a person brings back what was in quarantine, as it was."""

from __future__ import annotations

from memdir_cli.domain import gate, isolation
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.attribution import unsupported
from memdir_cli.domain.changes import ChangeSet, Put
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.status import CURRENT
from memdir_cli.errors import FaultError
from memdir_cli.operations import isolating, referring, refusing, vouching
from memdir_cli.operations.answering import refused, undecided
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, layout, memories, receipts
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Back:
    """One file as it comes back."""

    path: str
    content: bytes
    memory: Memory | None = None


@refusing.noting
def release(workplace: Workplace, ref: str, provenance: Provenance, *, scope: Level | None = None) -> WriteAnswer:
    """Open the seal of the memory that ``ref`` names; every file of it lies again where it lay, byte for byte.

    What no receipt supported before comes back as a candidate. Where another memory stands in its place by now, a
    user must decide first.

    :raises UsageError: if ``ref`` names nothing in quarantine.
    :raises FaultError: if the seal is damaged, or something is in the way.
    """
    word = vouching.word_of(workplace, provenance, "release", ref)
    if isinstance(word, WriteAnswer):
        return word
    store, named = referring.find(workplace, ref, ("quarantined",), level=scope)
    with store.writing(workplace.lock_timeout, "memdir release") as writer:
        record = vouching.as_read(store, named)
        backs = _backs(store, record)
        main = _main(backs)
        if store.tombstone(main) is not None:
            return refused(main.predicate, _forgotten(main))
        rival = next(iter(writer.current(main.identity)), None)
        if rival is not None and main.status in CURRENT:
            return _undecided(store, record, rival)
        event = Event("released", main, actor=word.speaker.kind, message=word.message)
        files = (*_puts(store, backs), *isolating.words_again(store, main.id))
        writer.commit(ChangeSet(removes=(record,), events=(event,), files=files), workplace.runtime.now)
        return WriteAnswer(
            "released",
            main.predicate,
            memory=main,
            path=store.absolute(layout.path_of(main, store.layer)),
            reason=main.status_reason.partition(":")[0],
            hint=f"memdir confirm {main.id}" if main.status == "candidate" else "",
            warnings=(*word.cautions, *writer.cautions()),
        )


def _backs(store: Store, record: Record) -> list[Back]:
    """Every file of a memory in quarantine as it comes back."""
    header = record.memory
    if not isolating.is_sealed(record):
        content = store.content(record.path) or b""
        memory = isolation.released(replace(header, status="verified"), header, vouched=False)
        return [_back(store, record.memory, memory, content)]
    found: list[Back] = []
    for path, content in isolating.contents(record).items():
        read = memories.parse_record(path, content, record.layer)
        if "#" not in path and isinstance(read, Record) and read.memory.id == header.id:
            memory = isolation.released(read.memory, header, vouched=_vouched(store, read.memory))
            found.append(_back(store, read.memory, memory, content))
        else:
            found.append(Back(_aside(header, path), content))
    found = _standing_once(header, found)
    if not any(one.memory is not None for one in found):
        raise FaultError(
            f"`{record.path}` holds no memory `{header.id}`.",
            code="unsealable",
            hint=f"restore it from git or a backup, or type `memdir forget {header.id}`",
        )
    return found


def _standing_once(header: Memory, backs: list[Back]) -> list[Back]:
    """Of versions that would all stand, which a merge brought together, the latest; the others are set aside."""
    standing = [one for one in backs if one.memory is not None and layout.folder_of(one.path) != layout.HISTORY]
    if len(standing) < 2:
        return backs
    main = _main(standing)
    return [
        Back(_aside(header, one.path), one.content) if one in standing and one.memory is not main else one
        for one in backs
    ]


def _back(store: Store, old: Memory, memory: Memory, content: bytes) -> Back:
    changed = codec.update(content, old, memory) if memory != old else content
    return Back(layout.path_of(memory, store.layer), changed, memory)


def _aside(header: Memory, path: str) -> str:
    """Where a file goes that is no revision: older sources to history, whatever else is set aside for a person."""
    name = layout.name_of(path)
    if layout.is_older_sources(name) and f"~{header.id}." in name and "#" not in path:
        return f"{layout.HISTORY}/{name}"
    return layout.set_aside_path(header.id, path) if not path.startswith(layout.SET_ASIDE) else path


def _main(backs: list[Back]) -> Memory:
    """The memory that stands or waits again, else its latest revision."""
    found = [(one.path, one.memory) for one in backs if one.memory is not None]
    return max(found, key=lambda one: (layout.folder_of(one[0]) != layout.HISTORY, one[1].revision))[1]


def _vouched(store: Store, memory: Memory) -> bool:
    """Whether the receipts from before the quarantine support a memory."""
    recorded = receipts.claims(store.receipts(memory.id)).get(memory.id, [])
    before = [one for one in recorded if one.status != "quarantined"]
    return not unsupported(receipts.claim(store.config.key, memory), before)


def _puts(store: Store, backs: list[Back]) -> list[Put]:
    puts = []
    for back in backs:
        standing = store.content(back.path)
        if standing == back.content:
            continue
        if standing is not None:
            hint = "run `memdir check` and move or remove that file"
            raise FaultError(f"`{back.path}` is in the way.", code="path-taken", hint=hint)
        puts.append(Put(back.path, back.content))
    return puts


def _forgotten(memory: Memory) -> gate.Refusal:
    return gate.Refusal(
        "forgotten", f"`{memory.predicate}` was forgotten.", f"`memdir forget {memory.id}` takes out the rest"
    )


def _undecided(store: Store, record: Record, rival: Record) -> WriteAnswer:
    memory = record.memory
    message = f"Another memory stands for `{memory.predicate}` by now; a user must say which one holds."
    hint = f"`memdir expire {rival.memory.id}`, then release again; or `memdir forget {memory.id}`"
    return undecided(store, record, rival.memory, message, hint)
