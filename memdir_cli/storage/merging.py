"""Merging: the bytes of three versions of one file to the bytes of one. Reads no file and writes none."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import seal, union
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import merge
from memdir_cli.domain.rows import row, text_of
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, layout


@dataclass(frozen=True, slots=True)
class Version:
    """A file and the memory in it."""

    data: bytes
    memory: Memory


def read_version(data: bytes) -> Version:
    """A version of a memory file.

    :raises Malformed: if it cannot be read.
    """
    return Version(data, codec.parse_memory(data))


def read_base(data: bytes | None) -> Version | None:
    """The common version, ``None`` where there is none or nothing can be learnt from it."""
    try:
        return read_version(data) if data else None
    except codec.Malformed:
        return None


def merged(base: Version | None, ours: Version, theirs: Version) -> Version:
    """Both sides in one file: ours, edited by the lines of the keys that come out otherwise.

    Only where the form of our file (comments, order, quotes) is the base's and theirs is another, theirs is edited.

    :raises Malformed: if the result cannot be written into the file.
    :raises UnmergeableError: if the versions are not of one memory.
    """
    memory = merge(base.memory if base is not None else None, ours.memory, theirs.memory)
    if (_is_sealed(ours) or _is_sealed(theirs)) and memory not in (ours.memory, theirs.memory):
        return _under_one_seal(ours, theirs)
    form = theirs if base is not None and _in_form_of(base, ours) and not _in_form_of(base, theirs) else ours
    return Version(codec.update(form.data, form.memory, memory), memory)


def _is_sealed(side: Version) -> bool:
    return side.memory.status == "quarantined" and seal.is_sealed(side.memory.body)


def _under_one_seal(ours: Version, theirs: Version) -> Version:
    """What both sides hold under one seal: nothing that either says is read outside of it, and nothing is lost."""
    sides = sorted((ours, theirs), key=lambda side: (not _is_sealed(side), -side.memory.revision, side.data))
    head = sides[0]
    files: dict[str, bytes] = {}
    for side in sides:
        for path, content in _contents(side, files).items():
            _add(files, path, content)
    memory = replace(
        head.memory,
        revision=max(side.memory.revision for side in sides),
        updated_at=max(side.memory.updated_at for side in sides),
        body=seal.seal(head.memory.id, dict(sorted(files.items()))),
    )
    return Version(codec.update(head.data, head.memory, memory), memory)


def _contents(side: Version, known: Iterable[str]) -> dict[str, bytes]:
    """The files that a side stands for."""
    due = layout.path_of(side.memory, "project")
    if not _is_sealed(side):
        # in a user's memdir the seal knows the name: one memory stands once
        named = (path for path in known if layout.folder_of(path) == layout.folder_of(due) != layout.HISTORY)
        return {next(named, due): side.data}
    try:
        return seal.opened(side.memory.body)
    except seal.UnsealableError:
        return {due: side.data}


def _add(files: dict[str, bytes], path: str, content: bytes) -> None:
    """Of two versions the later one keeps the path; the other one lies beside it."""
    first, second = sorted((files.get(path, content), content), key=lambda one: (-_revision_of(one), one))
    files[path] = first
    if second != first:
        files[f"{path}#{digest_of(second)[:8]}"] = second


def _revision_of(data: bytes) -> int:
    try:
        return codec.parse_memory(data).revision
    except codec.Malformed:
        return 0


def merge_lines(ours: bytes, theirs: bytes) -> bytes:
    """Two versions of a file of JSON lines that is only ever added to: each line once, in the order of their times."""
    both = union.lines(_lines(ours), _lines(theirs), lambda line: text_of(row(line) or {}, "at"))
    return "".join(f"{line}\n" for line in both).encode("utf-8", "surrogateescape")


def _in_form_of(base: Version, side: Version) -> bool:
    """Whether a side is the base but for what its memory says."""
    if side.data == base.data:
        return True
    try:
        return codec.update(base.data, base.memory, side.memory) == side.data
    except codec.Malformed:
        return False


def _lines(data: bytes) -> list[str]:
    return [line for line in data.decode("utf-8", "surrogateescape").split("\n") if line.strip()]
