"""One tree of errors: each carries a stable code, an exit status, facts and a hint.

The sentence is for people and may change; ``code`` and ``exit_status`` are the interface.
"""

from __future__ import annotations


class MemdirError(Exception):
    """Something a caller can act on.

    :param message: one sentence, subject first, values in backticks.
    :param hint: what to type next, or ``""``.
    :param facts: plain values for ``--json`` (never memory text that was refused).
    """

    code = "error"
    exit_status = 70

    def __init__(self, message: str, *, hint: str = "", code: str = "", **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.facts = facts
        if code:
            self.code = code


class UsageError(MemdirError):
    """The command line cannot be understood or asks for something that does not exist."""

    code = "usage"
    exit_status = 2


class NoMemdirError(UsageError):
    """A write needs a memdir and there is none."""

    code = "no_memdir"


class PersonNeededError(MemdirError):
    """Several answers are possible and only a person may choose; nothing was written."""

    code = "ambiguous"
    exit_status = 3


class RefusedError(MemdirError):
    """Policy forbids it; nothing was written."""

    code = "refused"
    exit_status = 4


class ChangedError(MemdirError):
    """Somebody changed a file between reading and writing; nothing was written."""

    code = "changed"
    exit_status = 5


class FaultError(MemdirError):
    """The memdir or the disk is at fault; nothing changed."""

    code = "fault"
    exit_status = 6


class LockedError(MemdirError):
    """Another process holds the lock and did not let go in time."""

    code = "locked"
    exit_status = 75
