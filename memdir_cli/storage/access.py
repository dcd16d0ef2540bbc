"""The access log: which memories were given to an agent, without their content. Best effort.

One line a read and memdir in ``local/access/YYYY-MM.jsonl``. It never fails a read: what cannot be
written (a read-only memdir, a full disk) is silently not logged.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from memdir_cli.domain.access import Access
from memdir_cli.domain.snapshot import Layer
from memdir_cli.errors import MemdirError
from memdir_cli.storage import disk, layout, logs
from memdir_cli.storage.receipts import digest
from memdir_cli.storage.store import Store

#: Of those kept back by one rule, at most so many ids; a read of a large memdir stays one short line.
IDS_KEPT = 50


def note(stores: Iterable[Store], access: Access) -> None:
    """Log a read in each memdir that gave or kept back a memory."""
    for store in stores:
        with suppress(MemdirError, OSError):
            if os.access(store.root, os.W_OK):
                text = line(access, store.layer, store.config.key)
                path = layout.access_path(access.at)
                if text:
                    disk.append_unlocked(store.root, path, text.encode(), private=store.layer == "user")


def line(access: Access, layer: Layer, key: str) -> str:
    """The line that one memdir keeps of a read, ``""`` if none of its memories were looked at.

    :param key: key of the digest of the query.
    """
    shown = [
        {"id": one.id, "revision": one.revision, "status": one.status, "age": one.age}
        for one in access.shown
        if one.layer == layer
    ]
    excluded: dict[str, list[str]] = {}
    for one in access.passed:
        if one.layer == layer:
            ids = excluded.setdefault(one.rule, [])
            if len(ids) < IDS_KEPT:
                ids.append(one.id)
    if not shown and not excluded:
        return ""
    candidates = len(shown) + sum(one.layer == layer for one in access.passed)
    keys = {
        "at": access.at,
        "verb": access.verb,
        "session": access.session,
        "task": access.task,
        "candidates": candidates,
        "shown": shown,
        "excluded": excluded,
        "budget": access.budget,
        "characters": access.characters,
        "query": digest(key, access.query),
    }
    return json.dumps({name: value for name, value in keys.items() if value}, separators=(",", ":"))


def read(root: str) -> Iterator[dict[str, object]]:
    """The lines of a memdir's log, the oldest month first; torn and blank ones are passed over.

    :raises FaultError: if the log is there and cannot be read.
    """
    return logs.read(root, layout.ACCESS)
