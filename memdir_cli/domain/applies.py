"""Whether a scope is satisfied in a runtime, dimension by dimension. What is not known is not satisfied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from memdir_cli.domain import glob
from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.runtime import Fact, Runtime
from memdir_cli.domain.snapshot import Record
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

Answer = Literal["satisfied", "contradicted", "unknown"]
Name = Literal["memdir", "subject", "task", "repository", "path", "topic", "environment", "version"]

#: Dimensions that say whose a memory is and in which repository or task it lives; the rest are qualifiers.
PLACE: frozenset[Name] = frozenset({"memdir", "subject", "task", "repository"})

#: Qualifiers that another file or another question of this same run may satisfy.
MOVABLE: frozenset[Name] = frozenset({"path", "topic"})


@dataclass(frozen=True, slots=True)
class Dimension:
    """One demand of a scope, and what the runtime answers.

    :ivar demand: the demand in words, such as ``path `src/**```.
    :ivar found: what the runtime has instead, for people.
    """

    name: Name
    answer: Answer
    demand: str
    found: str = ""

    @property
    def sentence(self) -> str:
        """Why this demand is not met."""
        if self.answer == "unknown":
            return f"it asks for {self.demand}, which is not known here"
        return f"it asks for {self.demand}" + (f", and this is {self.found}" if self.found else "")


def unmet(record: Record, runtime: Runtime) -> tuple[Dimension, ...]:
    """The demands of a record's subject and scope that are not satisfied, the widest first."""
    return tuple(dimension for dimension in demands(record, runtime) if dimension.answer != "satisfied")


def demands(record: Record, runtime: Runtime) -> Iterator[Dimension]:
    """Every demand of a record's subject and scope, the widest first."""
    memory = record.memory
    yield from _subject(record, runtime)
    yield from _place(memory, runtime)
    scope = memory.scope
    if scope.path:
        yield _path(scope.path, runtime)
    if scope.topic:
        yield _equal("topic", "topic", scope.topic, runtime.topic)
    for key, value in scope.environment:
        yield _equal("environment", key, value, runtime.environment.get(key, Fact(None)))
    if scope.version:
        yield _version(scope.version, runtime)


def at_home(record: Record) -> bool:
    """A user's memory lies in the user memdir and nowhere else: a repository cannot bring one along."""
    home = _home(record.memory)
    return record.layer == home and (record.memory.scope.level == "repository" or home == "user")


def _home(memory: Memory) -> str:
    return "user" if memory.subject.startswith("user:") else "project"


def _subject(record: Record, runtime: Runtime) -> Iterator[Dimension]:
    memory = record.memory
    yield Dimension("memdir", _answer(at_home(record)), f"the {_home(memory)} memdir", f"the {record.layer} memdir")
    mine = memory.subject in runtime.subjects
    yield Dimension("subject", _answer(mine), f"subject `{memory.subject}`", "another")


def _place(memory: Memory, runtime: Runtime) -> Iterator[Dimension]:
    scope = memory.scope
    if scope.level == "task":
        yield _equal("task", "task", scope.task or "", runtime.task, exact=True)
        yield _task_repository(scope.repository, runtime.home_repository)
    elif scope.repository:
        # what is a user's own matches only the id that git gives: a cloned config cannot claim it
        fact = runtime.project if memory.subject.startswith("project:") else runtime.repository
        yield _equal("repository", "repository", scope.repository, fact, exact=True)
    elif scope.level == "repository":
        yield Dimension("repository", "unknown", "a repository that it does not name")


def _task_repository(wanted: str | None, found: str | None) -> Dimension:
    """A task memory holds where it was made: in that repository, or outside of any."""
    demand = f"repository `{wanted}`" if wanted else "a place outside any repository"
    return Dimension("repository", _answer(wanted == found), demand, f"`{found}`" if found else "none")


def _path(pattern: str, runtime: Runtime) -> Dimension:
    demand = f"path `{pattern}`"
    if runtime.path.value is None:
        return Dimension("path", "unknown", demand)
    found = f"`{runtime.path.value}`" if runtime.path.value else "the repository's root"
    return Dimension("path", _answer(glob.matches(pattern, runtime.path.value)), demand, found)


def _answer(satisfied: bool) -> Answer:
    return "satisfied" if satisfied else "contradicted"


def _equal(name: Name, label: str, wanted: str, fact: Fact, *, exact: bool = False) -> Dimension:
    demand = f"{label} `{wanted}`"
    if fact.value is None:
        return Dimension(name, "unknown", demand)
    equal = fact.value == wanted if exact else fold(fact.value) == fold(wanted)
    return Dimension(name, _answer(equal), demand, f"`{fact.value}`")


def _version(wanted: str, runtime: Runtime) -> Dimension:
    # ranges bring regular expressions along, and few memories have one
    from memdir_cli.domain import version_range

    demand = f"project version `{wanted}`"
    if runtime.version.value is None:
        return Dimension("version", "unknown", demand)
    try:
        inside = version_range.matches(wanted, runtime.version.value)
    except UsageError:
        inside = None
    if inside is None:
        return Dimension("version", "unknown", demand)
    return Dimension("version", _answer(inside), demand, f"`{runtime.version.value}`")
