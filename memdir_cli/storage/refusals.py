"""The log of refusals: that a write was refused and why, without anything of what it was to write. Best effort.

One line a refusal in ``local/refusals/YYYY-MM.jsonl`` of one memdir. As the access log it never fails a command.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from memdir_cli.errors import MemdirError
from memdir_cli.storage import disk, layout
from memdir_cli.storage.store import Store


def note(store: Store, at: str, verb: str, reason: str) -> None:
    """Log a refusal.

    :param at: when, RFC 3339 in UTC.
    :param reason: the stable code of the refusal.
    """
    with suppress(MemdirError, OSError):
        if os.access(store.root, os.W_OK):
            line = json.dumps({"at": at, "verb": verb, "reason": reason}, separators=(",", ":"))
            path = layout.refusals_path(at)
            disk.append_unlocked(store.root, path, line.encode(), private=store.layer == "user")
