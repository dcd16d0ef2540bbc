"""Logs of this machine: lines of JSON, one file a month. Best effort: what cannot be read is passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from memdir_cli.errors import FaultError
from memdir_cli.storage.layout import join
from memdir_cli.storage.reading import list_folder, read_file


def entries(root: str, folder: str) -> Iterator[Mapping[str, object]]:
    """Every line of every log in ``folder``, the oldest file first."""
    try:
        names = [entry.name for entry in list_folder(root, folder) if entry.kind == "file"]
    except FaultError:
        return
    for name in sorted(names):
        if name.endswith(".jsonl"):
            yield from lines(root, join(folder, name))


def lines(root: str, path: str) -> Iterator[Mapping[str, object]]:
    """Every line of a file that is an object; nothing where it cannot be read."""
    try:
        content = read_file(root, path) or b""
    except FaultError:
        return
    for line in content.split(b"\n"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry
