"""Inspection: a memdir read for faults. Nothing that is wrong with one file hides another."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator

from memdir_cli.domain import remarks
from memdir_cli.domain.glance import Glance, Seen, glances
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.remarks import Remark
from memdir_cli.domain.screen import Trace as Trace
from memdir_cli.domain.screen import is_folded, traces
from memdir_cli.domain.seal import is_sealed
from memdir_cli.domain.snapshot import Layer, Record, Unreadable
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import disk, layout, memories
from memdir_cli.storage.codec.keys import OWN
from memdir_cli.storage.codec.notices import Notice as Notice
from memdir_cli.storage.journal import Pending, read_after
from memdir_cli.storage.reading import Entry as Entry
from memdir_cli.storage.reading import list_folder

#: What the system says of a name that is no file that could hold a memory.
_STRANGE: dict[str, tuple[str, str]] = {
    "link": ("symlink", "is a symbolic link, which memdir does not follow"),
    "special": ("special_file", "is not a regular file"),
    "folder": ("special_file", "is a folder, not a file"),
}


#: A line that only a file of memdir's is likely to have.
_OWN = re.compile(rf"""(?:^|\r)[ \t]*(?:- +)*["']?(?:{"|".join(OWN)})["']?[ \t]*:""".encode(), re.MULTILINE)

#: So many files go through one step of the inspection before the next begins.
_BATCH = 256

#: Reasons that leave open what the file is.
_OF_BYTES = frozenset({"too-large", "utf-16", "not-utf8", "nul"})


@dataclass(frozen=True, slots=True)
class Inspected:
    """One file, and what its reader had to tell although it could be read.

    :ivar traces: what stands in it that may stand nowhere.
    :ivar remarks: what to be wary of, where it is served or waits.
    :ivar lines_above: how many lines stand above its text.
    """

    found: Record | Unreadable
    notices: tuple[Notice, ...] = ()
    traces: tuple[Trace, ...] = ()
    remarks: tuple[Remark, ...] = ()
    lines_above: int = 0


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder of memories.

    :ivar names: the path of everything in it.
    :ivar strays: the files and folders that memdir does not look at, by path.
    """

    found: tuple[Inspected, ...] = ()
    names: frozenset[str] = frozenset()
    strays: tuple[Entry, ...] = ()


def inspect_folder(
    root: str, layer: Layer, folder: str, pending: Pending | None, then: Callable[[Inspected], None] | None = None
) -> Folder:
    """Every memory file of a folder, every name that should be one, and what else lies there.

    :param then: is done with each file as soon as everything is seen of it.
    :raises FaultError: if the folder cannot be listed.
    """
    entries = list_folder(root, folder)
    paths = memories.paths_among(entries, folder, pending)
    with memories.opened_if_there(root, folder) as descriptor:
        batches = [paths[at : at + _BATCH] for at in range(0, len(paths), _BATCH)]
        found = []
        for batch in batches:
            inspected = list(_inspected(root, layer, batch, pending, descriptor))
            found += inspected
            if then is not None:
                for one in inspected:
                    then(one)
    others = [entry for entry in entries if not memories.is_memory_name(entry)]
    strays = []
    for entry in others:
        path = layout.join(folder, entry.name)
        if entry.kind in {"link", "special"} or entry.name.endswith(".md"):
            reason, words = _STRANGE[entry.kind]
            found.append(Inspected(Unreadable(path, reason, f"`{printable(path)}` {words}.", layer=layer)))
        elif not (folder == layout.HISTORY and layout.is_older_sources(entry.name)):
            strays.append(Entry(path, entry.kind))
    names = frozenset({*paths, *(layout.join(folder, entry.name) for entry in others)})
    return Folder(tuple(found), names, tuple(strays))


def receipt_files(root: str) -> tuple[str, ...]:
    """The files of receipts.

    :raises FaultError: if they cannot be listed.
    """
    found = list_folder(root, layout.RECEIPTS)
    return tuple(layout.join(layout.RECEIPTS, entry.name) for entry in found if entry.name.endswith(".jsonl"))


def holds_files(root: str, folder: str) -> bool:
    """Whether anything lies in a folder.

    :raises FaultError: if it cannot be listed.
    """
    return bool(list_folder(root, folder))


def temporaries(root: str) -> Iterator[str]:
    """The temporary files of ours; folders that belong to another account alone are passed over."""
    for folder in layout.FOLDERS:
        try:
            yield from disk.temporaries(root, [folder])
        except FaultError as error:
            if error.code != "no_permission":
                raise


def set_aside(root: str) -> tuple[str, ...]:
    """The versions that were set aside on this machine."""
    try:
        return tuple(layout.join(layout.SET_ASIDE, entry.name) for entry in list_folder(root, layout.SET_ASIDE))
    except FaultError as error:
        if error.code == "no_permission":
            return ()
        raise


def open_to_others(root: str) -> bool:
    """Whether another account may look into the memdir."""
    return bool(os.stat(root).st_mode & 0o077)


def place(root: str, path: str, key: str, pending: Pending | None) -> tuple[int, int]:
    """1-based line and column at which ``key`` stands in a file, the first line where it does not."""
    try:
        content = read_after(root, path, pending)
    except FaultError:
        content = None
    text = (content or b"").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    match = re.search(rf"""^(?: |- )*(?=["']?{re.escape(key)}["']?[ \t]*:)""", text, re.MULTILINE)
    if match is None:
        return 1, 1
    return text.count("\n", 0, match.end()) + 1, match.end() - match.start() + 1


def _inspected(
    root: str, layer: Layer, paths: Iterable[str], pending: Pending | None, descriptor: int | None
) -> Iterator[Inspected]:
    """Some files, one step after the other for all of them.

    A processor has the instructions of one step at hand, and not those of all steps at once: file by file, all
    would take a third longer.
    """
    contents = [(path, _content(root, layer, path, pending, descriptor)) for path in paths]
    read = [(_parsed(path, content, layer), content) for path, content in contents if content is not None]
    visible = [
        shown(found.memory, content, plain=plain) if isinstance(found, Record) and isinstance(content, bytes) else None
        for (found, _, plain), content in read
    ]
    sights = glances([one for one in visible if one is not None])
    for ((found, notices, _), content), one in zip(read, visible, strict=True):
        yield _judged(found, notices, content, None if one is None else next(sights))


def _content(
    root: str, layer: Layer, path: str, pending: Pending | None, descriptor: int | None
) -> bytes | Unreadable | None:
    try:
        # a name that is no path of ours is refused on the way that looks at names
        return memories.content_of(root, path, pending, None if "\\" in path else descriptor)
    except FaultError as error:
        return Unreadable(path, error.code, error.message, layer=layer)


def _parsed(
    path: str, content: bytes | Unreadable, layer: Layer
) -> tuple[Record | Unreadable, tuple[Notice, ...], bool]:
    if isinstance(content, Unreadable):
        return content, (), False
    if not content or content.isspace():
        return Unreadable(path, "empty", "The file is empty.", 1, 1, layer), (), False
    return memories.parse_noticing(path, content, layer)


def _judged(
    found: Record | Unreadable, notices: tuple[Notice, ...], content: bytes | Unreadable, sight: Glance | None
) -> Inspected:
    if isinstance(content, Unreadable) or (isinstance(found, Unreadable) and found.reason == "empty"):
        return Inspected(found)
    if isinstance(found, Unreadable):
        if found.reason not in _OF_BYTES and not _OWN.search(content):
            # a broken header in which nothing is memdir's is other people's Markdown as well
            found = replace(found, reason="unmanaged")
        return Inspected(found, traces=_traces_beside(found, content))
    memory = found.memory
    if found.folder == layout.QUARANTINE and is_sealed(memory.body):
        # what was sealed says nothing that could be found
        text = content.decode("utf-8", "replace")
        return Inspected(found, notices, traces(text.removesuffix(memory.body), memory))
    seen = () if sight is not None and sight.clear else traces(content.decode("utf-8", "replace"), memory)
    wary = tuple(remarks.of_memory(memory, sight)) if found.folder in remarks.READ else ()
    above = content.count(b"\n") - memory.body.count("\n") if wary else 0
    return Inspected(found, notices, seen, wary, above)


def shown(memory: Memory, content: bytes, *, plain: bool = False) -> Seen | None:
    """What a glance is to see of a file, ``None`` where its header says something otherwise than it stands there.

    :param plain: it certainly does not.
    """
    head = content[: len(content) - len(memory.body)]
    if not content.isascii():
        return None
    if not plain and (b"\\" in head or memory.scope.environment or is_folded(head.decode())):
        return None
    return head, content[len(head) :], memory.predicate


def _traces_beside(found: Unreadable, content: bytes) -> tuple[Trace, ...]:
    """The traces in a file that is no memory, without those that its own fault tells of."""
    return tuple(
        trace
        for trace in file_traces(content)
        if trace.rule != "hidden" or (found.reason not in {"nul", "utf-16"} and trace.line != found.line)
    )


def file_traces(content: bytes) -> tuple[Trace, ...]:
    """What stands in a file that may stand nowhere, whatever the file is."""
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    return traces(content.decode("utf-16" if marked else "utf-8", "replace"))
