"""Logs of this machine: lines of JSON, one file a month, to which readers append without a lock."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.domain.rows import rows
from memdir_cli.storage.layout import join
from memdir_cli.storage.reading import list_folder, read_file


def read(root: str, folder: str) -> Iterator[dict[str, object]]:
    """The lines of the logs in ``folder``, the oldest month first; torn and blank ones are passed over.

    :raises FaultError: if a log is there and cannot be read.
    """
    for entry in list_folder(root, folder):
        if entry.kind == "file" and entry.name.endswith(".jsonl"):
            yield from rows(read_file(root, join(folder, entry.name)) or b"")
