"""get: the one value that applies now. Reads the files of that key and no others."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import access as accessing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import visibility
from memdir_cli.domain.doubt import doubts, obscured
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.identity import parse_predicate
from memdir_cli.domain.nearest import near
from memdir_cli.domain.reading import GetAnswer
from memdir_cli.domain.resolve import Judged, Resolution
from memdir_cli.domain.scope import Level
from memdir_cli.domain.text import printable
from memdir_cli.operations.looking import Looks, looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage import access, layout

#: So many keys that are near to an unknown one are looked at, whether they are in view.
NEAR = 10


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
    answer = _answer(workplace, predicate, resolution, level, seen)
    answer = replace(answer, warnings=(*answer.warnings, *obscured(snapshots)))
    if feeds:
        access.note(workplace.stores, accessing.of_resolution("get", workplace.runtime, resolution))
    return answer


def _answer(workplace: Workplace, key: str, resolution: Resolution, level: Level | None, seen: Verdicts) -> GetAnswer:
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
    return _unknown(workplace, key, level, seen)


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


def _unknown(workplace: Workplace, key: str, level: Level | None, seen: Verdicts) -> GetAnswer:
    """Nobody knows the key: name a waiting candidate, or the key that was probably meant."""
    now = workplace.runtime.now
    same = _here(workplace, key, (layout.MEMORIES, layout.TASKS, layout.INBOX))
    if any(visibility.in_view(one) for one in same):
        message = f"Nothing is remembered for `{key}` at level {level}."
        return GetAnswer(key, now, reason="not_found", message=message, hint=f"memdir explain {key}")
    waiting = [one for one in same if one.memory.status == "candidate"]
    if waiting:
        message = f"`{key}` is only a candidate so far; a person has to confirm it."
        hint = f"memdir show {waiting[0].memory.id}; then memdir confirm {waiting[0].memory.id}"
        return GetAnswer(key, now, reason="not_found", message=message, hint=hint)
    if _here(workplace, key, (layout.QUARANTINE,)):
        message = f"`{key}` is in quarantine; nobody is given it."
        return GetAnswer(key, now, reason="not_found", message=message, hint=f"memdir explain {key}")
    if _here(workplace, key, (layout.HISTORY,)):
        message = f"`{key}` is not remembered any more."
        return GetAnswer(key, now, reason="not_found", message=message, hint=f"memdir history {key}")
    meant = _meant(workplace, key, seen)
    hint = f"did you mean `{meant}`? memdir get {meant}" if meant else "memdir list"
    message = f"Nothing is remembered for `{key}`."
    return GetAnswer(key, now, reason="not_found", message=message, hint=hint, nearest=meant)


def _here(workplace: Workplace, key: str, folders: Iterable[str]) -> list[Judged]:
    """The records of a key in some folders that belong to this user, repository and task."""
    records = (record for store in workplace.stores for record in store.find(key, folders))
    return [one for record in records if visibility.here(one := resolving.judge(record, workplace.runtime))]


def _meant(workplace: Workplace, key: str, seen: Verdicts) -> str:
    """The key in view that was probably meant, ``""`` if none is near. The names of the files tell keys well enough."""
    places = {store.layer: store.places((layout.MEMORIES, layout.TASKS)) for store in workplace.stores}
    for name in near(key, sorted(frozenset().union(*places.values())), NEAR):
        for store in workplace.stores:
            paths = places[store.layer].get(name, ())
            if isinstance(seen, Looks):
                seen.watch(*map(store.absolute, paths))
            found = store.sorted_out(one for path in paths if (one := store.read(path)) is not None)
            for record in found.records:
                if visibility.in_view(resolving.judge(record, workplace.runtime)):
                    return record.memory.predicate
    return ""
