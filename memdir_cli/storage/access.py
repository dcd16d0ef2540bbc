"""The access log: which memories were given to an agent, without their content. Best effort.

One line a read and memdir in ``local/access/YYYY-MM.jsonl``. It never fails a read: what cannot be
written (a read-only memdir, a full disk) is silently not logged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from memdir_cli.domain.access import Access
from memdir_cli.domain.snapshot import Layer
from memdir_cli.storage import layout, logs, noting
from memdir_cli.storage.receipts import digest
from memdir_cli.storage.store import Store


def note(stores: Iterable[Store], access: Access) -> None:
    """Log a read in each memdir that gave or kept back a memory."""
    for store in stores:
        rest = _rest(access, store.layer, store.config.key)
        if rest:
            path, private = layout.access_path(access.at), store.layer == "user"
            store.noted = (path, private, access.at, access.verb, rest)
            text = noting.line(access.at, access.verb, access.session, rest)
            noting.append(store.root, path, text, private=private)


def _rest(access: Access, layer: Layer, key: str) -> str:
    """What follows the session in the line that one memdir keeps of a read, ``""`` if none of its memories were
    looked at.

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
            excluded.setdefault(one.rule, []).append(one.id)
    if not shown and not excluded:
        return ""
    candidates = len(shown) + access.kept_back.get(layer, 0)
    keys = {
        "task": access.task,
        "candidates": candidates,
        "shown": shown,
        "excluded": excluded,
        "budget": access.budget,
        "characters": access.characters,
        "query": digest(key, access.query),
    }
    return json.dumps({name: value for name, value in keys.items() if value}, separators=(",", ":"))[1:]


def read(root: str) -> Iterator[dict[str, object]]:
    """The lines of a memdir's log, the oldest month first; torn and blank ones are passed over.

    :raises FaultError: if the log is there and cannot be read.
    """
    return logs.read(root, layout.ACCESS)
