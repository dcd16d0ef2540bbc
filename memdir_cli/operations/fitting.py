"""Fitting: what every target of ``install`` shares."""

from __future__ import annotations

import os
from contextlib import suppress

from memdir_cli.domain.installing import Edit
from memdir_cli.domain.text import printable
from memdir_cli.errors import ChangedError, FaultError, RefusedError, UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.workspace import is_within
from memdir_cli.storage import disk
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.reading import read_file


def content(path: str, top: str = "") -> bytes | None:
    """The bytes of a file, ``None`` if there is none.

    :param path: absolute.
    :param top: the folder below which no link is followed; left out, that of the file.
    :raises FaultError: for a link or whatever is no plain file.
    """
    folder, name = _parted(path, top)
    return read_file(folder, name) if os.path.isdir(folder) else None


def placed(workplace: Workplace, path: str) -> tuple[str, str]:
    """Where a file of the project really lies: the top of the project, and the absolute path.

    A link inside the project is followed, so that the file that everybody reads is the one that changes.

    :param path: from the top of the project, POSIX.
    :raises UsageError: where there is no project.
    :raises RefusedError: if a link leads out of the project, or to where git and memdir keep their own.
    """
    if not workplace.root:
        raise UsageError(
            "There is no project here.",
            code="no-repository",
            hint="change to a repository, or type `memdir init` to make one",
        )
    top = os.path.realpath(workplace.root)
    real = os.path.realpath(os.path.join(top, *path.split("/")))
    kept = [os.path.join(top, ".git"), *(os.path.realpath(store.root) for store in workplace.stores)]
    if not is_within(real, top) or any(is_within(real, place) for place in kept):
        raise RefusedError(
            f"`{printable(path)}` is a link to `{printable(real)}`, which is no file of the project's own.",
            code="link-outside",
            hint=f"put a file or a folder of its own in the place of `{printable(path)}`",
        )
    return top, real


def write(edit: Edit) -> None:
    """Put a file in its new form, as a whole; folders that are empty without it go with it.

    Folders that were made for a file which could not be written are taken back.

    :raises ChangedError: if it is not any more what the edit was made of.
    """
    folder, name = _parted(edit.path, edit.top)
    if content(edit.path, edit.top) != edit.before:
        raise ChangedError(
            f"`{printable(edit.path)}` was changed by somebody else meanwhile; it was left alone.",
            hint="repeat the command",
        )
    if edit.after is None:
        disk.remove(folder, name)
        disk.sync_folders(folder, [name.rpartition("/")[0]])
        disk.remove_empty_folders(folder, name.rpartition("/")[0])
        return
    disk.create_root(folder, private=False)
    within = name.rpartition("/")[0]
    there = _existing(folder, within)
    try:
        disk.write_file(folder, name, edit.after, new_transaction_id(), private=False)
    except BaseException:
        with suppress(FaultError):
            disk.remove_empty_folders(folder, within, keep=there)
        raise


def _existing(top: str, folder: str) -> str:
    """The deepest folder on the way from ``top`` that is there already."""
    while folder and not os.path.isdir(os.path.join(top, folder)):
        folder = folder.rpartition("/")[0]
    return folder


def _parted(path: str, top: str) -> tuple[str, str]:
    """The folder below which no link is followed, and the way from there."""
    if not top:
        return os.path.split(path)
    return top, os.path.relpath(path, top).replace(os.sep, "/")
