"""Joining: two descendants of a memdir as one. Reads no file and writes none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import UnmergeableError
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass, field
from memdir_cli.storage import codec, index, layout
from memdir_cli.storage.merging import Version, merge_lines, merged, read_version
from memdir_cli.storage.states import Files as Files
from memdir_cli.storage.states import Side, side_of

#: Whether a memory must not come back.
Forgotten = Callable[[Version], bool]

#: Files of lines, of which those of both sides stay.
_LINES = (layout.TOMBSTONES, f"{layout.RECEIPTS}/")


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that cannot be joined without a person.

    :ivar reason: a clause, such as ``it cannot be read``.
    """

    path: str
    reason: str


#: Where a version lies, and it.
Found = tuple[str, Version]


@dataclass(slots=True)
class Joined:
    """What came out.

    :ivar files: everything that was joined; of a problem our version.
    :ivar problems: what a person has to look at; then ``files`` is no result to keep.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def join(
    base: Files,
    ours: Files,
    theirs: Files,
    layer: Layer,
    forgotten: Forgotten = lambda _: False,
) -> Joined:
    """Both sides in one, the same whichever side is one's own but for the form of the files.

    :param base: what both came from.
    :param forgotten: whether a memory must not come back.
    """
    # most files are the same on all sides: each is read once
    known: dict[bytes, Version | None] = {}
    three = tuple(side_of(files, layer, known) for files in (base, ours, theirs))
    joined = Joined()
    for path in _all(side.others for side in three):
        _join_other(joined, path, *(side.others.get(path) for side in three))
    for path in _all(side.past for side in three):
        _join_past(joined, path, forgotten, *(side.past.get(path) for side in three))
    for memory_id in _all(side.standing for side in three):
        _join_standing(joined, memory_id, layer, forgotten, *three)
    return joined


def _all(parts: Iterable[Mapping[str, object]]) -> list[str]:
    return sorted({name for part in parts for name in part})


# files that are no memory


def _join_other(joined: Joined, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> None:
    if ours == theirs or base == theirs:
        kept = ours
    elif base == ours:
        kept = theirs
    elif path.startswith(_LINES) or layout.is_older_sources(layout.name_of(path)):
        kept = merge_lines(ours or b"", theirs or b"")
    elif path == layout.INDEX:
        kept = index.join(base, ours or b"", theirs or b"")
    elif path in _SETTINGS and ours is not None and theirs is not None:
        kept = _SETTINGS[path](base or b"", ours, theirs)
        if kept is None:
            kept = ours
            joined.problems.append(Problem(path, "both sides changed the same setting"))
    else:
        kept = ours if ours is not None else theirs
        joined.problems.append(Problem(path, "both sides changed it"))
    if kept is not None:
        joined.files[path] = kept


def _join_config(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Settings with the changes of both sides, ``None`` where they changed the same one differently."""
    try:
        old, one, other = (codec.read_mapping(content) for content in (base, ours, theirs))
        changes: dict[str, str | None] = {}
        for name in {**old, **one, **other}:
            before, mine, yours = old.get(name), one.get(name), other.get(name)
            if yours in (mine, before):
                continue
            if mine != before:
                return None
            changes[name] = codec.block(yours) if yours is not None else None
        return codec.edit_mapping(ours, changes)
    except codec.Malformed:
        return None


def _join_rules(_: bytes, ours: bytes, theirs: bytes) -> bytes:
    """The lines of both; what the other side took out of such a file stays."""
    known = [line.rstrip() for line in ours.splitlines()]
    new = [line for line in theirs.splitlines() if line.strip() and line.rstrip() not in known]
    ended = ours if not ours or ours.endswith(b"\n") else ours + b"\n"
    return ended + b"".join(line + b"\n" for line in new)


#: Files beside the memories that memdir knows how to join.
_SETTINGS: Mapping[str, Callable[[bytes, bytes, bytes], bytes | None]] = {
    layout.CONFIG: _join_config,
    layout.GITIGNORE: _join_rules,
    layout.GITATTRIBUTES: _join_rules,
}


