"""Fitting: what every target of ``install`` shares."""

from __future__ import annotations

import os

from memdir_cli.domain.installing import Edit
from memdir_cli.domain.text import printable
from memdir_cli.errors import ChangedError
from memdir_cli.storage import disk
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.reading import read_file


def content(path: str) -> bytes | None:
    """The bytes of a file, ``None`` if there is none.

    :param path: absolute.
    :raises FaultError: for a link or whatever is no plain file.
    """
    folder, name = os.path.split(path)
    return read_file(folder, name) if os.path.isdir(folder) else None


def write(edit: Edit) -> None:
    """Put a file in its new form, as a whole.

    :raises ChangedError: if it is not any more what the edit was made of.
    """
    folder, name = os.path.split(edit.path)
    if content(edit.path) != edit.before:
        raise ChangedError(
            f"`{printable(edit.path)}` was changed by somebody else meanwhile; it was left alone.",
            hint="repeat the command",
        )
    if edit.after is None:
        disk.remove(folder, name)
        disk.sync_folders(folder, [""])
        return
    disk.create_root(folder, private=False)
    disk.write_file(folder, name, edit.after, new_transaction_id(), private=False)
