"""Rejoining: what an unfinished or half-understood merge left in a memdir, and the files that settle it.

Versions come from git's index where a path is in conflict, from the markers where somebody committed those, and from
the files themselves where one memory stands in two of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.checks.examined import Torn
from memdir_cli.domain.identity import fold
from memdir_cli.domain.snapshot import Record, Unreadable
from memdir_cli.errors import FaultError
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.git import Heard, ask
from memdir_cli.probes.unmerged import NOTHING, Unmerged, unmerged
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, field
from memdir_cli.storage import attributes, joining, layout, states
from memdir_cli.storage.codec.conflict_markers import halves, holds_markers
from memdir_cli.storage.store import Store

#: What is looked at as a whole; everything else in conflict is for a person.
_SETTLED = (layout.TOMBSTONES, f"{layout.RECEIPTS}/")


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a memdir stands with git.

    :ivar driver_missing: git is told to merge with our driver and does not know it.
    """

    unmerged: Unmerged = NOTHING
    driver_missing: bool = False


@dataclass(slots=True)
class Versions:
    """The three sides, as far as they are known."""

    base: dict[str, bytes] = field(default_factory=dict)
    ours: dict[str, bytes] = field(default_factory=dict)
    theirs: dict[str, bytes] = field(default_factory=dict)

    @property
    def paths(self) -> frozenset[str]:
        """Everything of which a version is known."""
        return frozenset({*self.base, *self.ours, *self.theirs})


def sharing_of(store: Store, environ: Mapping[str, str], heard: Heard | None = None) -> Sharing:
    """How ``store`` stands with git, which is asked.

    :param heard: takes down what it was asked and said.
    """
    checkout = find_checkout(store.root, environ)
    if checkout is None or not checkout.top or not is_within(os.path.realpath(store.root), checkout.top):
        return Sharing()
    told = attributes.names_driver(_content(store, layout.GITATTRIBUTES))
    wanted = ("config", "--get", f"merge.{attributes.DRIVER}.driver")
    missing = told and not ask(checkout.top, environ, *wanted, heard=heard).text
    return Sharing(unmerged(store.root, checkout, environ, heard), missing)


def rejoin(store: Store, conflicts: Unmerged, records: Iterable[Record], unreadable: Iterable[Unreadable]) -> Torn:
    """What is torn in a memdir, and what it becomes.

    :param records: the memories that can be read.
    """
    records = tuple(records)
    versions = _of_git(store, conflicts)
    _of_markers(store, versions, unreadable)
    _of_doubles(store, versions, records)
    told = dict.fromkeys(conflicts.paths, "")
    if not versions.paths:
        return Torn(told, place=conflicts.place)
    _with_what_lies_clean(store, versions, records)
    joined = joining.join(
        versions.base,
        versions.ours,
        versions.theirs,
        store.layer,
        lambda version: store.tombstone(version.memory) is not None,
    )
    if joined.problems:
        reasons = {problem.path: problem.reason for problem in joined.problems}
        return Torn({**told, **{path: reasons[path] for path in reasons if path in told}}, place=conflicts.place)
    standing = {path: content for path in versions.paths if (content := _content(store, path)) is not None}
    changes = _changes(standing, joined.files)
    isolated = store.isolated()
    # what is in quarantine, and copies of it, are for its seal
    due = {path: change for path, change in changes.items() if not _is_copy(isolated, path, change, standing.get(path))}
    return Torn(told, due, conflicts.place)


def _is_copy(isolated: frozenset[str], path: str, *versions: bytes | None) -> bool:
    """Whether a file is one of what is in quarantine, and lies elsewhere."""
    memories = (states.memory_of(content) for content in versions if content is not None)
    ids = {memory.id for memory in memories if memory is not None}
    return layout.folder_of(path) != layout.QUARANTINE and not isolated.isdisjoint(ids)


def _changes(standing: Mapping[str, bytes], due: Mapping[str, bytes]) -> dict[str, bytes | None]:
    return {path: due.get(path) for path in joining.changed(standing, due) if path != layout.INDEX}


