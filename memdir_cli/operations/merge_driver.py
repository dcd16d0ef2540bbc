"""merge-driver: three versions of a memory file in, one out, as git asks for it in the midst of a merge.

Takes no lock, asks nobody, starts no git and looks at nothing but the three files, so that it does the same in a
merge, a rebase, a cherry-pick, a revert and a stash.
"""

from __future__ import annotations

import os

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.storage import codec, disk, layout
from memdir_cli.storage.codec.fences import FILE_LIMIT
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.merging import merged, read_base, read_version
from memdir_cli.storage.reading import read_file

SETTLE = "type `memdir repair`, which settles it, then `git add` it"


def merge_driver(base: str, ours: str, theirs: str, path: str, cwd: str) -> None:
    """Write the merge of three files over ``ours``, which stays as it is where that cannot be done.

    :param path: the path in the repository that the result will have, ``""`` if it is not known.
    :param cwd: absolute path from which the others count.
    :raises FaultError: if a side cannot be read, or no one file at ``path`` can hold what comes out.
    :raises UnmergeableError: if the files are not versions of one memory.
    """
    shown = f"`{printable(path or ours)}`"
    contents = [_read(cwd, name) for name in (base, ours, theirs)]
    try:
        result = merged(read_base(contents[0]), read_version(contents[1]), read_version(contents[2]))
    except codec.Malformed as error:
        raise FaultError(
            f"{shown} cannot be merged, for one side cannot be read: {error.message}",
            code="unmergeable",
            hint=f"mend that side, or {SETTLE}",
        ) from None
    if path and not _at_home(result.memory, path):
        raise FaultError(
            f"{shown} is no place for what came out ({result.memory.status}, revision {result.memory.revision}).",
            code="elsewhere",
            hint=SETTLE,
        )
    if result.data != contents[1]:
        folder, name = os.path.split(os.path.join(cwd, ours))
        disk.write_file(folder, name, result.data, new_transaction_id(), private=False)


def _read(cwd: str, name: str) -> bytes:
    folder, last = os.path.split(os.path.join(cwd, name))
    content = read_file(folder, last, limit=FILE_LIMIT)
    if content is None:
        raise UsageError(f"`{printable(name)}` does not exist.", hint="git calls this; see `memdir install git`")
    return content


def _at_home(memory: Memory, path: str) -> bool:
    """Whether ``path`` ends as that of ``memory`` does, in a project's memdir or a user's."""
    homes = (layout.path_of(memory, "project"), layout.path_of(memory, "user"))
    return any(path == home or path.endswith(f"/{home}") for home in homes)
