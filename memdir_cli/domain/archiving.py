"""Archiving: what lies cold is put away, kept whole, and can be taken back. It is not forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from memdir_cli.domain import times
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.event import Decided, Event
from memdir_cli.domain.incident import derived
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.plan import Plan
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.status import USABLE, Status
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace

#: Why a memory counts as cold.
Cold = Literal["unused", "source-gone", "scope-gone"]

#: How another memory may refer to one; that both came from one place refers to nothing.
REFERRING = frozenset({"supersedes", "superseded-by", "rival", "mentions"})


@dataclass(frozen=True, slots=True)
class Chill:
    """A memory that is cold, and why.

    :ivar since: the last time that anybody said, confirmed, changed or was shown it.
    """

    record: Record
    cold: Cold
    since: str
    sentence: str

    def document(self) -> Document:
        """The mapping of ``--json``: no content."""
        memory = self.record.memory
        return {
            "id": memory.id,
            "revision": memory.revision,
            "key": memory.predicate,
            "scope": memory.scope.text,
            "memdir": self.record.layer,
            "reason": self.cold,
            "since": self.since or None,
            "message": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class ArchiveAnswer:
    """What is cold, and what of it was put away.

    :ivar archived: whether it was, or only looked for.
    """

    cold: tuple[Chill, ...] = ()
    archived: bool = False
    warnings: tuple[Caution, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "decision": "archived" if self.archived else "listed",
            "cold": [one.document() for one in self.cold],
            "dryRun": not self.archived,
            "warnings": [{"code": one.code, "message": one.message} for one in self.warnings],
        }


def archive(record: Record, why: str, *, actor: str, message: str, vouched: bool) -> Plan:
    """The record goes to the archive.

    :param why: a sentence.
    :param message: full id of the message, for the receipt.
    :param vouched: receipts support it as it stands; otherwise no receipt may do so from now on.
    """
    memory = replace(record.memory, status="archived", status_reason=f"archived: {why}")
    return _moved("archived", memory, record, Event("archived", memory, "", actor, message, vouched))


def restore(record: Record, status: Status, *, actor: str, message: str, vouched: bool) -> Plan:
    """The record goes back among the memories, no better than it was.

    :param status: what it was before, ``verified`` or ``stale``.
    """
    reason = "" if status == "verified" else "restored: it was not verified when it was archived"
    memory = replace(record.memory, status=status, status_reason=reason)
    return _moved("restored", memory, record, Event("restored", memory, "", actor, message, vouched))


def status_before(recorded: Iterable[Claim]) -> Status:
    """What a memory was before it was archived, by its receipts; ``stale`` where they do not say that it was good.

    :param recorded: the claims of its id, in the order of the receipts.
    """
    found: Status = "stale"
    for claim in sorted(recorded, key=lambda one: one.at):
        if claim.status in USABLE:
            found = claim.status
    return found


def cold(
    judged: Iterable[Judged], span: str, now: str, shown: Mapping[str, str], verdicts: Verdicts, gone: frozenset[str]
) -> tuple[Chill, ...]:
    """The memories of which nothing was heard for ``span``: nobody said, confirmed or changed them, and then either
    nobody was shown them, or what they depend on or the place for which they hold is gone.

    A policy is never cold.

    :param shown: by id, when each was last shown to an agent.
    :param verdicts: what a look at the workspace says of their evidence.
    :param gone: paths of the records of which the place is gone.
    """
    limit = times.ago(span, now)
    found = []
    for one in judged:
        memory = one.memory
        heard = _heard(memory)
        if memory.status not in USABLE or memory.authority == "policy" or times.order(heard) >= times.order(limit):
            continue
        chill = _chill(one.record, heard, shown.get(memory.id, ""), limit, verdicts, gone)
        if chill is not None:
            found.append(chill)
    return tuple(sorted(found, key=lambda one: (one.record.layer, one.record.path)))


def referrers(record: Record, others: Iterable[Record]) -> tuple[Caution, ...]:
    """Who still refers to a memory that is put away."""
    current = [one for one in others if one.current]
    standing = {one.memory.id: one.memory for one in current}
    found = derived(record.memory.id, [record], current)
    told = {one.id: one.relation for one in found if one.relation in REFERRING}
    return tuple(
        Caution("referred", f"`{standing[memory_id].predicate}` ({memory_id}) still refers to it ({relation}).")
        for memory_id, relation in sorted(told.items())
    )


def _moved(decided: Decided, memory: Memory, record: Record, event: Event) -> Plan:
    return Plan(decided, memory, ChangeSet((Write(memory, record),), (record,), (event,)))


def _heard(memory: Memory) -> str:
    """The last time that anything was said of it."""
    said = (source.at for source in memory.source)
    return max((memory.created_at, memory.updated_at, memory.verified_at, *said), key=times.order)


def _chill(
    record: Record, heard: str, shown: str, limit: str, verdicts: Verdicts, gone: frozenset[str]
) -> Chill | None:
    since = max(heard, shown, key=times.order)
    seen = [verdicts[one] for one in record.memory.depends_on if one in verdicts]
    if record.path in gone:
        return Chill(record, "scope-gone", since, f"`{record.memory.scope.path}` is not there any more")
    if seen and all(one.kind == "removed" or one.absent for one in seen):
        return Chill(record, "source-gone", since, "everything that it depends on is gone")
    if times.order(since) < times.order(limit):
        return Chill(record, "unused", since, f"no read of it is logged since {since[:10] or 'it was made'}")
    return None
