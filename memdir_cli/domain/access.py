"""Access: that a read fed an agent, told without content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.domain import view
from memdir_cli.domain.resolve import Judged, Resolution
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.shapes import dataclass, field


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory whose text was given away: where it lies, id, revision, status and coarse age then."""

    layer: Layer
    id: str
    revision: int
    status: str
    age: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A memory that was looked at and not given, and the rule that kept it back."""

    layer: Layer
    id: str
    rule: str


#: Of those kept back by one rule, at most so many are named; a read of a large memdir stays one short line.
NAMED = 50


@dataclass(frozen=True, slots=True)
class Access:
    """One read.

    :ivar passed: those kept back by each rule, the first :data:`NAMED` of each memdir.
    :ivar kept_back: how many were kept back, by memdir.
    :ivar budget: characters allowed, ``None`` where there is no budget.
    :ivar characters: how many were given, ``None`` where nobody counted.
    :ivar query: what was asked for; only its keyed digest is kept.
    """

    verb: str
    at: str
    session: str | None = None
    task: str | None = None
    shown: tuple[Shown, ...] = ()
    passed: tuple[Passed, ...] = ()
    budget: int | None = None
    query: str = ""
    characters: int | None = None
    kept_back: Mapping[Layer, int] = field(default_factory=dict)


def access(
    verb: str,
    runtime: Runtime,
    shown: Iterable[Judged],
    passed: Iterable[tuple[Record, str]] = (),
    *,
    budget: int | None = None,
    query: str = "",
    characters: int | None = None,
) -> Access:
    """A read of ``shown``, with what was passed over and by which rule."""
    counts: dict[tuple[Layer, str], int] = {}
    named: list[Passed] = []
    for record, rule in passed:
        place = (record.layer, rule)
        count = counts[place] = counts.get(place, 0) + 1
        if count <= NAMED:
            named.append(Passed(record.layer, record.memory.id, rule))
    kept_back: dict[Layer, int] = {}
    for (layer, _), count in counts.items():
        kept_back[layer] = kept_back.get(layer, 0) + count
    return Access(
        verb,
        runtime.now,
        runtime.session.value,
        runtime.task.value,
        tuple(_shown(one, runtime.now) for one in shown),
        tuple(named),
        budget,
        query,
        characters,
        kept_back,
    )


def of_resolution(verb: str, runtime: Runtime, resolution: Resolution) -> Access:
    """A read of one key: the winner was shown, everything else was passed over."""
    shown = () if resolution.winner is None else (resolution.winner,)
    passed = [(one.judged.record, one.rule) for one in resolution.contenders if one.outcome != "winner"]
    return access(verb, runtime, shown, passed)


def given(line: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The memories whose text was given away by the read of which a line of a log tells."""
    shown = line.get("shown")
    return (one for one in shown if isinstance(one, dict)) if isinstance(shown, list) else iter(())


def _shown(one: Judged, now: str) -> Shown:
    memory = one.memory
    return Shown(one.record.layer, memory.id, memory.revision, one.effective.status, view.age(memory, now))
