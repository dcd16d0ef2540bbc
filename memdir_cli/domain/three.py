"""Three: a memory as it was and as two sides have it, and the keys in which they cannot contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from memdir_cli.domain import times
from memdir_cli.domain.content import voices
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.union import woven
from memdir_cli.shapes import dataclass, replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Three:
    """A memory as it was before two sides changed it, and as each of them has it.

    :ivar base: ``None`` where the sides have no common past.
    """

    base: Memory | None
    ours: Memory
    theirs: Memory

    def choose(self, read: Callable[[Memory], T], tie: Callable[[T, T], T]) -> T:
        """What holds of one thing: the side that changed it; ``tie`` decides where both did."""
        ours, theirs = read(self.ours), read(self.theirs)
        if ours == theirs:
            return ours
        if self.base is not None and read(self.base) in (ours, theirs):
            return theirs if read(self.base) == ours else ours
        return tie(ours, theirs)

    def keeps(self, side: Memory) -> bool:
        """Whether a side says what the base said."""
        return self.base is not None and voices(side).keys() == voices(self.base).keys()


def first(three: Three) -> Memory:
    """The side whose id stays: the one that was there first."""
    return min(three.ours, three.theirs, key=lambda memory: (times.order(memory.created_at), memory.id))


def dated(three: Three) -> Memory:
    """The keys that neither speak nor judge."""
    latest = partial(max, key=lambda when: (times.order(when), when))

    def choose(name: str, tie: Callable[[str, str], str]) -> str:
        return three.choose(lambda memory: str(getattr(memory, name)), tie)

    return replace(
        first(three),
        predicate=choose("predicate", min),
        name=choose("name", max),
        updated_at=latest(three.ours.updated_at, three.theirs.updated_at),
        verified_at=latest(three.ours.verified_at, three.theirs.verified_at),
        review_after=choose("review_after", latest),
        expires_at=choose("expires_at", latest),
        supersedes=choose("supersedes", max),
        superseded_by=choose("superseded_by", max),
        rival=choose("rival", max),
        extra=_extra(three),
    )


def evidence(three: Three) -> tuple[tuple[Evidence, ...], bool]:
    """What the merged memory depends on, and whether the sides disagree about what that is."""
    sets = three.choose(lambda memory: (frozenset(_probes(memory)),), lambda one, other: (*one, *other))
    differs = len(sets) > 1
    kept = frozenset[str]().union(*sets)
    probes = [probe for probe in woven(_probes(three.ours), _probes(three.theirs), str) if probe in kept]
    newer = max(three.ours, three.theirs, key=lambda memory: (times.order(memory.verified_at), memory.verified_at))
    decided = times.order(three.ours.verified_at) != times.order(three.theirs.verified_at)

    def later(one: Evidence | None, other: Evidence | None) -> Evidence | None:
        if one is None or other is None:
            return one or other
        chosen = {id(three.ours): one, id(three.theirs): other}[id(newer)]
        return chosen if decided else max(one, other, key=lambda entry: (entry.hash, entry.was))

    entries = (three.choose(partial(_entry, probe=probe), later) for probe in probes)
    return tuple(entry for entry in entries if entry is not None), differs


def _probes(memory: Memory) -> tuple[str, ...]:
    return tuple(one.probe for one in memory.depends_on)


def _entry(memory: Memory, *, probe: str) -> Evidence | None:
    return next((one for one in memory.depends_on if one.probe == probe), None)


def _extra(three: Three) -> dict[str, object]:
    """The keys that are not memdir's: of the side that changed them, of the newer one where both did."""

    def changed(memory: Memory) -> tuple[int, str]:
        return (times.order(memory.updated_at), repr(sorted(memory.extra.items())))

    older, newer = sorted((three.ours, three.theirs), key=changed)
    found: dict[str, object] = {}
    for name in dict.fromkeys((*older.extra, *newer.extra)):
        latest = newer.extra.get(name, older.extra.get(name))
        kept = three.choose(partial(_key, name=name), partial(_always, latest))
        if kept is not None:
            found[name] = kept
    return found


def _key(memory: Memory, *, name: str) -> object:
    return memory.extra.get(name)


def _always(value: T, _one: T, _other: T) -> T:
    return value
