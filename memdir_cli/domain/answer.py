"""Answers of the verbs: what was decided, and what the caller needs to go on."""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.status import Status
from memdir_cli.shapes import dataclass

Decision = Literal[
    "created",
    "confirmed",
    "superseded",
    "conflicted",
    "settled",
    "expired",
    "narrowed",
    "rejected",
    "archived",
    "restored",
    "quarantined",
    "released",
    "needs_decision",
    "needs_scope",
    "revision_conflict",
    "refused",
]

#: The exit status of each decision (a lowered ``created`` is still 0).
EXIT_STATUS: dict[Decision, int] = {
    "created": 0,
    "confirmed": 0,
    "superseded": 0,
    "settled": 0,
    "expired": 0,
    "narrowed": 0,
    "rejected": 0,
    "archived": 0,
    "restored": 0,
    "quarantined": 0,
    "released": 0,
    "conflicted": 3,
    "needs_decision": 3,
    "needs_scope": 3,
    "refused": 4,
    "revision_conflict": 5,
}


@dataclass(frozen=True, slots=True)
class Caution:
    """A remark that does not change the decision: a stable code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to answer ``needs_scope``: a letter for a prompt, a scope, and the full command."""

    letter: str
    scope: str
    command: str


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """What a write verb decided.

    :ivar key: the predicate as it is stored.
    :ivar memory: the memory after the decision (a waiting candidate, a current record), if any.
    :ivar path: absolute path of its file, ``""`` if nothing is written.
    :ivar reason: stable code, ``""`` when the decision needs none.
    :ivar message: one sentence for people, for the decisions that are not plain success.
    :ivar hint: what to type next.
    :ivar previous: the memory as it was before, or the rival.
    """

    decision: Decision
    key: str
    memory: Memory | None = None
    path: str = ""
    reason: str = ""
    message: str = ""
    hint: str = ""
    warnings: tuple[Caution, ...] = ()
    previous: Memory | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def exit_status(self) -> int:
        """The process's exit status."""
        return EXIT_STATUS[self.decision]

    @property
    def status(self) -> Status | None:
        """The status of the memory after the decision, ``None`` if none is left."""
        return None if self.memory is None or self.decision == "rejected" else self.memory.status


@dataclass(frozen=True, slots=True)
class Founding:
    """What ``init`` made or found.

    :ivar created: there was no memdir before.
    :ivar path: absolute path of the project memdir.
    :ivar repository: the repository id that it carries.
    :ivar origin: where that id came from, for people.
    :ivar replaced: the id that it carried before, ``""`` if it did not change.
    :ivar user: the user's id, ``""`` if there is no place for a user memdir.
    """

    created: bool
    path: str
    repository: str
    origin: str
    replaced: str
    user: str
    outside_git: bool
