"""Referring: which record a REF names. A key, an id or unique prefix, ``id@revision``, or a path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import visibility
from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Side
from memdir_cli.domain.reference import named
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.status import Status
from memdir_cli.domain.text import printable
from memdir_cli.errors import PersonNeededError, RefusedError, UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store

Place = tuple[Store, Record]


def find(workplace: Workplace, ref: str, statuses: Iterable[Status], *, level: Level | None = None) -> Place:
    """The one record that ``ref`` names among those a verb can act on.

    :param statuses: what the verb can act on.
    :param level: the option ``--scope``, which narrows a key.
    :raises UsageError: code ``unknown-ref`` if there is none, with the nearest key.
    :raises PersonNeededError: if it names several, with the list.
    """
    wanted = frozenset(statuses)
    places = [place for place in _named(workplace, ref) if level in {None, place[1].memory.scope.level}]
    able = [place for place in places if place[1].memory.status in wanted]
    if len(able) == 1:
        if level is None and fold(ref) == fold(able[0][1].memory.predicate):
            _refuse_uncertain(workplace, ref, able[0][1])
        return able[0]
    if len(able) > 1:
        refs = "\n".join(f"  {record.memory.id}  {record.memory.status}  {where(record)}" for _, record in able)
        raise PersonNeededError(
            f"`{printable(ref)}` names {len(able)} memories.",
            hint=f"name one by its id:\n{refs}",
            ids=[record.memory.id for _, record in able],
        )
    if places:
        status = places[0][1].memory.status
        raise UsageError(
            f"`{printable(ref)}` is {status}; this verb acts on what is {' or '.join(sorted(wanted))}.",
            code="wrong-status",
            hint=f"memdir show {places[0][1].memory.id}",
        )
    _refuse_forgotten(workplace, ref)
    raise unknown(workplace, ref)


def where(record: Record) -> str:
    """Where a memory applies, its qualifiers too, for people."""
    scope = record.memory.scope
    return printable(" ".join((scope.text, *scope.qualifiers.split("\n"))).rstrip())


def find_side(workplace: Workplace, ref: str) -> tuple[Store, Record, Side] | None:
    """The side of a conflict in this place that ``ref`` names by its id or a prefix, ``None`` if it names none.

    :raises PersonNeededError: if it names several.
    """
    wanted = ref.lower()
    found = [
        (store, record, side)
        for store, record in _all(workplace)
        if record.current and workplace.is_here(record)
        for side in record.memory.sides
        if wanted and side.id.lower().startswith(wanted)
    ]
    found = [place for place in found if place[2].id.lower() == wanted] or found
    if len(found) > 1:
        sides = "\n".join(f"  {side.id}  {record.memory.predicate}" for _, record, side in found)
        raise PersonNeededError(
            f"`{printable(ref)}` names {len(found)} sides of conflicts.",
            hint=f"name one by its whole id:\n{sides}",
            ids=[side.id for _, _, side in found],
        )
    return found[0] if found else None


def _refuse_uncertain(workplace: Workplace, key: str, record: Record) -> None:
    """A key does not name the one record that can be read where another one may be the one that is meant."""
    for store in workplace.stores:
        for one in store.named(key).unreadable:
            raise PersonNeededError(
                f"`{printable(key)}` may be `{printable(one.path)}` of the {one.layer} memdir, which cannot be read.",
                hint=f"mend that file (`memdir check`), or name the other one: {record.memory.id}",
                ids=[record.memory.id],
            )


def anywhere(workplace: Workplace, ref: str, *, level: Level | None = None, copies: bool = False) -> Place | None:
    """The one record that ``ref`` names in any folder, history and quarantine included; ``None`` for nothing.

    :param copies: look at files too that nothing serves because their memory is in quarantine.
    :raises PersonNeededError: if it names several.
    """
    places: list[tuple[Store, Judged]] = []
    for store in workplace.stores:
        snapshot = store.snapshot()
        for record in (*snapshot.records, *(snapshot.copies if copies else ())):
            judged = resolving.judge(record, workplace.runtime)
            if level in {None, record.memory.scope.level} and not visibility.another_users(judged):
                places.append((store, judged))
    found = named(ref, [judged for _, judged in places], lambda record, typed: lies_at(workplace, record, typed))
    return next(((store, found.record) for store, judged in places if judged is found), None) if found else None


def lies_at(workplace: Workplace, record: Record, typed: str) -> bool:
    """Whether the file of a record is the one at a path as it was typed: of the memdir, or of the file system."""
    if typed == record.path:
        return True
    root = next(store.root for store in workplace.stores if store.layer == record.layer)
    return os.path.realpath(os.path.join(workplace.cwd, typed)) == os.path.realpath(os.path.join(root, record.path))


def unknown(workplace: Workplace, ref: str) -> UsageError:
    """The error for a REF that names nothing; it tells the nearest key, or that the same key holds elsewhere."""
    near = nearest(workplace, ref)
    hint = f"did you mean `{near}`?" if near else "memdir list --all"
    if near and fold(near) == fold(ref):
        hint = f"it is remembered in another scope; memdir explain {near}"
    return UsageError(f"Nothing is remembered as `{printable(ref)}`.", code="unknown-ref", hint=hint)


def nearest(workplace: Workplace, key: str) -> str:
    """The key of this runtime that looks most like ``key``, ``""`` if none does."""
    keys = {record.memory.predicate for _, record in _all(workplace)}
    by_fold = {fold(name): name for name in keys}
    close = get_close_matches(fold(key), sorted(by_fold), n=1, cutoff=0.6)
    return by_fold[close[0]] if close else ""


def _named(workplace: Workplace, ref: str) -> Iterator[Place]:
    by_key = [place for place in _by_key(workplace, ref) if workplace.is_here(place[1])]
    found = by_key or _by_id(workplace, ref)
    if not found and ("/" in ref or ref.endswith(".md")):
        found = list(_by_path(workplace, ref))
    yield from found


def _by_key(workplace: Workplace, key: str) -> Iterator[Place]:
    for store in workplace.stores:
        for record in store.find(key, _acted_on(store)):
            if record.memory.subject in workplace.runtime.subjects:
                yield store, record


def _by_id(workplace: Workplace, ref: str) -> list[Place]:
    memory_id, _, revision = ref.lower().partition("@")
    if not memory_id:
        return []
    found = [
        place
        for place in _all(workplace)
        if place[1].memory.id.lower().startswith(memory_id) and revision in {"", str(place[1].memory.revision)}
    ]
    return [place for place in found if place[1].memory.id.lower() == memory_id] or found


def _by_path(workplace: Workplace, ref: str) -> Iterator[Place]:
    whole = os.path.realpath(os.path.join(workplace.cwd, ref))
    for store, record in _all(workplace):
        if ref == record.path or whole == os.path.realpath(store.absolute(record.path)):
            yield store, record


def _all(workplace: Workplace) -> Iterator[Place]:
    for store in workplace.stores:
        for record in store.snapshot(_acted_on(store)).records:
            if record.memory.subject in workplace.runtime.subjects:
                yield store, record


def _refuse_forgotten(workplace: Workplace, ref: str) -> None:
    """What was forgotten and lies about again is named by nothing; whoever means it learns why.

    :raises RefusedError: code ``forgotten``.
    """
    for store in workplace.stores:
        for record in store.snapshot(_acted_on(store)).returned:
            memory = record.memory
            if fold(ref) == fold(memory.predicate) or ref in {memory.id, record.path, store.absolute(record.path)}:
                raise RefusedError(
                    f"`{printable(ref)}` was forgotten; its file is there again, and nothing uses it.",
                    code="forgotten",
                    hint="`memdir check --fix` takes it out; `memdir remember KEY VALUE --after-forget` says it anew",
                )


def _acted_on(store: Store) -> tuple[str, ...]:
    """Every folder but history: verbs act on what stands or waits."""
    return tuple(folder for folder in layout.memory_folders(store.layer) if folder != layout.HISTORY)
