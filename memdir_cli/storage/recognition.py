"""Recognition: whether a directory that somebody named is a memdir, before anything in it is taken for one's own."""

from __future__ import annotations

import os

from memdir_cli.errors import FaultError
from memdir_cli.storage import config, layout
from memdir_cli.storage.reading import list_folder, read_file

#: What lies in the root of a memdir and is memdir's.
_OWN = frozenset(
    {layout.INDEX, layout.CONFIG, layout.TOMBSTONES, *(name for name in layout.FOLDERS if name and "/" not in name)}
)


def is_memdir(root: str, settings: config.Config) -> bool:
    """Whether the directory ``root`` is a memdir, be it one that has lost its settings."""
    settled = bool(settings.key and (settings.repository or settings.user))
    return settled or os.path.isdir(os.path.join(root, layout.RECEIPTS))


def foreign(root: str) -> str:
    """A name in the directory ``root`` that is not memdir's, ``""`` if there is none: other people work there.

    Hidden names do not count, but for git's.

    :raises FaultError: if the directory cannot be read.
    """
    if os.path.lexists(os.path.join(root, ".git")):
        return ".git"
    found = next((entry.name for entry in list_folder(root, "") if entry.name not in _OWN), "")
    return found or ("" if _is_ours(root) else layout.CONFIG)


def _is_ours(root: str) -> bool:
    """Whether a ``config.yaml``, if there is one, can be memdir's."""
    try:
        content = read_file(root, layout.CONFIG)
    except FaultError:
        return True  # whoever reads it says what is wrong
    return content is None or config.is_settings(content)
