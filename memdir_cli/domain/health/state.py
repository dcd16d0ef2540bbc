"""State: each memory as it stands now, or as it stood at a moment that the receipts tell of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from memdir_cli.domain.effective import NO_LIMITS, UNSEEN, Verdicts, effective
from memdir_cli.domain.health.facts import Known, Look, code_of
from memdir_cli.domain.health.replay import Name, Past, Standing
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.status import CURRENT, FOLDER
from memdir_cli.shapes import replace

#: Per memdir: type to span.
Limits = Mapping[str, Mapping[str, str]]

#: Memories by memdir, id and revision.
Revisions = Mapping[tuple[Layer, str, int], Memory]


def standing(judged: Judged, past: Past, verdicts: Verdicts, limits: Limits, unattributed: str = "") -> Known:
    """A memory as it stands now.

    :param past: what the receipts say of now.
    :param verdicts: of its evidence, as far as it was looked at.
    """
    record, memory = judged.record, judged.memory
    told = past.living.get((record.layer, memory.id))
    own = told if told and (told.revision, told.status) == (memory.revision, memory.status) else None
    return Known(
        record,
        judged.effective.status,
        code_of(judged.effective.reason),
        own.since if own else "",
        unattributed,
        _looks(memory, verdicts),
        memory.type in limits.get(record.layer, NO_LIMITS),
    )


def revisions(records: Iterable[Record]) -> Revisions:
    """Every revision of which a file is left."""
    return {(record.layer, record.memory.id, record.memory.revision): record.memory for record in records}


def stood(
    past: Past,
    known: Revisions,
    moment: str,
    limits: Limits,
    seen: Mapping[Name, Verdicts] = MappingProxyType({}),
) -> Iterator[Known | Standing]:
    """The memories of ``past``; those of which no file is left as the receipts tell them.

    :param seen: what a look said of the evidence of each memory, where the look counts for then.
    """
    for name, told in past.living.items():
        memory = known.get((*name, told.revision))
        if memory is None:
            yield told
        else:
            yield _then(memory, told, moment, limits.get(name[0], NO_LIMITS), seen.get(name, UNSEEN))


def stock(past: Past, known: Revisions, moment: str, limits: Limits) -> Counter[str]:
    """How many memories of each status there were; as :func:`stood`, without the memories."""
    counted: Counter[str] = Counter()
    for name, told in past.living.items():
        memory = known.get((*name, told.revision))
        of_type = limits.get(name[0], NO_LIMITS)
        if memory is not None and (memory.expires_at or memory.review_after or memory.type in of_type):
            counted[_then(memory, told, moment, of_type, UNSEEN).status] += 1
        else:
            counted[told.status] += 1
    return counted


def _then(memory: Memory, told: Standing, moment: str, limits: Mapping[str, str], verdicts: Verdicts) -> Known:
    """``memory`` at ``moment``: with the status that it had, and what clock and evidence said then."""
    same = told.status == memory.status
    verified = memory.verified_at if memory.verified_at <= moment else told.verified
    then = replace(memory, status=told.status, status_reason=memory.status_reason if same else "", verified_at=verified)
    served = "local/tasks" if memory.scope.level == "task" else "memories"
    folder = served if told.status in CURRENT else FOLDER[told.status]
    judged = effective(then, moment, verdicts, limits)
    record = Record(then, f"{folder}/{memory.id}.md", "", told.layer)
    looks = _looks(memory, verdicts)
    return Known(record, judged.status, code_of(judged.reason), told.since, "", looks, memory.type in limits)


def _looks(memory: Memory, verdicts: Verdicts) -> tuple[Look, ...]:
    """What was looked at; what could not be looked at from here is unknown."""
    if verdicts is UNSEEN:
        return ()
    return tuple(Look(one.probe, verdicts[one].kind if one in verdicts else "unknown") for one in memory.depends_on)
