"""The write table: what one statement does to the record of its identity (SPEC 3)."""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.conflict import side_that_says
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.source import Authority, rank
from memdir_cli.shapes import dataclass

Outcome = Literal["created", "confirmed", "superseded", "conflicted", "needs_decision", "revision_conflict", "refused"]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What the table needs to know of a statement beside its memory.

    :ivar memory: the statement as a memory of its own.
    :ivar believed: the gate lets it verify and replace.
    :ivar explicit: it says that it replaces what stood (``correct``, ``--replace``).
    :ivar may_set_policy: the speaker is one of ``policy.setters``.
    :ivar if_revision: the revision the caller read, ``None`` if not given, 0 for "there was none".
    :ivar details: it names a description, body, type or evidence other than the record's.
    :ivar record_expired: the clock has ended the record, which stands only until somebody moves it.
    """

    memory: Memory
    believed: bool
    explicit: bool = False
    may_set_policy: bool = False
    if_revision: int | None = None
    details: bool = False
    record_expired: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome and, where one is needed, its reason code."""

    outcome: Outcome
    reason: str = ""


def decide(record: Memory | None, newcomer: Newcomer) -> Verdict:
    """The decision for ``newcomer`` where ``record`` is the current memory of its identity."""
    current = record.revision if record else 0
    if newcomer.if_revision is not None and newcomer.if_revision != current:
        return Verdict("revision_conflict", "revision-changed")
    if record is None:
        return Verdict("created")
    if newcomer.record_expired:
        # it stands against nobody: what may not replace it waits beside it
        return Verdict("superseded") if newcomer.believed else Verdict("created")
    if record.status == "conflicted":
        return _against_sides(record, newcomer)
    if same_value(record, newcomer.memory):
        replaces = newcomer.explicit and newcomer.believed and newcomer.details
        return _replacing(newcomer, record.authority) if replaces else Verdict("confirmed")
    return _against_value(newcomer, record.authority)


def _against_sides(record: Memory, newcomer: Newcomer) -> Verdict:
    known = side_that_says(record, newcomer.memory)
    if known and not (newcomer.explicit and newcomer.believed):
        return Verdict("conflicted", "sides-disagree")
    return _against_value(newcomer, min((side.authority for side in record.sides), key=rank))


def _against_value(newcomer: Newcomer, standing: Authority) -> Verdict:
    """Another value than the one that stands with authority ``standing``."""
    if not newcomer.believed:
        return Verdict("needs_decision", "lower-authority")
    if newcomer.explicit:
        return _replacing(newcomer, standing)
    difference = rank(newcomer.memory.authority) - rank(standing)
    if difference < 0:
        return Verdict("superseded")
    if difference == 0:
        return Verdict("conflicted", "sides-disagree")
    return Verdict("needs_decision", "lower-authority")


def _replacing(newcomer: Newcomer, standing: Authority) -> Verdict:
    """A believed and explicit word against what stands; only its setters may change a policy."""
    if standing == "policy" and not newcomer.may_set_policy:
        return Verdict("refused", "policy-record")
    return Verdict("superseded")
