"""Withdrawing: taking memories out of the files of other programs into which memdir has written them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from memdir_cli.domain.changes import ChangeSet
from memdir_cli.errors import MemdirError
from memdir_cli.operations import fitting
from memdir_cli.storage import exports
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What became of the files.

    :ivar done: absolute paths of the files that changed or went.
    :ivar left: absolute paths of the places that could not be changed, each with the reason.
    """

    done: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()

    def and_also(self, other: Withdrawn) -> Withdrawn:
        """Both together."""
        return Withdrawn((*self.done, *other.done), (*self.left, *other.left))


def places(store: Store, ids: Collection[str]) -> Iterator[str]:
    """The absolute paths that :func:`withdraw` would change, as far as they can be looked at."""
    for export in exports.recorded(store):
        if export.ids.intersection(ids):
            try:
                yield from (edit.path for edit in exports.without(export, ids))
            except MemdirError:
                continue


def withdraw(writer: Writer, ids: Collection[str], now: str) -> Withdrawn:
    """Take ``ids`` out of everything to which they were exported. What cannot be changed stays recorded.

    :param now: time of this run.
    """
    done: list[str] = []
    left: list[tuple[str, str]] = []
    emptied: list[exports.Export] = []
    for export in exports.recorded(writer.store):
        if not export.ids.intersection(ids):
            continue
        try:
            for edit in exports.without(export, ids):
                fitting.write(edit)
                done.append(edit.path)
        except (MemdirError, OSError) as error:
            left.append((export.path, str(error)))
        else:
            emptied.append(exports.rest(export, ids))
    put = exports.noted(writer.store, emptied)
    if put is not None:
        writer.commit(ChangeSet(files=(put,)), now)
    return Withdrawn(tuple(done), tuple(left))