# what is over


def _join_past(
    joined: Joined,
    path: str,
    forgotten: Forgotten,
    base: Version | None,
    ours: Version | None,
    theirs: Version | None,
) -> None:
    if any(version is not None and forgotten(version) for version in (base, ours, theirs)):
        return
    if ours is None or theirs is None:
        kept = ours or theirs
        # let go of on one side: retention; it is nobody's current memory
        if kept is not None and (base is None or kept.data != base.data):
            joined.files[path] = kept.data
        return
    try:
        joined.files[path] = merged(base, ours, theirs).data
    except (UnmergeableError, codec.Malformed) as error:
        joined.files[path] = ours.data
        joined.problems.append(Problem(path, _clause(error)))


# what stands


def _join_standing(
    joined: Joined,
    memory_id: str,
    layer: Layer,
    forgotten: Forgotten,
    base: Side,
    ours: Side,
    theirs: Side,
) -> None:
    found = [side.standing.get(memory_id) for side in (base, ours, theirs)]
    if any(one is not None and forgotten(one[1]) for one in found):
        return
    if found[1] == found[2] or found[0] == found[2]:
        kept = found[1]
    elif found[0] == found[1]:
        kept = found[2]
    else:
        kept = _both_changed(joined, layer, (base, ours, theirs), found)
    if kept is not None:
        _put(joined, *kept, layer)


def _both_changed(joined: Joined, layer: Layer, sides: tuple[Side, ...], found: list[Found | None]) -> Found | None:
    base, ours, theirs = (one[1] if one is not None else None for one in found)
    if base is not None:
        # who has it no more may have ended it: then that is a version too
        ours = ours or _ended(sides[1], base.memory)
        theirs = theirs or _ended(sides[2], base.memory)
    if ours is None or theirs is None:
        # removed by hand, absorbed, rejected: whoever changed it since keeps it
        return found[1] or found[2]
    try:
        version = merged(base, ours, theirs)
    except (UnmergeableError, codec.Malformed) as error:
        kept = found[1] or found[2]
        if kept is not None:
            joined.problems.append(Problem(kept[0], _clause(error)))
        return kept
    return layout.path_of(version.memory, layer), version


def _ended(side: Side, base: Memory) -> Version | None:
    """The revision with which a memory came to its end on one side, ``None`` if it did not."""
    past = [one for one in side.past.values() if one.memory.id == base.id]
    over = [one for one in past if one.memory.revision >= base.revision]
    return max(over, key=lambda one: one.memory.revision, default=None)


def _put(joined: Joined, path: str, version: Version, layer: Layer) -> None:
    """The version at its path; what lies there already and is the same memory is joined with it."""
    standing = joined.files.get(path)
    if standing is None or standing == version.data:
        joined.files[path] = version.data
        return
    try:
        other = read_version(standing)
        if other.memory.identity.key != version.memory.identity.key:
            _put_beside(joined, path, version, layer)
            return
        one, two = sorted((other, version), key=lambda part: (part.memory.id, part.data))
        result = merged(None, one, two)
    except (UnmergeableError, codec.Malformed) as error:
        joined.problems.append(Problem(path, _clause(error)))
        return
    due = layout.path_of(result.memory, layer)
    if due != path:
        del joined.files[path]
    joined.files[due] = result.data


def _put_beside(joined: Joined, path: str, version: Version, layer: Layer) -> None:
    """A version whose path another memory has: git took one for the other, and its own place may be free."""
    due = layout.path_of(version.memory, layer)
    if due in joined.files:
        joined.problems.append(Problem(path, f"`{printable(due)}` is claimed by two memories"))
        return
    joined.files[due] = version.data


def _clause(error: UnmergeableError | codec.Malformed) -> str:
    sentence = printable(error.message).removesuffix(".")
    return f"{sentence[0].lower()}{sentence[1:]}"


def changed(before: Files, after: Files) -> Iterator[str]:
    """The paths at which two states differ, sorted."""
    yield from (path for path in _all((before, after)) if before.get(path) != after.get(path))
