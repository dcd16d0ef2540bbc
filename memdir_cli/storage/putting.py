"""Putting: which files the writes of a change set become. What is in their way is told, and stays."""

from __future__ import annotations

import json

from memdir_cli.domain.changes import ChangeSet, Put, Write, replacing
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, Unreadable, digest_of
from memdir_cli.domain.source import dropped
from memdir_cli.domain.text import printable
from memdir_cli.errors import ChangedError, FaultError, RefusedError, UsageError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.reading import read_file
from memdir_cli.storage.store import Store


def puts(store: Store, changes: ChangeSet) -> list[Put]:
    """The files of all writes, and of the sources for which these have no room any more.

    :raises ChangedError: if a file is no longer what the decision was based on.
    :raises RefusedError: if another memory lies where one would go.
    :raises FaultError: if a file cannot be read or edited, or is where it does not belong.
    :raises UsageError: for a text that no file can hold.
    """
    removed = {record.path for record in changes.removes}
    found = [put for write in changes.writes if (put := _put(store, write, removed)) is not None]
    return found + [put for write in changes.writes if (put := _older(store, write, changes)) is not None]


def named(memory: Memory) -> str:
    """A memory for people, by all that tells it from others."""
    where = "\n".join(part for part in (memory.scope.text, memory.scope.qualifiers) if part).replace("\n", ", ")
    return printable(f"`{memory.predicate}` ({memory.subject}, {where}, id {memory.id})")


def _put(store: Store, write: Write, removed: set[str]) -> Put | None:
    """The file of one write, ``None`` where it already stands like that.

    :param removed: files that go away in the same transaction.
    """
    base, memory = write.base, write.memory
    path = layout.path_of(memory, store.layer)
    in_place = base is not None and base.path == path
    if base is not None and not in_place and base.path not in removed:
        _refuse_misplaced(base.path, path)
    covered = None if in_place else _covered(store, path, memory)
    if base is None:
        return Put(path, _rendered(memory), covered)
    new = _edited(store, base, memory)
    if not in_place:
        return Put(path, new, covered)
    return Put(path, new, base.digest) if digest_of(new) != base.digest else None


def _edited(store: Store, base: Record, memory: Memory) -> bytes:
    """The file of ``base`` with what ``memory`` says now; every other line stays.

    :raises ChangedError: if it is no longer what was read.
    :raises FaultError: if it is gone, or cannot be edited like that.
    """
    old = read_file(store.root, base.path)
    if old is None:
        raise FaultError(f"`{base.path}` vanished while it was being changed.", hint="try again")
    if digest_of(old) != base.digest:
        raise ChangedError(
            f"`{printable(base.path)}` was changed by somebody else meanwhile; nothing was written.",
            hint="read again, then repeat the command",
        )
    try:
        return codec.update(old, base.memory, memory)
    except codec.Malformed as error:
        if memory.body != base.memory.body:
            _rendered(memory)
        raise FaultError(
            f"`{base.path}` cannot be edited without touching other lines: {error.message}",
            code="not-editable",
            hint="run `memdir check` and mend the file by hand",
        ) from None


def _older(store: Store, write: Write, changes: ChangeSet) -> Put | None:
    """The sources for which a memory has no room any more, added to those in history."""
    base, memory = write.base, write.memory
    if base is None or base.memory.id != memory.id or not base.current:
        return None
    # what goes to history as a revision, or as the side that lost, takes its sources along
    kept = tuple(source for one in changes.writes for source in one.memory.sources)
    gone = dropped(base.memory.sources, kept)
    if not gone:
        return None
    path = layout.older_sources_path(memory, store.layer)
    standing = read_file(store.root, path)
    keys = (((name, getattr(source, name)) for name in source.__slots__) for source in gone)
    lines = (json.dumps({key: text for key, text in entry if text}, ensure_ascii=False) for entry in keys)
    content = (standing or b"") + "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return replacing(path, content, standing)


def _covered(store: Store, path: str, memory: Memory) -> str | None:
    """The digest of the forgotten file that a new one may cover, ``None`` where nothing lies.

    :raises RefusedError: if anything else lies there: two identities may not share a path.
    :raises FaultError: if it cannot be read, or does not belong there.
    """
    standing = store.read(path)
    if standing is None:
        return None
    if isinstance(standing, Record) and store.tombstone(standing.memory) is not None:
        return standing.digest
    if isinstance(standing, Unreadable):
        raise FaultError(
            f"`{path}` is in the way and cannot be read: {standing.message}",
            code="path-taken",
            hint="run `memdir check` and mend or move that file",
        )
    other = standing.memory
    if other.identity.key == memory.identity.key:
        raise FaultError(
            f"`{path}` is in the way: it is {other.status}, which does not belong there.",
            code="path-taken",
            hint="run `memdir check` and mend or move that file",
        )
    raise RefusedError(
        f"{named(memory)} would need the file of {named(other)}, `{path}`.",
        code="path-taken",
        hint="choose another key",
    )


def _rendered(memory: Memory) -> bytes:
    """The bytes of a new file; a text that no file can hold is the caller's mistake."""
    try:
        return codec.render(memory)
    except codec.Malformed as error:
        raise UsageError(
            f"The text for `{printable(memory.predicate)}` cannot be kept: {error.message}",
            code="text-unkeepable",
            hint="change the text; a memory is one short page without a header of its own",
        ) from None


def _refuse_misplaced(lying: str, path: str) -> None:
    """A file that somebody moved within its folder is not written anew: then it would be there twice."""
    if layout.folder_of(lying) == layout.folder_of(path):
        raise FaultError(
            f"`{lying}` lies under the wrong name; it belongs at `{path}`.",
            code="misplaced",
            hint=f"move it there, or run `memdir check`: `{lying}` to `{path}`",
        )
