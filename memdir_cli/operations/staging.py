"""Staging: a project memdir as the next commit will hold it, opened as any other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, NoMemdirError, UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes import staging
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.staged_ground import StagedGround
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass
from memdir_cli.storage import disk, layout
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class StagedMemdir:
    """What is staged of a memdir.

    :ivar store: it, unpacked where nobody else looks; without what lies on this machine only.
    :ivar ground: the workspace as it is staged, ``None`` where the memdir is of another repository than this call.
    """

    store: Store
    ground: Ground | None


@contextmanager
def staged_memdir(workplace: Workplace, store: Store) -> Iterator[StagedMemdir]:
    """The memdir of ``store`` as it lies in git's index, for the time of the block.

    :raises UsageError: if git does not tell what is staged.
    :raises NoMemdirError: if nothing of the memdir is staged.
    """
    root = os.path.realpath(store.root)
    checkout = find_checkout(root, workplace.environ)
    if checkout is None or not checkout.top or not is_within(root, checkout.top):
        raise UsageError(
            f"`{printable(store.root)}` lies in no git working tree, so that nothing is staged.",
            code="staging-unreadable",
            hint="leave `--staged` out",
        )
    index = staging.Staging(checkout, workplace.environ, workplace.cwd)
    folder = os.path.relpath(root, checkout.top).replace(os.sep, "/")
    above = "" if folder == "." else f"{folder}/"
    entries = [one for one in index.below(above) if not _is_local(one.path[len(above) :])]
    if not entries:
        raise NoMemdirError(
            f"Nothing of `{printable(folder)}` is staged or committed, so that nothing can be checked.",
            hint=f"run `git add {folder}`, or leave `--staged` out",
        )
    contents = {path[len(above) :]: content for path, content in index.contents(entries).items()}
    links = {one.path[len(above) :] for one in entries if one.mode == staging.LINK}
    files = {path: content for path, content in contents.items() if path not in links}
    same = os.path.realpath(workplace.root) == os.path.realpath(checkout.top) if workplace.root else False
    try:
        with disk.unpacked(files, {path: contents[path] for path in links}) as copy:
            unpacked = Store(copy, store.layer, lenient=True, guard=store.guard)
            yield StagedMemdir(unpacked, StagedGround(index) if same else None)
    except FaultError as error:
        raise UsageError(
            f"What is staged cannot be looked at: {error.message}", code="staging-unreadable", hint=error.hint
        ) from error


def _is_local(path: str) -> bool:
    return path == layout.LOCAL or path.startswith(f"{layout.LOCAL}/")
