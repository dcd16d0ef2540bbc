"""Withdrawing: taking memories out of the files of other programs into which memdir has written them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memdir_cli.domain.changes import ChangeSet
from memdir_cli.errors import MemdirError
from memdir_cli.operations import fitting
from memdir_cli.shapes import dataclass
from memdir_cli.storage import exports
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What became of the files.

    :ivar done: absolute paths of the files that changed or went.
    :ivar left: absolute paths of the places that could not be changed, each with the reason.
    :ivar gone: absolute paths at which nothing is any more: somebody moved it.
    """

    done: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()

    def and_also(self, other: Withdrawn) -> Withdrawn:
        """Both together."""
        return Withdrawn(
            (*self.done, *other.done),
            tuple(dict.fromkeys((*self.left, *other.left))),
            tuple(dict.fromkeys((*self.gone, *other.gone))),
        )


def places(store: Store, ids: Collection[str], texts: Collection[str]) -> Iterator[str]:
    """The absolute paths that :func:`withdraw` would change, as far as they can be looked at."""
    for export in exports.recorded(store):
        if export.ids.intersection(ids):
            try:
                yield from (edit.path for edit in exports.without(export, ids, texts))
            except MemdirError:
                continue


def withdraw(writer: Writer, ids: Collection[str], texts: Collection[str], now: str) -> Withdrawn:
    """Take ``ids`` out of everything to which they were exported. What cannot be changed stays recorded.

    :param texts: what they said.
    :param now: time of this run.
    """
    done: list[str] = []
    left: list[tuple[str, str]] = []
    gone: list[str] = []
    emptied: list[exports.Export] = []
    for export in exports.recorded(writer.store):
        if not export.ids.intersection(ids):
            continue
        try:
            for edit in exports.without(export, ids, texts):
                fitting.write(edit)
                done.append(edit.path)
            still = tuple(exports.left(export, ids, texts))
        except (MemdirError, OSError) as error:
            left.append((export.path, str(error)))
        else:
            emptied.append(exports.rest(export, ids))
            gone += [path for path, why in still if why == exports.GONE]
            left += [(path, why) for path, why in still if why != exports.GONE]
    put = exports.noted(writer.store, emptied)
    if put is not None:
        writer.commit(ChangeSet(files=(put,)), now)
    return Withdrawn(tuple(done), tuple(left), tuple(gone))
