"""States: the memories among the files of a memdir, such as one side of a merge has them. Reads and writes no file.

A memory is followed by its id, not by the path of its file: a verb moves it from folder to folder, and git, which
sees paths, would take that for a removal.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import UnmergeableError
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import FOLDER
from memdir_cli.shapes import dataclass
from memdir_cli.storage import codec, layout
from memdir_cli.storage.merging import Version, merged, read_version

#: Contents by POSIX path from the memdir's root.
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Side:
    """The memories of one side.

    :ivar standing: by id, the path and version of what stands, waits, is shut away or stored.
    :ivar past: by path, the versions in history.
    :ivar others: every other file, and memory files that cannot be read.
    """

    standing: dict[str, tuple[str, Version]]
    past: dict[str, Version]
    others: dict[str, bytes]


def home(data: bytes, layer: Layer) -> str:
    """Where a memory file belongs, ``""`` if it cannot be read."""
    version = _version(data, {})
    return layout.path_of(version.memory, layer) if version is not None else ""


def ids(files: Files, layer: Layer) -> frozenset[str]:
    """The ids of all memories among ``files``, history too."""
    found = side_of(files, layer, {})
    return frozenset((*found.standing, *(version.memory.id for version in found.past.values())))


def latest(files: Files, layer: Layer) -> tuple[Memory, ...]:
    """Every memory among ``files`` as it stands, or as it came to its end."""
    found = side_of(files, layer, {})
    over: dict[str, Version] = {}
    for version in found.past.values():
        known = over.get(version.memory.id)
        if known is None or known.memory.revision < version.memory.revision:
            over[version.memory.id] = version
    standing = {memory_id: version for memory_id, (_, version) in found.standing.items()}
    return tuple(version.memory for version in {**over, **standing}.values())


def memory_of(data: bytes) -> Memory | None:
    """The memory in a file, ``None`` if it cannot be read."""
    version = _version(data, {})
    return version.memory if version is not None else None


def is_served(path: str) -> bool:
    """Whether what lies there is given to agents."""
    return layout.folder_of(path) == layout.MEMORIES


def standing_ids(files: Files, layer: Layer) -> frozenset[str]:
    """The ids of the memories among ``files`` that are not history."""
    return frozenset(side_of(files, layer, {}).standing)


def side_of(files: Files, layer: Layer, known: dict[bytes, Version | None]) -> Side:
    """What ``files`` hold.

    :param known: versions by the bytes that they were read from; it is filled on the way.
    """
    found = Side({}, {}, {})
    standing: list[tuple[str, Version]] = []
    for path in sorted(files):
        version = _version(files[path], known) if _may_be_memory(path, layer) else None
        if version is None:
            found.others[path] = files[path]
            continue
        # git takes files that are alike for one another, and may have put a version where it does not belong
        due = layout.path_of(version.memory, layer)
        place = path if layout.folder_of(path) == layout.folder_of(due) else due
        if FOLDER[version.memory.status] == layout.HISTORY:
            found.past[place] = version
        else:
            standing.append((place, version))
    # where an id has two, history tells from what both came: all of it has to be known first
    for place, version in standing:
        _add(found, place, version)
    return found


def _add(side: Side, path: str, version: Version) -> None:
    """One more standing version; where an id has two, they are one already, or the second is another file."""
    memory_id = version.memory.id
    if memory_id not in side.standing:
        side.standing[memory_id] = (path, version)
        return
    known_path, known = side.standing[memory_id]
    try:
        side.standing[memory_id] = (known_path, merged(_past_of(side, known, version), known, version))
    except (UnmergeableError, codec.Malformed):
        side.others[path] = version.data


def _past_of(side: Side, one: Version, other: Version) -> Version | None:
    """The newest revision in history from which both may have come."""
    limit = min(one.memory.revision, other.memory.revision)
    found = [
        version
        for version in side.past.values()
        if version.memory.id == one.memory.id and version.memory.revision <= limit
    ]
    return max(found, key=lambda version: version.memory.revision, default=None)


def _may_be_memory(path: str, layer: Layer) -> bool:
    return path.endswith(".md") and layout.folder_of(path) in layout.memory_folders(layer)


def _version(data: bytes, known: dict[bytes, Version | None]) -> Version | None:
    if data not in known:
        try:
            known[data] = read_version(data)
        except codec.Malformed:
            known[data] = None
    return known[data]
