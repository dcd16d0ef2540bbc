"""Redo: everything after the commit point of a transaction. Each step may be repeated at will."""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.snapshot import digest_of
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass
from memdir_cli.storage import disk
from memdir_cli.storage.journal import Pending, Removal, Staged
from memdir_cli.storage.layout import JOURNAL, LOCAL, SET_ASIDE, folder_of, set_aside_path
from memdir_cli.storage.reading import stat_file

Fate = Literal["moved", "set-aside", "lost"]

#: Stands for the digest of something that is not a readable regular file.
STRANGE = "not-a-file"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What finishing a transaction met.

    :ivar transaction: its id, ``""`` if there was none to finish.
    :ivar set_aside: pairs of the path that was edited by hand meanwhile, and kept, and where the version
        that was to replace it lies now.
    :ivar kept: paths that were to be removed but were edited by hand meanwhile.
    :ivar lost: paths whose staged version vanished; then nothing was removed and no index swapped.
    :ivar swept: temporary files of a killed process that were removed.
    :ivar unfinished: why the rest waits for the next writer, a sentence; ``""`` if nothing does. The
        change counts all the same: it is durable, and readers see it.
    """

    transaction: str = ""
    set_aside: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    swept: tuple[str, ...] = ()
    unfinished: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know of it, a sentence each; nothing where all went as it should."""
        told = [
            f"`{path}` was edited by hand and kept; what was to replace it is `{put}`" for path, put in self.set_aside
        ]
        told += [f"`{path}` was to be removed, but was edited by hand and kept" for path in self.kept]
        told += [f"the new version of `{path}` was lost before it was in its place" for path in self.lost]
        if self.unfinished:
            told.append(f"the change counts, and the next writer finishes it: {self.unfinished}")
        return tuple(map(printable, told))


def complete(root: str, journal: Pending, *, fresh: bool = False) -> Outcome:
    """Move, append the receipt, swap the index, remove, sync, drop the journal.

    :param fresh: the receipt cannot be there yet: do not look for it.
    :raises FaultError: the journal stays, and a repetition goes on from there.
    """
    fates = {put.path: _move(root, journal, put) for put in journal.puts}
    lost = tuple(path for path, fate in fates.items() if fate == "lost")
    kept: tuple[str, ...] = ()
    if not lost:
        if fresh or not _has_receipt(root, journal):
            _append_receipt(root, journal)
        if journal.index is not None:
            fates[journal.index.path] = _move(root, journal, journal.index)
        kept = tuple(removal.path for removal in journal.removes if not _remove(root, removal))
    disk.sync_folders(root, _touched(journal, aside="set-aside" in fates.values()))
    disk.remove(root, JOURNAL)
    disk.sync_folders(root, [LOCAL])
    edited = [path for path, fate in fates.items() if fate == "set-aside"]
    set_aside = tuple((path, set_aside_path(journal.transaction, path)) for path in edited)
    return Outcome(journal.transaction, set_aside, kept, lost)


def held(root: str, path: str) -> str | None:
    """The digest of what lies at ``path``, ``None`` if nothing does, :data:`STRANGE` for no plain file."""
    try:
        content = disk.read_file(root, path)
    except FaultError as error:
        if error.code in {"symlink", "special_file", "not_a_folder", "too_large"}:
            return STRANGE
        raise
    return None if content is None else digest_of(content)


def _move(root: str, journal: Pending, staged: Staged) -> Fate:
    """Move a staged version to its place, unless somebody edited what lies there."""
    aside = set_aside_path(journal.transaction, staged.path)
    now = held(root, staged.path)
    if held(root, staged.temp) is None:
        if now in {staged.digest, STRANGE} or (now is not None and now != staged.expected):
            return "set-aside" if stat_file(root, aside) else "moved"  # and edited by hand afterwards, maybe
        return "lost"
    if now in {staged.expected, staged.digest}:
        disk.replace(root, staged.temp, staged.path)
        return "moved"
    disk.ensure_folder(root, SET_ASIDE, private=journal.private)
    disk.replace(root, staged.temp, aside)
    return "set-aside"


def _remove(root: str, removal: Removal) -> bool:
    """Whether the file is gone; one that was edited by hand stays."""
    now = held(root, removal.path)
    if now == removal.expected:
        disk.remove(root, removal.path)
        return True
    return now is None


def _has_receipt(root: str, journal: Pending) -> bool:
    """Whether a whole line of the receipts file names the transaction already."""
    if journal.receipt is None:
        return True
    whole_lines = (disk.read_file(root, journal.receipt.path) or b"").rpartition(b"\n")[0]
    return journal.transaction.encode() in whole_lines


def _append_receipt(root: str, journal: Pending) -> None:
    if journal.receipt is not None:
        receipt = journal.receipt
        disk.append_line(root, receipt.path, receipt.line.encode(), private=journal.private)


def _touched(journal: Pending, *, aside: bool) -> set[str]:
    """The folders in which names changed."""
    paths = [staged.path for staged in journal.versions] + [removal.path for removal in journal.removes]
    return {folder_of(path) for path in paths} | ({SET_ASIDE} if aside else set())
