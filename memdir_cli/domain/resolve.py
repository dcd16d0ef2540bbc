"""Resolve: of all memories of one key, the one that applies now, and why every other one does not.

subjects of this runtime → scope satisfied → status usable → :mod:`precedence`. A conflicted memory
contends like any other; where it comes first, nobody wins. Recency never decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from memdir_cli.domain import precedence
from memdir_cli.domain.applies import PLACE, Dimension, unmet
from memdir_cli.domain.effective import NO_LIMITS, UNSEEN, Effective, Verdicts, effective, hangs
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import rank
from memdir_cli.domain.status import CAUTION, CURRENT, Status
from memdir_cli.shapes import dataclass

Outcome = Literal["winner", "conflict", "lost", "excluded"]
Verdict = Literal["winner", "conflict", "none"]

#: Folders whose memories are records; what lies elsewhere is served to nobody.
SERVED = frozenset({"memories", "local/tasks"})


@dataclass(frozen=True, slots=True)
class Judged:
    """A record, its status as it is now, and the demands of its scope that are not satisfied."""

    record: Record
    effective: Effective
    unmet: tuple[Dimension, ...] = ()

    @property
    def memory(self) -> Memory:
        """The memory as it lies in its file."""
        return self.record.memory

    @property
    def servable(self) -> bool:
        """Whether folder and status let it contend: usable, or conflicted."""
        return self.record.folder in SERVED and self.effective.status in CURRENT

    @property
    def contends(self) -> bool:
        """Whether it applies here and now."""
        return self.servable and not self.unmet


@dataclass(frozen=True, slots=True)
class Contender:
    """How one record fared.

    :ivar rule: a stable word for what decided: a dimension that is not satisfied, ``folder``, ``status``,
        ``level``, ``class``, ``specificity``, ``authority``, ``same``, ``conflicted``, ``equal``,
        ``incomparable``, or ``only``.
    :ivar reason: the same as a sentence.
    :ivar by: ids of those that beat it or stand against it.
    """

    judged: Judged
    outcome: Outcome
    rule: str
    reason: str
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """What applies: a winner, a conflict that only a person can settle, or nothing.

    :ivar contenders: the winner or the opponents first, then losers, then the excluded.
    """

    verdict: Verdict
    winner: Judged | None
    contenders: tuple[Contender, ...]

    @property
    def opponents(self) -> tuple[Judged, ...]:
        """Those between which a person must decide."""
        return tuple(one.judged for one in self.contenders if one.outcome == "conflict")


def judge(record: Record, runtime: Runtime, verdicts: Verdicts = UNSEEN) -> Judged:
    """``record`` as it stands in ``runtime``; evidence counts only where the memory belongs."""
    return judging(runtime, verdicts)(record)


def judging(runtime: Runtime, verdicts: Verdicts = UNSEEN) -> Callable[[Record], Judged]:
    """:func:`judge` for many records: whether a scope is satisfied is found out once for all that have it."""
    # a scope stands for itself, for to compare it takes as long as to judge it; it is kept, so that no other one is
    # taken for it
    known: dict[tuple[Layer, str, int], tuple[tuple[Dimension, ...], Verdicts, Scope]] = {}

    #: What is stored counts, where neither clock nor evidence can say anything.
    stored: dict[tuple[Status, str], Effective] = {}

    def judged(record: Record) -> Judged:
        memory = record.memory
        place = (record.layer, memory.subject, id(memory.scope))
        found = known.get(place)
        if found is None:
            gaps = unmet(record, runtime)
            strange = record.layer == "project" and not runtime.project_here
            elsewhere = strange or any(gap.name in PLACE for gap in gaps)
            found = known[place] = (gaps, UNSEEN if elsewhere else verdicts, memory.scope)
        gaps, seen, _ = found
        limits = runtime.age_limits.get(record.layer, NO_LIMITS)
        if hangs(memory, limits):
            return Judged(record, effective(memory, runtime.now, seen, limits), gaps)
        told = (memory.status, memory.status_reason)
        if told not in stored:
            stored[told] = Effective(*told)
        return Judged(record, stored[told], gaps)

    return judged


def resolve(records: Iterable[Record], runtime: Runtime, verdicts: Verdicts = UNSEEN) -> Resolution:
    """Which of ``records``, all of one key, applies in ``runtime``.

    :param verdicts: what a look at the workspace says of their evidence.
    """
    return contest(map(judging(runtime, verdicts), records))


def contest(field: Iterable[Judged]) -> Resolution:
    """Which of the judged records of one key comes first."""
    ordered = sorted(field, key=_place)
    if len(ordered) == 1:
        return _alone(ordered[0])
    running = [one for one in ordered if one.contends]
    first = [one for one in running if not any(precedence.beats(other.memory, one.memory) for other in running)]
    unsettled = any(one.effective.status == "conflicted" for one in first)
    agreed = not unsettled and len({says(one.memory) for one in first}) == 1
    excluded = [_excluded(one) for one in ordered if not one.contends]
    beaten = [one for one in running if not any(one is other for other in first)]
    lost = [_lost(one, first) for one in beaten]
    if not agreed:
        opponents = [_opponent(one, first) for one in first]
        return Resolution("conflict" if first else "none", None, (*opponents, *lost, *excluded))
    winner = first[0]
    same = [_same(one, winner) for one in first[1:]]
    return Resolution("winner", winner, (_winner(winner, beaten), *same, *lost, *excluded))


def _alone(one: Judged) -> Resolution:
    """What comes of a field of one, as nearly every field is."""
    if not one.contends:
        return Resolution("none", None, (_excluded(one),))
    if one.effective.status == "conflicted":
        return Resolution("conflict", None, (_opponent(one, (one,)),))
    return Resolution("winner", one, (_winner(one, ()),))


def says(memory: Memory) -> tuple[bool, str]:
    """What a memory states: that nothing applies, or its value, else its body, else its description."""
    if memory.none:
        return (True, "")
    if memory.value is not None:
        return (False, memory.value)
    return (False, memory.body.strip("\r\n") if memory.body.strip() else memory.description)


def _place(one: Judged) -> tuple[tuple[int, int], int, int, str, str]:
    """A total order for printing and for choosing among those that say the same: never a time."""
    memory = one.memory
    certainty = -CAUTION.index(one.effective.status)
    return (precedence.standing(memory), certainty, rank(memory.authority), memory.id, one.record.path)


def _winner(winner: Judged, beaten: Sequence[Judged]) -> Contender:
    if not beaten:
        return Contender(winner, "winner", "only", "it is the only one that applies here")
    rule = precedence.beats(winner.memory, beaten[0].memory)
    if rule is None:  # the next one was beaten by another that says the same
        return Contender(winner, "winner", "same", "nothing that applies here comes before it")
    return Contender(winner, "winner", rule, _why(rule, winner.memory, beaten[0].memory))


def _lost(one: Judged, first: Sequence[Judged]) -> Contender:
    by, rule = next((other, rule) for other in first if (rule := precedence.beats(other.memory, one.memory)))
    reason = f"beaten by `{by.memory.id}`: {_why(rule, by.memory, one.memory)}"
    return Contender(one, "lost", rule, reason, (by.memory.id,))


def _same(one: Judged, winner: Judged) -> Contender:
    reason = f"it says the same as `{winner.memory.id}`, which stands for both"
    return Contender(one, "lost", "same", reason, (winner.memory.id,))


def _opponent(one: Judged, first: Sequence[Judged]) -> Contender:
    others = [other for other in first if other is not one]
    ids = tuple(other.memory.id for other in others)
    named = ", ".join(f"`{memory_id}`" for memory_id in ids)
    if one.effective.status == "conflicted":
        reason = f"its sides disagree; settle it with `memdir settle {one.memory.id} --keep SIDE-ID`"
        return Contender(one, "conflict", "conflicted", reason, ids)
    orders = {precedence.specificity(one.memory.scope, other.memory.scope) for other in others}
    if "incomparable" in orders:
        reason = f"neither its scope nor that of {named} is the narrower one"
        return Contender(one, "conflict", "incomparable", reason, ids)
    return Contender(one, "conflict", "equal", f"it stands equal to {named} and says something else", ids)


def _excluded(one: Judged) -> Contender:
    if one.unmet:
        reason = "; ".join(dimension.sentence for dimension in one.unmet)
        return Contender(one, "excluded", one.unmet[0].name, reason)
    if one.effective.status in CURRENT:
        # then only its folder keeps it back
        reason = f"it lies in `{one.record.folder}/`, from which nothing is served"
        return Contender(one, "excluded", "folder", reason)
    status, sentence = one.effective.status, one.effective.sentence
    return Contender(one, "excluded", "status", f"it is {status}" + (f": {sentence}" if sentence else ""))


def _why(rule: precedence.Rule, one: Memory, other: Memory) -> str:
    """Why ``one`` comes before ``other``."""
    if rule == "level":
        return f"{one.scope.level} comes before {other.scope.level}"
    if rule == "class":
        return f"{precedence.class_of(one)} comes before {precedence.class_of(other)}"
    if rule == "specificity":
        return "the narrower scope comes first"
    return f"authority {one.authority} comes before {other.authority}"