def _of_git(store: Store, conflicts: Unmerged) -> Versions:
    """The versions in git's index, of the files that memdir knows how to join.

    Where git took two files for one, a version may be a conflict by itself: then it is one of each side.
    """
    versions = Versions()
    sides = (conflicts.base, conflicts.ours, conflicts.theirs)
    for files, found in zip(sides, (versions.base, versions.ours, versions.theirs), strict=True):
        for path, content in files.items():
            if not _is_known(store, path):
                continue
            if files is conflicts.base or not holds_markers(content):
                found[path] = content
                continue
            for part, side in zip(halves(content), (versions.ours, versions.theirs), strict=True):
                side.setdefault(states.home(part, store.layer) or path, part)
    return versions


def _is_known(store: Store, path: str) -> bool:
    return layout.folder_of(path) in layout.memory_folders(store.layer) or path.startswith(_SETTLED)


def _of_markers(store: Store, versions: Versions, unreadable: Iterable[Unreadable]) -> None:
    """The versions of files in which somebody left the markers; what both came from is not known any more."""
    known = versions.paths
    for one in unreadable:
        content = _content(store, one.path) if one.reason == "conflict-markers" and one.path not in known else None
        if content is not None:
            versions.ours[one.path], versions.theirs[one.path] = halves(content)


def _of_doubles(store: Store, versions: Versions, records: Iterable[Record]) -> None:
    """One memory in two files: one is ours, the other theirs. A copy that somebody else wrote is never joined."""
    known = versions.paths
    for kept, other in _doubled([record for record in records if record.path not in known]):
        if {kept.path, other.path} & versions.paths or store.unattributed(kept) or store.unattributed(other):
            continue
        first, second = _content(store, kept.path), _content(store, other.path)
        if first is not None and second is not None:
            versions.ours[kept.path] = first
            versions.theirs[other.path] = second


def _doubled(records: Iterable[Record]) -> Iterator[tuple[Record, Record]]:
    """Pairs of files of one id outside history, and of current records of one identity."""
    present = [record for record in records if record.folder != layout.HISTORY]
    ids = Counter(record.memory.id for record in present)
    keys = Counter(fold(record.memory.predicate) for record in present)
    seen: dict[object, Record] = {}
    for record in present:
        if ids[record.memory.id] == 1 and keys[fold(record.memory.predicate)] == 1:
            continue  # most are alone, and an identity is dear to make
        names: list[object] = [record.memory.id]
        if record.current:
            names.append(record.memory.identity.key)
        for name in names:
            kept = seen.setdefault(name, record)
            if kept is not record and kept.memory.identity.key == record.memory.identity.key:
                yield kept, record
                break


def _with_what_lies_clean(store: Store, versions: Versions, records: Iterable[Record]) -> None:
    """Add the other files of the same memories: to the side that seems to have moved one there, else to all."""
    ids = {side: _ids(store, files) for side, files in _sides(versions)}
    concerned = frozenset[str]().union(*ids.values())
    known = versions.paths
    for record in records:
        memory_id = record.memory.id
        content = _content(store, record.path) if memory_id in concerned and record.path not in known else None
        if content is None:
            continue
        if record.folder == layout.HISTORY:
            for files in (versions.base, versions.ours, versions.theirs):
                files[record.path] = content
        elif memory_id not in ids["ours"]:
            versions.ours[record.path] = content
        else:
            versions.theirs[record.path] = content


def _sides(versions: Versions) -> tuple[tuple[str, dict[str, bytes]], ...]:
    return (("base", versions.base), ("ours", versions.ours), ("theirs", versions.theirs))


def _ids(store: Store, files: Mapping[str, bytes]) -> frozenset[str]:
    """The ids of the memories in some files that are not history."""
    return states.standing_ids(files, store.layer)


def _content(store: Store, path: str) -> bytes | None:
    """The bytes of a file; nothing where it cannot be read: another finding says so."""
    try:
        return store.content(path)
    except FaultError:
        return None
