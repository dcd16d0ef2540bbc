"""State: each memory as it stands now, or as it stood at a moment that the receipts tell of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from memdir_cli.domain.effective import NO_LIMITS, UNSEEN, Verdicts, effective
from memdir_cli.domain.health.facts import Known, Look, code_of
from memdir_cli.domain.health.replay import Name, Past, Standing
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.status import CURRENT, FOLDER

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
    own = told is not None and told.revision == memory.revision and told.status == memory.status
    looks = (Look(one.probe, verdicts[one].kind) for one in memory.depends_on if one in verdicts)
    return Known(
        record,
        judged.effective.status,
        code_of(judged.effective.reason),
        told.since if told is not None and own else "",
        unattributed,
        tuple(looks),
        memory.type in limits.get(record.layer, NO_LIMITS),
    )


def revisions(records: Iterable[Record]) -> Revisions:
    """Every revision of which a file is left."""
    return {(record.layer, record.memory.id, record.memory.revision): record.memory for record in records}


def stood(past: Past, known: Revisions, moment: str, limits: Limits) -> Iterator[Known | Standing]:
    """The memories of ``past``; those of which no file is left as the receipts tell them."""
    for name, told in past.living.items():
        memory = known.get((*name, told.revision))
        yield told if memory is None else _then(memory, told, name, moment, limits.get(name[0], NO_LIMITS))


def _then(memory: Memory, told: Standing, name: Name, moment: str, limits: Mapping[str, str]) -> Known:
    """``memory`` at ``moment``: with the status that it had, and what the clock said then. Evidence is not known."""
    same = told.status == memory.status
    verified = memory.verified_at if memory.verified_at <= moment else told.verified
    then = replace(memory, status=told.status, status_reason=memory.status_reason if same else "", verified_at=verified)
    served = "local/tasks" if memory.scope.level == "task" else "memories"
    folder = served if told.status in CURRENT else FOLDER[told.status]
    judged = effective(then, moment, UNSEEN, limits)
    record = Record(then, f"{folder}/{memory.id}.md", "", name[0])
    return Known(record, judged.status, code_of(judged.reason), told.since, limited=memory.type in limits)
