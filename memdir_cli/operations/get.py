"""get: the one value that applies now. Reads the files of that key and no others."""

from __future__ import annotations

from memdir_cli.domain import access as accessing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import visibility
from memdir_cli.domain.doubt import doubts, obscured
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.identity import fold, parse_predicate
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.reading import GetAnswer
from memdir_cli.domain.resolve import Judged, Resolution
from memdir_cli.domain.scope import Level
from memdir_cli.domain.text import printable
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage import access, layout


def get(
    workplace: Workplace,
    key: str,
    level: Level | None = None,
    *,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
    feeds: bool = True,
) -> GetAnswer:
    """The value of ``key`` that applies in this runtime.

    :param level: look at this level only.
    :param verdicts: what to believe of evidence instead of looking at the workspace.
    :param ignored: memory is not to be used; nothing is read.
    :param feeds: an agent reads it, so it is logged.
    :raises UsageError: if ``key`` is not one.
    """
    predicate = parse_predicate(key)
    now = workplace.runtime.now
    if ignored:
        return GetAnswer(predicate, now, reason="ignored", message="Memory is ignored in this call.")
    seen = looks(workplace) if verdicts is None else verdicts
    snapshots = [store.named(predicate) for store in workplace.stores]
    found = [
        judged
        for snapshot in snapshots
        for record in snapshot.records
        if (level is None or level == record.memory.scope.level)
        and not visibility.another_users(judged := resolving.judge(record, workplace.runtime, seen))
    ]
    resolution = resolving.contest(found)
    answer = _answer(workplace, predicate, resolution, level)
    answer = replace(answer, warnings=(*answer.warnings, *obscured(snapshots)))
    if feeds:
        access.note(workplace.stores, accessing.of_resolution("get", workplace.runtime, resolution))
    return answer


def _answer(workplace: Workplace, key: str, resolution: Resolution, level: Level | None) -> GetAnswer:
    now = workplace.runtime.now
    if resolution.verdict == "winner" and resolution.winner is not None:
        return _won(workplace, key, resolution.winner)
    if resolution.verdict == "conflict":
        return GetAnswer(
            key,
            now,
            opponents=resolution.opponents,
            reason="conflict",
            message=f"`{key}` is in conflict: ask which value holds.",
            hint=_settle(key, resolution.opponents),
        )
    if resolution.contenders:
        message = f"`{key}` is remembered, but nothing of it applies here."
        return GetAnswer(key, now, reason="not_applicable", message=message, hint=f"memdir explain {key}")
    return _unknown(workplace, key, level)


def _won(workplace: Workplace, key: str, winner: Judged) -> GetAnswer:
    store = next(store for store in workplace.stores if store.layer == winner.record.layer)
    warnings = doubts(winner, store.unattributed(winner.record))
    now, memory = workplace.runtime.now, winner.memory
    if memory.none:
        message = f"Nothing applies: `{memory.id}` says so for {printable(memory.scope.text)}."
        return GetAnswer(key, now, winner, reason="none", message=message, warnings=warnings)
    return GetAnswer(key, now, winner, warnings=warnings)


def _settle(key: str, opponents: tuple[Judged, ...]) -> str:
    sides = [side for one in opponents for side in one.memory.sides]
    if sides and len(opponents) == 1:
        memory = opponents[0].memory
        return f"memdir show {memory.id}; then memdir settle {memory.id} --keep SIDE-ID"
    return f"memdir explain {key}"


def _unknown(workplace: Workplace, key: str, level: Level | None) -> GetAnswer:
    """Nobody knows the key: name a waiting candidate, or the key that was probably meant."""
    runtime = workplace.runtime
    judged = [
        resolving.judge(record, runtime)
        for store in workplace.stores
        for record in store.snapshot((layout.MEMORIES, layout.TASKS, layout.INBOX)).records
    ]
    same = [one for one in judged if visibility.here(one) and fold(one.memory.predicate) == fold(key)]
    if any(visibility.in_view(one) for one in same):
        message = f"Nothing is remembered for `{key}` at level {level}."
        return GetAnswer(key, runtime.now, reason="not_found", message=message, hint=f"memdir explain {key}")
    waiting = [one for one in same if one.memory.status == "candidate"]
    if waiting:
        message = f"`{key}` is only a candidate so far; a person has to confirm it."
        hint = f"memdir show {waiting[0].memory.id}; then memdir confirm {waiting[0].memory.id}"
        return GetAnswer(key, runtime.now, reason="not_found", message=message, hint=hint)
    isolated = (record for store in workplace.stores for record in store.find(key, (layout.QUARANTINE,)))
    if any(visibility.here(resolving.judge(record, runtime)) for record in isolated):
        message = f"`{key}` is in quarantine; nobody is given it."
        return GetAnswer(key, runtime.now, reason="not_found", message=message, hint=f"memdir explain {key}")
    past = (record for store in workplace.stores for record in store.find(key, (layout.HISTORY,)))
    if any(visibility.here(resolving.judge(record, runtime)) for record in past):
        message = f"`{key}` is not remembered any more."
        return GetAnswer(key, runtime.now, reason="not_found", message=message, hint=f"memdir history {key}")
    near = nearest(key, [one.memory.predicate for one in judged if visibility.in_view(one)])
    hint = f"did you mean `{near}`? memdir get {near}" if near else "memdir list"
    message = f"Nothing is remembered for `{key}`."
    return GetAnswer(key, runtime.now, reason="not_found", message=message, hint=hint, nearest=near)
