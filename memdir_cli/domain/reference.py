"""Reference: which memory a REF names when it is only to be read. Everything may be named, also history.

A key, an id or unique prefix, ``id@revision``, or a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memdir_cli.domain import visibility
from memdir_cli.domain.identity import fold
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.errors import PersonNeededError


def named(ref: str, judged: Iterable[Judged], lies_at: Callable[[Record, str], bool]) -> Judged | None:
    """The one memory that ``ref`` names, ``None`` if it names nothing.

    :param lies_at: whether a record's file is the one at a path as it was typed.
    :raises PersonNeededError: if it names several, with the list.
    """
    everything = list(judged)
    found = _by_key(ref, everything) or _by_id(ref, everything)
    if not found and ("/" in ref or ref.endswith(".md")):
        found = [one for one in everything if lies_at(one.record, ref)]
    if len(found) > 1:
        raise PersonNeededError(
            f"`{printable(ref)}` names {len(found)} memories.",
            hint="name one by its id:\n" + "\n".join(f"  {_line(one)}" for one in found),
            ids=[one.memory.id for one in found],
            refs=[one.memory.ref for one in found],
        )
    return found[0] if found else None


def _by_key(ref: str, judged: Sequence[Judged]) -> list[Judged]:
    """Of the memories of a key in this place: those in the current view, else those that wait, else the past."""
    here = [one for one in judged if fold(one.memory.predicate) == fold(ref) and visibility.here(one)]
    return [one for one in here if one.servable] or _standing(here)


def _by_id(ref: str, judged: Sequence[Judged]) -> list[Judged]:
    memory_id, _, revision = ref.lower().partition("@")
    if not memory_id:
        return []
    matching = [one for one in judged if one.memory.id.startswith(memory_id)]
    exact = [one for one in matching if one.memory.id == memory_id]
    matching = exact or matching
    if revision:
        return [one for one in matching if str(one.memory.revision) == revision]
    return _standing(matching)


def _standing(judged: Sequence[Judged]) -> list[Judged]:
    """Those outside history; where an id has only a past, its latest revision."""
    present = [one for one in judged if one.record.folder != "history"]
    latest: dict[str, Judged] = {}
    for one in judged:
        known = latest.get(one.memory.id)
        if known is None or known.memory.revision < one.memory.revision:
            latest[one.memory.id] = one
    return present or list(latest.values())


def _line(one: Judged) -> str:
    memory = one.memory
    return f"{memory.ref}  {printable(memory.predicate)}  {one.effective.status}  {printable(memory.scope.text)}"
