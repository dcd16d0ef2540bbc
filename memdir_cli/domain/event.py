"""Event: what happened to a memory, without its content. Written down, it is a receipt."""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.memory import Memory
from memdir_cli.shapes import dataclass

#: What a write verb does to a memory.
Decided = Literal[
    "created", "confirmed", "superseded", "conflicted", "settled", "needs_decision", "expired", "narrowed",
    "rejected", "archived", "restored", "quarantined", "released",
]  # fmt: skip

#: What can happen to a memory; the clock and the workspace move some by themselves.
Happening = Literal[
    Decided, "absorbed", "readdressed", "stale", "withdrawn", "dropped", "merged", "forgotten", "lifted",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """One happening.

    :ivar memory: the memory as it is after the happening (the receipt takes ids, statuses and keyed
        digests from it, never text).
    :ivar previous: ``id@revision`` that it replaced; of an absorbed candidate, and of what was narrowed, the
        memory that took it in; ``""`` for none.
    :ivar actor: the kind of source that asked for it, such as ``user`` or ``agent``.
    :ivar message: the full id of the message that asked for it; kept as a keyed digest only.
    :ivar vouched: the receipt is to support what the memory says; otherwise it keeps no digest of it.
    """

    kind: Happening
    memory: Memory
    previous: str = ""
    actor: str = ""
    message: str = ""
    vouched: bool = True
