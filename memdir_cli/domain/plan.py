"""Plan: the changes that carry out a decision. Pure: times and ids are given."""

from __future__ import annotations

from memdir_cli.domain import conflict, times
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.decision import Verdict
from memdir_cli.domain.event import Decided, Event
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source, merge, rank
from memdir_cli.shapes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged statement on its way into the memdir.

    :ivar memory: it as a memory of its own, with an id of its own; its status says what the gate allows.
    :ivar believed: the gate lets it verify and replace.
    :ivar ids: spare ids, for the sides of a conflict.
    :ivar message: full id of the message, for the receipt.
    :ivar word: who says it now, where the memory brings other sources along.
    """

    memory: Memory
    believed: bool
    ids: tuple[str, str]
    now: str
    message: str = ""
    word: Source | None = None

    @property
    def source(self) -> Source:
        """Who says it now: the one source that a statement has."""
        return self.word or self.memory.source[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """The memory after the decision, and the changes that make it so."""

    decision: Decided
    memory: Memory
    changes: ChangeSet


def carry_out(verdict: Verdict, record: Record | None, statement: Judged, waiting: tuple[Record, ...]) -> Plan:
    """The plan for a verdict that writes.

    :param record: the current record of the identity.
    :param waiting: candidates of the same identity in the inbox.
    """
    if verdict.outcome == "created":
        return _create(statement, waiting)
    assert record is not None
    if verdict.outcome == "confirmed":
        return _confirm(record, statement, waiting)
    if verdict.outcome == "superseded":
        return _supersede(record, statement, waiting)
    if verdict.outcome == "conflicted":
        return _conflict(record, statement)
    return _wait(record, statement, waiting)


def _create(statement: Judged, waiting: tuple[Record, ...]) -> Plan:
    same = _same(statement, waiting)
    if same is None:
        return _plan("created", statement.memory, statement, writes=(Write(statement.memory),))
    if not statement.believed:
        return _heard_again(same, statement)
    # the user says what a candidate said: the candidate becomes the memory, nothing is doubled
    memory = replace(
        statement.memory,
        id=same.memory.id,
        revision=same.memory.revision,
        created_at=same.memory.created_at,
        extra=same.memory.extra,
        body=statement.memory.body or same.memory.body,
    )
    memory, removes = _absorbed(memory, statement, waiting)
    return _plan("created", memory, statement, writes=(Write(memory, same),), removes=removes)


def _wait(record: Record, statement: Judged, waiting: tuple[Record, ...]) -> Plan:
    same = _same(statement, waiting)
    if same is not None:
        heard = _heard_again(same, statement)
        return replace(heard, decision="needs_decision")
    reason = f"rival: contradicts {record.memory.ref}"
    memory = replace(
        statement.memory, status="candidate", status_reason=reason, rival=record.memory.ref, verified_at=""
    )
    return _plan("needs_decision", memory, statement, writes=(Write(memory),))


def _heard_again(same: Record, statement: Judged) -> Plan:
    memory = replace(same.memory, source=merge(same.memory.source, statement.source))
    return _plan("confirmed", memory, statement, writes=(Write(memory, same),))


def _confirm(record: Record, statement: Judged, waiting: tuple[Record, ...]) -> Plan:
    standing = record.memory
    authority = min(standing.authority, statement.memory.authority, key=rank)
    memory = replace(
        standing,
        source=merge(standing.source, statement.source),
        authority=authority if statement.believed else standing.authority,
        verified_at=statement.now if statement.believed else standing.verified_at,
    )
    memory, removes = _absorbed(memory, statement, waiting)
    return _plan("confirmed", memory, statement, writes=(Write(memory, record),), removes=removes)


def _supersede(record: Record, statement: Judged, waiting: tuple[Record, ...]) -> Plan:
    old, new = record.memory, statement.memory
    memory = replace(
        new,
        id=old.id,
        name=old.name,
        revision=old.revision + 1,
        supersedes=old.ref,
        created_at=old.created_at,
        body=new.body if new.body or new.none or old.sides else old.body,
        expires_at=new.expires_at or _still_ahead(old.expires_at, statement.now),
        review_after=new.review_after or _still_ahead(old.review_after, statement.now),
        extra=old.extra,
    )
    memory, removes = _absorbed(memory, statement, waiting)
    writes = (*_to_history(record, memory), Write(memory, record))
    return _plan("superseded", memory, statement, writes=writes, removes=removes, previous=old.ref)


def _absorbed(memory: Memory, statement: Judged, waiting: tuple[Record, ...]) -> tuple[Memory, tuple[Record, ...]]:
    """``memory`` with the sources of the candidates that said the same, and those candidates.

    What a user has said need not wait for one any more.
    """
    if not statement.believed:
        return memory, ()
    same = tuple(record for record in waiting if same_value(record.memory, memory))
    sources: tuple[Source, ...] = ()
    for source in (*(one for record in same for one in record.memory.source), *memory.source):
        sources = merge(sources, source)
    return replace(memory, source=sources), same


def _to_history(record: Record, successor: Memory) -> tuple[Write, ...]:
    old = record.memory
    if old.sides:
        return tuple(Write(conflict.loser(old, side, successor)) for side in old.sides)
    past = replace(
        old,
        status="superseded",
        status_reason=f"superseded: by {successor.ref}",
        superseded_by=successor.ref,
    )
    return (Write(past, record),)


def _conflict(record: Record, statement: Judged) -> Plan:
    if record.memory.sides:
        memory = conflict.add_side(record.memory, statement.memory, statement.ids[0], statement.now)
    else:
        memory = conflict.open_conflict(record.memory, statement.memory, statement.ids, statement.now)
    return _plan("conflicted", memory, statement, writes=(Write(memory, record),), previous=record.memory.ref)


def settle(record: Record, keep: str, source: Source, now: str, message: str) -> Plan:
    """End a conflict: the side ``keep`` becomes the value, the others go to history."""
    old = record.memory
    side = next(side for side in old.sides if side.id == keep)
    memory = replace(
        conflict.side_as_memory(old, side),
        status="verified",
        status_reason="",
        revision=old.revision + 1,
        supersedes=old.ref,
        source=merge(side.source, source),
        updated_at=now,
        verified_at=now,
    )
    losers = tuple(Write(conflict.loser(old, one, memory)) for one in old.sides if one.id != keep)
    event = Event("settled", memory, previous=old.ref, actor=source.kind, message=message)
    return Plan("settled", memory, ChangeSet((*losers, Write(memory, record)), events=(event,)))


def confirm(
    record: Record,
    standing: Record | None,
    evidence: tuple[Evidence, ...],
    source: Source,
    now: str,
    message: str,
) -> Plan:
    """A user's word for a memory: a candidate moves among the memories, a standing one is verified anew.

    :param standing: the current record of a candidate's identity, which says the same; merged with it.
    :param evidence: what the memory depends on, looked at now; other probes make a new revision.
    """
    target = standing or record
    old = target.memory
    memory = replace(
        old,
        depends_on=evidence,
        status="verified",
        status_reason="",
        rival="",
        authority=min(old.authority, "user", key=rank),
        source=merge(_all_sources(target, record), source),
        verified_at=now,
        # a review that was due has taken place
        review_after=_still_ahead(old.review_after, now),
    )
    past: tuple[Write, ...] = ()
    if old.status != "candidate" and [one.probe for one in evidence] != [one.probe for one in old.depends_on]:
        memory = replace(memory, revision=old.revision + 1, supersedes=old.ref, updated_at=now)
        past = _to_history(target, memory)
    event = Event("confirmed", memory, previous=old.ref if past else "", actor=source.kind, message=message)
    # also a file of the inbox whose status somebody set by hand
    removes = (record,) if record.folder == "inbox" else ()
    return Plan("confirmed", memory, ChangeSet((*past, Write(memory, target)), removes, (event,)))


def replace_ended(
    ended: Record, candidate: Record, evidence: tuple[Evidence, ...], source: Source, now: str, message: str
) -> Plan:
    """A user's word for a ``candidate`` in whose place a memory stands that the clock has ended."""
    said = replace(
        candidate.memory,
        depends_on=evidence,
        status="verified",
        status_reason="",
        rival="",
        authority=min(candidate.memory.authority, "user", key=rank),
        source=merge(candidate.memory.source, source),
        updated_at=now,
        verified_at=now,
    )
    carried = _supersede(ended, Judged(said, True, ("", ""), now), (candidate,))
    event = Event("confirmed", carried.memory, previous=ended.memory.ref, actor=source.kind, message=message)
    return Plan("confirmed", carried.memory, replace(carried.changes, events=(event,)))


def _still_ahead(when: str, now: str) -> str:
    """``when``, or ``""`` if it is over."""
    return when if when and not times.passed(when, now) else ""


def _all_sources(target: Record, record: Record) -> tuple[Source, ...]:
    sources = target.memory.source
    if target is not record:
        for source in record.memory.source:
            sources = merge(sources, source)
    return sources


def _same(statement: Judged, waiting: tuple[Record, ...]) -> Record | None:
    return next((record for record in waiting if same_value(record.memory, statement.memory)), None)


def _plan(
    decision: Decided,
    memory: Memory,
    statement: Judged,
    *,
    writes: tuple[Write, ...],
    removes: tuple[Record, ...] = (),
    previous: str = "",
) -> Plan:
    event = Event(decision, memory, previous, actor=statement.source.kind, message=statement.message)
    absorbed = [
        Event("absorbed", one.memory, memory.ref, statement.source.kind, statement.message)
        for one in removes
        if one.memory.id != memory.id
    ]
    # the memory itself comes last: of one moment, the last receipt of an id is the one that holds
    return Plan(decision, memory, ChangeSet(writes, removes, (*absorbed, event)))
