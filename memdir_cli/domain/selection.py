"""Selection: what an agent may be given here, one entry a key, the most binding first.

What comes first is told by the memories and the question alone; how often a memory was given counts for nothing.

Beside what applies now stand rules that only another path or topic would bring in. A contradiction of
environment or version, or one that is not known to be satisfied, keeps a memory out altogether.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memdir_cli.domain import glob, precedence, times, view
from memdir_cli.domain.applies import MOVABLE, Dimension
from memdir_cli.domain.identity import fold
from memdir_cli.domain.resolve import Judged, Resolution, contest
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.shapes import dataclass, replace

Condition = tuple[str | None, str | None]  # path, topic

#: What a record waits for in words, ``None`` if that can not be.
Waits = tuple[str, ...] | None

#: What entries are ordered by.
Place = tuple[bool, int, bool, float, int, int, str, str, str]

#: By memdir and path, how well a memory fits what was asked for; 0 where it is not named.
Scores = Mapping[tuple[Layer, str], float]


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory as an agent is given it.

    :ivar conflict: its value is not told; a person must decide.
    :ivar when: what would have to hold for it to apply, in words; empty if it applies now.
    """

    judged: Judged
    conflict: bool = False
    when: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Everything an agent may be given, in order, and what was passed over by which rule."""

    entries: tuple[Entry, ...]
    passed: tuple[tuple[Record, str], ...] = ()


def select(judged: Iterable[Judged], scores: Scores | None = None) -> Selection:
    """Choose among all judged records of both memdirs.

    :param scores: among entries of equal precedence those that fit better what was asked for come first.
    """
    by_key: dict[str, list[Judged]] = {}
    for one in judged:
        by_key.setdefault(fold(one.memory.predicate), []).append(one)
    entries: list[Entry] = []
    passed: list[tuple[Record, str]] = []
    waits: dict[tuple[Scope, tuple[Dimension, ...]], Waits] = {}
    for group in by_key.values():
        # nothing need be compared where a key has one record, as nearly every one has
        entry = _alone(group[0], waits) if len(group) == 1 else None
        if entry is not None:
            entries.append(entry)
            continue
        now = contest(group)
        chosen = [*_applying(now), *_conditional(group)]
        entries += chosen
        given = {id(entry.judged.record) for entry in chosen}
        passed += [(one.judged.record, one.rule) for one in now.contenders if id(one.judged.record) not in given]
    return Selection(tuple(sorted(entries, key=_placing(scores))), tuple(passed))


def _alone(one: Judged, waits: dict[tuple[Scope, tuple[Dimension, ...]], Waits]) -> Entry | None:
    """The entry of the only record of a key, ``None`` where there is none.

    :param waits: by scope and what of it is not satisfied, what is known of both.
    """
    if not one.servable:
        return None
    conflict = one.effective.status == "conflicted"
    if not one.unmet:
        return Entry(one, conflict)
    known = (one.memory.scope, one.unmet)
    if known not in waits:
        condition = _condition(one)
        movable = all(gap.name in MOVABLE for gap in one.unmet) and _holds(one, condition)
        waits[known] = _told(condition) if movable else None
    when = waits[known]
    return None if when is None else Entry(replace(one, unmet=()), conflict, when)


def _told(condition: Condition) -> tuple[str, ...]:
    path, topic = condition
    return view.conditions(Scope("user", path=path, topic=topic))


def _applying(now: Resolution) -> list[Entry]:
    """The one entry of a key: what applies now, or that a person must decide."""
    if now.winner is not None:
        return [Entry(now.winner)]
    return [Entry(now.opponents[0], conflict=True)] if now.opponents else []


def _conditional(group: Sequence[Judged]) -> list[Entry]:
    """What would come first if the path or the topic were another one."""
    movable = [one for one in group if one.servable and all(gap.name in MOVABLE for gap in one.unmet)]
    conditions = {_condition(one): None for one in movable if one.unmet}
    return [entry for condition in conditions if (entry := _under(condition, movable)) is not None]


def _under(condition: Condition, movable: Sequence[Judged]) -> Entry | None:
    """The entry that ``condition`` brings in, ``None`` if what applies anyway comes before it."""
    field = [replace(one, unmet=()) for one in movable if _holds(one, condition)]
    result = contest(field)
    first = (result.winner,) if result.winner is not None else result.opponents
    bound = {id(one.record) for one in movable if _condition(one) == condition}
    mine = next((one for one in first if id(one.record) in bound), None)
    if mine is None:
        return None
    return Entry(mine, result.winner is None, _told(condition))


def _condition(one: Judged) -> Condition:
    """The path and the topic that a record waits for; ``None`` where it waits for none."""
    gaps = {gap.name for gap in one.unmet}
    scope = one.memory.scope
    return (scope.path if "path" in gaps else None, scope.topic if "topic" in gaps else None)


def _holds(one: Judged, condition: Condition) -> bool:
    """Whether a record applies wherever ``condition`` holds, as far as the scopes alone can tell."""
    path, topic = condition
    scope, (missing_path, missing_topic) = one.memory.scope, _condition(one)
    if path is None and missing_path:
        return False
    if scope.path and path is not None and not glob.within(path, scope.path):
        return False
    if topic is None and missing_topic:
        return False
    return not (scope.topic and topic is not None and fold(scope.topic) != fold(topic))


def _placing(scores: Scores | None) -> Callable[[Entry], Place]:
    """What entries are ordered by.

    What applies now before what may; then level, policy, fitness, need, the newest word of a user, name.
    """
    known: dict[tuple[str, str, str], tuple[int, int]] = {}

    def place(entry: Entry) -> Place:
        record, memory = entry.judged.record, entry.judged.memory
        scope = memory.scope
        kind = (scope.level, memory.subject, memory.authority)
        standing = known.get(kind)
        if standing is None:
            standing = known[kind] = precedence.standing(memory)
        fits = scores.get((record.layer, record.path), 0.0) if scores else 0.0
        said = -times.order(memory.verified_at)
        name = fold(memory.predicate)
        level, class_ = standing
        return (bool(entry.when), level, class_ != 0, -fits, _need(entry), said, name, scope.qualifiers, memory.id)

    return place


def _need(entry: Entry) -> int:
    """How much an agent needs to be told; the lower comes first.

    What somebody had to say again, or has still to decide, goes wrong most easily; a fact can be looked up.
    """
    memory = entry.judged.memory
    if memory.supersedes or entry.conflict:
        return 0
    return 2 if memory.type == "fact" else 1
