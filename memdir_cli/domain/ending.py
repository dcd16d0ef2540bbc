"""Ending: what a user lets go of.

A memory stays readable in history, with a link where another took its place; of a candidate nothing stays.
"""

from __future__ import annotations

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.plan import Plan
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Kind, Source, merge
from memdir_cli.shapes import replace


def end(record: Record, successor: Memory | None, source: Source, message: str) -> Plan:
    """The record goes to history: expired, or superseded where ``successor`` is named.

    :param source: the user's word, which joins the sources.
    :param message: full id of the message, for the receipt.
    """
    memory = replace(record.memory, source=merge(record.memory.source, source))
    if successor is None:
        memory = replace(memory, status="expired", status_reason="expired: a user ended it")
    else:
        reason = f"superseded: by {successor.ref} (`{successor.predicate}`)"
        memory = replace(memory, status="superseded", status_reason=reason, superseded_by=successor.ref)
    event = Event("expired", memory, actor=source.kind, message=message)
    return Plan("expired", memory, ChangeSet((Write(memory, record),), (record,), (event,)))


def reject(candidate: Record, actor: Kind, message: str) -> Plan:
    """The candidate goes away; the receipt keeps digests of what it said and of its sources.

    :param message: full id of the message, for the receipt.
    """
    event = Event("rejected", candidate.memory, actor=actor, message=message)
    return Plan("rejected", candidate.memory, ChangeSet(removes=(candidate,), events=(event,)))
