"""Incident: who was shown a memory, what followed, and what derives from it. Told by ids alone, without any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from memdir_cli.domain.access import given
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.identity import stem
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import text_of
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, field

Relation = Literal["supersedes", "superseded-by", "rival", "mentions", "same-source"]

#: What the log cannot know.
LOWER_BOUND = "A lower bound: files that were read directly, and reads by a person, are in no log."


@dataclass(frozen=True, slots=True)
class Showing:
    """One read that gave a revision away.

    :ivar session: id of the session, ``""`` if none was known.
    :ivar task: id of the task, ``""`` if none was known.
    """

    at: str
    verb: str
    session: str
    task: str
    revision: int
    status: str

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "at": self.at,
            "verb": self.verb,
            "task": self.task or None,
            "revision": self.revision,
            "status": self.status,
        }


@dataclass(frozen=True, slots=True)
class Followed:
    """The calls of tools in a session from when it was first shown the memory.

    :ivar tools: how often each tool was called.
    :ivar risks: how many calls show each risk.
    """

    tools: Mapping[str, int]
    risks: Mapping[str, int]

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {"calls": sum(self.tools.values()), "tools": dict(self.tools), "risks": dict(self.risks)}


@dataclass(frozen=True, slots=True)
class Affected:
    """One session that was shown the memory, or all reads of which no session is known.

    :ivar followed: ``None`` where no transcript of it was found, or none was looked for.
    """

    session: str
    showings: tuple[Showing, ...]
    followed: Followed | None = None

    @property
    def first(self) -> str:
        """When it was first shown."""
        return min(one.at for one in self.showings)

    @property
    def last(self) -> str:
        """When it was last shown."""
        return max(one.at for one in self.showings)

    @property
    def tasks(self) -> list[str]:
        """The tasks of those reads."""
        return sorted({one.task for one in self.showings if one.task})

    @property
    def revisions(self) -> list[int]:
        """The revisions that were shown."""
        return sorted({one.revision for one in self.showings})

    @property
    def verbs(self) -> dict[str, int]:
        """How often each command showed it."""
        return dict(sorted(Counter(one.verb for one in self.showings).items()))

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "session": self.session or None,
            "tasks": self.tasks,
            "verbs": self.verbs,
            "revisions": self.revisions,
            "first": self.first,
            "last": self.last,
            "reads": [one.document() for one in self.showings],
            "followed": self.followed.document() if self.followed is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Derived:
    """Another memory that has to do with it."""

    relation: Relation
    id: str
    revision: int
    status: str
    memdir: Layer

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Exported:
    """A place outside into which it was written and from which it was not taken out since.

    :ivar path: absolute path.
    """

    form: str
    path: str
    memdir: Layer

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Incident:
    """What is known of one memory's spread.

    :ivar revision: the revision that is asked about, 0 for all.
    :ivar status: its status now, ``""`` where no file of it is left.
    :ivar level: the level of its scope, ``""`` where nothing says it.
    :ivar sources: how many sources of each kind it has.
    :ivar happened: what the receipts tell of it, oldest first.
    :ivar since: when the oldest line of the log was written, ``""`` where there is none.
    :ivar looked: transcripts were looked for.
    """

    id: str
    now: str
    revision: int = 0
    status: str = ""
    level: str = ""
    memdirs: tuple[Layer, ...] = ()
    sources: Mapping[str, int] = field(default_factory=dict)
    happened: tuple[Happened, ...] = ()
    affected: tuple[Affected, ...] = ()
    derived: tuple[Derived, ...] = ()
    exports: tuple[Exported, ...] = ()
    since: str = ""
    looked: bool = False
    warnings: tuple[Caution, ...] = ()

    exit_status = 0

    @property
    def counts(self) -> dict[str, int]:
        """How far it got."""
        sessions = [one for one in self.affected if one.session]
        tasks = {task for one in self.affected for task in one.tasks}
        reads = sum(len(one.showings) for one in self.affected)
        return {"sessions": len(sessions), "tasks": len(tasks), "reads": reads, "derived": len(self.derived)}

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "id": self.id,
            "revision": self.revision or None,
            "status": self.status or None,
            "level": self.level or None,
            "memdirs": list(self.memdirs),
            "sources": dict(self.sources),
            "counts": self.counts,
            "lowerBound": LOWER_BOUND,
            "since": self.since or None,
            "sessions": [one.document() for one in self.affected],
            "derived": [one.document() for one in self.derived],
            "exports": [one.document() for one in self.exports],
            "events": [one.document() for one in self.happened],
            "transcripts": self.looked,
            "warnings": [{"code": one.code, "message": one.message} for one in self.warnings],
        }


def showings(lines: Iterable[Mapping[str, object]], memory_id: str, revision: int = 0) -> Iterator[Showing]:
    """The reads in a log that gave ``memory_id`` away.

    :param revision: only this one; 0 for all.
    """
    for line in lines:
        for one in given(line):
            if one.get("id") != memory_id:
                continue
            found = one.get("revision")
            number = found if isinstance(found, int) else 0
            if revision in {0, number}:
                at, verb = text_of(line, "at"), text_of(line, "verb")
                session, task = text_of(line, "session"), text_of(line, "task")
                yield Showing(at, verb, session, task, number, text_of(one, "status"))


def by_session(found: Iterable[Showing]) -> tuple[Affected, ...]:
    """The reads by session, in the order in which they began; those of unknown sessions last."""
    groups: dict[str, list[Showing]] = {}
    for one in found:
        groups.setdefault(one.session, []).append(one)
    affected = [Affected(session, tuple(sorted(group, key=_when))) for session, group in groups.items()]
    return tuple(sorted(affected, key=lambda one: (not one.session, one.first, one.session)))


def derived(memory_id: str, own: Iterable[Record], others: Iterable[Record]) -> tuple[Derived, ...]:
    """What has to do with the memory of that id.

    :param own: its revisions that could be read, with their text.
    """
    own = tuple(own)
    own_marks = marks(memory_id, own)
    past = [one.memory for one in own]
    found: dict[tuple[str, str], Derived] = {}
    for record in others:
        memory = record.memory
        if memory.id == memory_id:
            continue
        for relation in _relations(memory_id, past, own_marks, memory):
            known = found.get((relation, memory.id))
            if known is None or known.revision < memory.revision:
                derivation = Derived(relation, memory.id, memory.revision, memory.status, record.layer)
                found[relation, memory.id] = derivation
    return tuple(sorted(found.values(), key=lambda one: (one.relation, one.id)))


def _relations(memory_id: str, own: list[Memory], marks: frozenset[str], other: Memory) -> Iterator[Relation]:
    if _names(other.supersedes, memory_id) or any(_names(one.superseded_by, other.id) for one in own):
        yield "supersedes"
    if _names(other.superseded_by, memory_id) or any(_names(one.supersedes, other.id) for one in own):
        yield "superseded-by"
    if _names(other.rival, memory_id) or any(_names(one.rival, other.id) for one in own):
        yield "rival"
    words = _words(other)
    if any(mark in words for mark in marks):
        yield "mentions"
    if _origins([other]) & _origins(own):
        yield "same-source"


def _names(ref: str, memory_id: str) -> bool:
    return ref.partition("@")[0] == memory_id


def marks(memory_id: str, own: Iterable[Record]) -> frozenset[str]:
    """What a text holds that links to the memory: its id, its file, its key as a wiki link."""
    marks = {memory_id}
    for one in own:
        memory = one.memory
        marks |= {f"{stem(memory.identity, repository=one.layer == 'user')}.md", f"[[{memory.predicate}]]"}
    return frozenset(marks)


def _words(memory: Memory) -> str:
    return "\n".join(
        (memory.value or "", memory.description, memory.body, *(side.value or "" for side in memory.sides))
    )


def _origins(memories: Iterable[Memory]) -> set[tuple[str, str]]:
    """The places from which something was taken; a user's own words are no common origin."""
    sources = (source for memory in memories for source in memory.source)
    return {(source.kind, source.ref) for source in sources if source.ref and source.kind != "user"}


def _when(one: Showing) -> str:
    return one.at
