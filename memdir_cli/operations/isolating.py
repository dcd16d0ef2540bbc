"""Isolating: what quarantine and release share with those who must know what is in quarantine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.checks.examined import Examined
from memdir_cli.domain import isolation, seal
from memdir_cli.domain.changes import ChangeSet, Put, Remove, together
from memdir_cli.domain.event import Event
from memdir_cli.domain.forgetting import Aim
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import rows, text_of
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, layout, memories, residue
from memdir_cli.storage.store import Store

#: Key of the line that stands in a local file whose lines are sealed.
SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Files:
    """Everything that one memdir holds of one memory.

    :ivar records: the memory files that could be read, what is in quarantine already among them.
    :ivar beside: other files that hold something of it: older sources, what cannot be read, versions set aside.
    :ivar words: the file of this machine only that holds its full words, by its path; nothing where there is none.
    :ivar derived: what was made from memory files.
    """

    store: Store
    records: tuple[Record, ...]
    beside: Mapping[str, bytes]
    words: Mapping[str, bytes]
    derived: tuple[Remove, ...]

    @property
    def speaking(self) -> Record:
        """The file that tells what the memory is: what stands or waits, else its latest revision."""
        return max(self.records, key=_standing)


def _standing(record: Record) -> tuple[bool, bool, int]:
    return (record.current, record.folder != layout.HISTORY, record.memory.revision)


def files_of(store: Store, memory_id: str) -> Files | None:
    """Everything that ``store`` holds of the memory, ``None`` if no file of it can be read."""
    snapshot = store.snapshot()
    records = tuple(one for one in (*snapshot.records, *snapshot.copies) if one.memory.id == memory_id)
    if not records:
        return None
    search = residue.Search(
        store.root,
        store.layer,
        Aim(frozenset({memory_id})),
        (),
        frozenset(one.path for one in records),
        tuple(one.path for one in snapshot.unreadable),
        frozenset(),
        (),
    )
    # what a user typed is his own word, which says nothing in anybody's place
    found = {one.path: one for one in residue.residue(search) if layout.folder_of(one.path) != layout.PROMPTS}
    contents = {path: content for path in found if (content := store.content(path)) is not None}
    own = layout.sources_path(memory_id)
    beside = {path: text for path, text in contents.items() if path not in {own, *layout.DERIVED}}
    words = {own: contents[own]} if own in contents else {}
    return Files(store, records, beside, words, tuple(one for path, one in found.items() if path in layout.DERIVED))


def sealed(files: Files, reason: str, actor: str, message: str) -> tuple[ChangeSet, Memory]:
    """The changes that put everything of a memory under one seal, and the memory as it lies then."""
    store = files.store
    named = files.speaking
    bundle, standing = _bundled(files)
    memory = isolation.sealed(named.memory, reason, bundle)
    path = layout.path_of(memory, store.layer)
    content = codec.render(memory)
    puts = [Put(path, content, standing.digest if standing is not None and standing.path == path else None)]
    puts += _words_locked(files)
    removes = tuple(record for record in files.records if record.path != path)
    discards = (*(Remove(place, digest_of(text)) for place, text in files.beside.items()), *files.derived)
    event = Event("quarantined", memory, actor=actor, message=message)
    return ChangeSet(removes=removes, events=(event,), files=tuple(puts), discards=discards), memory


def _words_locked(files: Files) -> list[Put]:
    return [Put(place, _locked(text), digest_of(text)) for place, text in files.words.items() if not _is_locked(text)]


def _bundled(files: Files) -> tuple[dict[str, bytes], Record | None]:
    """What goes under the seal, with what one that stands already holds, and that one."""
    bundle: dict[str, bytes] = {}
    standing = None
    for record in sorted(files.records, key=lambda one: one.folder != layout.QUARANTINE):
        content = files.store.content(record.path) or b""
        if record.folder == layout.QUARANTINE:
            standing = record
            if seal.is_sealed(record.memory.body):
                bundle |= _of_seal(record, content)
                continue
        _add(bundle, record.path, content)
    for path, content in files.beside.items():
        _add(bundle, path, content)
    return bundle, standing


def _of_seal(record: Record, content: bytes) -> dict[str, bytes]:
    """What is under a seal; one that is damaged is kept as it is."""
    try:
        return seal.opened(record.memory.body)
    except seal.UnsealableError:
        return {record.path: content}


def _add(bundle: dict[str, bytes], path: str, content: bytes) -> None:
    """Another version of a file that is under the seal already is kept beside it."""
    if bundle.setdefault(path, content) != content:
        bundle[f"{path}#{digest_of(content)[:8]}"] = content


def is_sealed(record: Record) -> bool:
    """Whether a record lies in quarantine under a seal."""
    return record.folder == layout.QUARANTINE and seal.is_sealed(record.memory.body)


def is_sealed_whole(files: Files) -> bool:
    """Whether nothing of a memory is left to be sealed."""
    apart = any(not is_sealed(record) or seal.plain(record.memory) for record in files.records)
    return not apart and not files.beside and all(map(_is_locked, files.words.values()))


def opened(record: Record) -> tuple[Record, ...]:
    """The memories under the seal of a record, by the paths at which they lay; itself where there is no seal.

    :raises FaultError: code ``unsealable``, if the seal is damaged.
    """
    if not is_sealed(record):
        return (record,)
    read = (memories.parse_record(path, text, record.layer) for path, text in contents(record).items())
    found = tuple(one for one in read if isinstance(one, Record) and one.memory.id == record.memory.id)
    return found or (record,)


def contents(record: Record) -> dict[str, bytes]:
    """The files under the seal of a record.

    :raises FaultError: code ``unsealable``, if it is damaged.
    """
    try:
        return seal.opened(record.memory.body)
    except seal.UnsealableError as error:
        raise FaultError(
            f"`{record.path}` cannot be opened: {error}.",
            code="unsealable",
            hint=f"restore it from git or a backup, or type `memdir forget {record.memory.id}`",
        ) from None


def speaking(records: Iterable[Record]) -> Record:
    """Of the memories under a seal the one that stood or waited, else the latest revision."""
    return max(records, key=_standing)


def words_again(store: Store, memory_id: str) -> tuple[Put, ...]:
    """The file of the full words of a memory as it was."""
    path = layout.sources_path(memory_id)
    content = store.content(path)
    if content is None or not _is_locked(content):
        return ()
    return (Put(path, _unlocked(content), digest_of(content)),)


def words(store: Store, memory_id: str) -> bytes:
    """The full words of a memory that this machine keeps, also from under a seal; ``b""`` if there are none."""
    content = store.content(layout.sources_path(memory_id)) or b""
    return _unlocked(content) if _is_locked(content) else content


def in_the_clear(store: Store) -> dict[str, str]:
    """The files beside the memories that tell something of what is in quarantine, each with the id."""
    return {path: memory_id for memory_id in store.isolated() for path in _apart(files_of(store, memory_id))}


def _apart(files: Files | None) -> Iterator[str]:
    """What tells something of a memory in quarantine and is no memory."""
    if files is not None and any(one.folder == layout.QUARANTINE for one in files.records):
        yield from files.beside
        yield from (path for path, content in files.words.items() if not _is_locked(content))


def swept(store: Store) -> ChangeSet:
    """What puts everything under its seal that others brought of what is in quarantine here, or here of theirs."""
    return _sealed_again(store, store.isolated())


def copies_sealed(store: Store, examined: Examined) -> ChangeSet:
    """What puts copies of what is in quarantine under its seal."""
    return _sealed_again(store, _copied(examined))


def plain_sealed(store: Store, examined: Examined) -> ChangeSet:
    """What puts under a seal what lies in quarantine in the clear."""
    isolated = (one for one in examined.records if one.folder == layout.QUARANTINE)
    plain = {one.memory.id for one in isolated if one.memory.status == "quarantined" and seal.plain(one.memory)}
    return _sealed_again(store, plain - _copied(examined))


def _copied(examined: Examined) -> set[str]:
    return {record.memory.id for record in examined.snapshot.copies} | set(examined.unsealed.values())


def _sealed_again(store: Store, ids: Iterable[str]) -> ChangeSet:
    changes = []
    for memory_id in sorted(ids):
        files = files_of(store, memory_id)
        isolated = [one for one in files.records if one.folder == layout.QUARANTINE] if files is not None else []
        if files is None or not isolated or is_sealed_whole(files):
            continue
        if is_sealed_whole(replace(files, words={})):
            changes.append(ChangeSet(files=tuple(_words_locked(files)), discards=files.derived))
        else:
            reason = isolated[0].memory.status_reason.removeprefix(f"{isolation.CODE}: ")
            changes.append(sealed(files, reason or "found in quarantine", "", "")[0])
    return together(changes)


def _locked(content: bytes) -> bytes:
    """The lines of a local file under a seal: one line of JSON, with the time of the last for the retention."""
    whole = {
        SEALED: seal.packed({"": content}).decode(),
        "at": max((text_of(one, "at") for one in rows(content)), default=""),
    }
    return json.dumps({key: text for key, text in whole.items() if text}).encode() + b"\n"


def _is_locked(content: bytes) -> bool:
    return content.startswith(b'{"sealed": ')


def _unlocked(content: bytes) -> bytes:
    first, _, later = content.partition(b"\n")
    try:
        return seal.unpacked(str(json.loads(first)[SEALED]).encode()).get("", b"") + later
    except (ValueError, KeyError, seal.UnsealableError):
        return content
