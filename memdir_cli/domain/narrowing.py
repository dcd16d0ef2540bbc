"""Narrowing: what held somewhere wide holds from now on in a narrower place, and nowhere else.

The narrower memory is one of its own. The wide one goes to history; a side leaves its conflict; a candidate, which
never held, leaves the inbox.
"""

from __future__ import annotations

from collections.abc import Callable

from memdir_cli.domain import conflict, glob, version_range
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Decided, Event
from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.plan import Judged, Plan
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Qualification
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Wide:
    """What is narrowed: a record, or one side of a conflicted one.

    :ivar memory: the record's memory, or the side as the memory that it would be.
    """

    record: Record
    side: Side | None = None

    @property
    def memory(self) -> Memory:
        """What is said too widely; its id and revision are those under which it goes to history."""
        whole = self.record.memory
        return whole if self.side is None else replace(conflict.side_as_memory(whole, self.side), id=self.side.id)


def narrower(scope: Scope, given: Qualification) -> Scope:
    """``scope`` with the constraints that were ``given``, each of which lies within what the scope has.

    :param given: with a path, a range and names that were read already.
    :raises UsageError: code ``not-narrower``, if one does not, or nothing changes.
    """
    if scope.path and given.path and not glob.within(given.path, scope.path):
        raise _wider("path", given.path, scope.path)
    if scope.topic and given.topic and fold(scope.topic) != fold(given.topic):
        raise _wider("topic", given.topic, scope.topic)
    standing = dict(scope.environment)
    for name, value in given.environment:
        if name in standing and fold(standing[name]) != fold(value):
            raise _wider(name, value, standing[name])
    if scope.version and given.version and not version_range.within(given.version, scope.version):
        raise _wider("version", given.version, scope.version)
    found = replace(
        scope,
        # of two ways to say the same, the one that stands stays
        path=_one_of(scope.path, given.path, glob.within),
        topic=scope.topic or given.topic or None,
        environment=tuple(sorted((dict(given.environment) | standing).items())),
        version=_one_of(scope.version, given.version, version_range.within),
    )
    if found == scope:
        raise UsageError(
            "Nothing would be narrower than it is.",
            code="not-narrower",
            hint="say where it holds: `--path`, `--topic`, `--env` or `--for-version`",
        )
    return found


def newcomer(wide: Memory, scope: Scope, memory_id: str, word: Source, now: str) -> Memory:
    """``wide`` as a memory of its own in ``scope``, on a user's ``word``; what is stale stays so."""
    stale = wide.status == "stale"
    return replace(
        wide,
        id=memory_id,
        scope=scope,
        status="stale" if stale else "verified",
        status_reason=wide.status_reason if stale else "",
        rival="",
        revision=1,
        authority="policy" if wide.authority == "policy" else "user",
        source=conflict.union(wide.source, (word,)),
        supersedes="" if wide.status == "candidate" else wide.ref,
        created_at=now,
        updated_at=now,
        verified_at=now,
    )


def carry_out(there: Plan, wide: Wide, said: Judged) -> Plan:
    """The plan that also ends the wide claim.

    :param there: what becomes of the narrower identity, as if its value had just been said there.
    """
    heir = there.memory
    ended = _ended(wide, heir, said)
    writes = tuple(_copied(write, wide) if write.memory is heir else write for write in there.changes.writes)
    changes = ChangeSet(
        (*writes, *ended.writes),
        (*there.changes.removes, *ended.removes),
        # the memory itself comes last
        (*ended.events, *there.changes.events),
    )
    decision: Decided = "narrowed" if there.decision in {"created", "superseded"} else there.decision
    return Plan(decision, heir, changes)


def _ended(wide: Wide, heir: Memory, said: Judged) -> ChangeSet:
    """The end of the wide claim, which ``heir`` takes over."""
    record, old = wide.record, wide.memory

    def told(past: Memory) -> Event:
        return Event("narrowed", past, heir.ref, said.source.kind, said.message)

    if wide.side is not None:
        past = conflict.loser(record.memory, wide.side, heir)
        left, kind = _left(record.memory, wide.side, said.now)
        event = Event(kind, left, record.memory.ref, said.source.kind, said.message)
        return ChangeSet((Write(past), Write(left, record)), events=(told(past), event))
    if old.status == "candidate":
        return ChangeSet(removes=(record,), events=(told(old),))
    reason = f"superseded: narrowed to {heir.ref}"
    past = replace(old, status="superseded", status_reason=reason, superseded_by=heir.ref)
    return ChangeSet((Write(past, record),), (record,), (told(past),))


def _one_of(standing: str | None, given: str | None, within: Callable[[str, str], bool]) -> str | None:
    if not (standing and given):
        return standing or given or None
    return standing if within(standing, given) else given


def _copied(write: Write, wide: Wide) -> Write:
    """A new file begins as a copy of the wide one, so that comments and unknown keys go along."""
    return replace(write, base=wide.record) if write.base is None and wide.side is None else write


def _left(old: Memory, side: Side, now: str) -> tuple[Memory, Decided]:
    """What is left of a conflict without ``side``; one that stands alone contradicts nobody any more."""
    rest = tuple(one for one in old.sides if one.id != side.id)
    if len(rest) > 1:
        memory = conflict.without(old, side)
        return replace(memory, revision=old.revision + 1, updated_at=now), "conflicted"
    said = [source.at for source in rest[0].source if source.kind == "user" and source.at]
    memory = replace(
        conflict.side_as_memory(old, rest[0]),
        status="verified",
        status_reason="",
        revision=old.revision + 1,
        supersedes=old.ref,
        updated_at=now,
        verified_at=max(said, default=old.verified_at),
    )
    return memory, "settled"


def _wider(name: str, wanted: str, standing: str) -> UsageError:
    return UsageError(
        f"It holds for {name} `{printable(standing)}`, and `{printable(wanted)}` is not known to lie within.",
        code="not-narrower",
        hint="`memdir remember` says it for another place, `memdir expire` ends it here",
    )
