"""explain: every contender for a key, and the rule that decided about it."""

from __future__ import annotations

from memdir_cli.domain import listing, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.doubt import UNATTRIBUTED, obscured
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.identity import parse_predicate
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.reading import ExplainAnswer
from memdir_cli.domain.resolve import Judged, Resolution
from memdir_cli.domain.scope import Level
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout


def explain(
    workplace: Workplace,
    key: str,
    level: Level | None = None,
    *,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
) -> ExplainAnswer:
    """Every contender for ``key``: what waits, is quarantined, expired or archived is named with its reason.

    :param level: look at this level only.
    :raises UsageError: if ``key`` is not one.
    """
    predicate = parse_predicate(key)
    runtime = workplace.runtime
    if ignored:
        return ExplainAnswer(predicate, runtime.now, resolving.contest(()), ignored=True)
    seen = looks(workplace) if verdicts is None else verdicts
    snapshots = [store.named(predicate, layout.memory_folders(store.layer)) for store in workplace.stores]
    found = [
        resolving.judge(record, runtime, seen)
        for snapshot in snapshots
        for record in snapshot.records
        if level is None or level == record.memory.scope.level
    ]
    told = [listing.veiled(one) for one in found if not visibility.another_users(one)]
    resolution = resolving.contest(_contenders(told))
    near = "" if resolution.contenders else _nearest(workplace, predicate)
    warnings = (*_unattributed(workplace, resolution), *obscured(snapshots))
    return ExplainAnswer(predicate, runtime.now, resolution, nearest=near, warnings=warnings)


def _contenders(judged: list[Judged]) -> list[Judged]:
    """What contends or might: the past does not, but for an expired memory that nothing has replaced."""
    present = [one for one in judged if one.record.folder != "history"]
    taken = {one.memory.identity.key for one in present}
    ended: dict[tuple[str, ...], Judged] = {}
    for one in judged:
        key = one.memory.identity.key
        if one.record.folder == "history" and one.effective.status == "expired" and key not in taken:
            known = ended.get(key)
            if known is None or known.memory.revision < one.memory.revision:
                ended[key] = one
    return [*present, *ended.values()]


def _unattributed(workplace: Workplace, resolution: Resolution) -> tuple[Caution, ...]:
    contending = [one.judged for one in resolution.contenders if one.judged.contends]
    codes = [
        (one.memory.id, store.unattributed(one.record))
        for store in workplace.stores
        for one in contending
        if one.record.layer == store.layer
    ]
    return tuple(
        Caution("unattributed", f"`{memory_id}`: {UNATTRIBUTED.get(code, code)}") for memory_id, code in codes if code
    )


def _nearest(workplace: Workplace, key: str) -> str:
    judged = [
        resolving.judge(record, workplace.runtime)
        for store in workplace.stores
        for record in store.snapshot((layout.MEMORIES, layout.TASKS)).records
    ]
    return nearest(key, [one.memory.predicate for one in judged if visibility.in_view(one)])
