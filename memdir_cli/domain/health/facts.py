"""Facts: everything that the figures are made from, gathered at one moment; and how a memory of them is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memdir_cli.domain import times, view
from memdir_cli.domain.archiving import Chill
from memdir_cli.domain.findings import Severity
from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.health.report import Item, Month
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.status import USABLE, Status
from memdir_cli.domain.text import printable

#: Longer probes are cut where they are told.
PROBE_CHARACTERS = 120

#: Codes of reasons that are told; a hand may have written anything where a code stands.
CODES = frozenset(
    {
        "age-limit", "date-ahead", "evidence-changed",
        "evidence-missing", "evidence-moved", "evidence-removed", "expired", "review-due", "rival", "sides-disagree",
        "source-unavailable", "superseded", "time-unreadable", "unconfirmed", "unproven",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at one piece of evidence said.

    :ivar verdict: ``same``, ``changed``, ``removed``, ``moved``, ``unknown``, ``unreadable``.
    """

    probe: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Known:
    """One memory as it stands at the time of the report.

    :ivar status: the worse of what its file says and what clock and evidence say.
    :ivar code: why, where it is not verified; one of :data:`CODES` or ``other``.
    :ivar since: since when its file says so, ``""`` if no receipt tells.
    :ivar unattributed: what no receipt supports about it, as a code.
    :ivar looks: what was looked at of what it depends on.
    :ivar limited: the settings say when somebody is to confirm memories of its type.
    """

    record: Record
    status: Status
    code: str = ""
    since: str = ""
    unattributed: str = ""
    looks: tuple[Look, ...] = ()
    limited: bool = False

    @property
    def name(self) -> Name:
        """Memdir and id."""
        return (self.record.layer, self.record.memory.id)

    @property
    def served(self) -> bool:
        """Whether an agent may be given it."""
        return self.record.folder in {"memories", "local/tasks"} and self.status in USABLE

    @property
    def current(self) -> bool:
        """Whether it is in use: served, or in conflict."""
        return self.served or (self.record.current and self.status == "conflicted")

    def days(self, now: str) -> int | None:
        """Whole days since somebody last stood behind it, ``None`` if it does not say."""
        return days(view.dated(self.record.memory), now)

    def item(self, note: str = "", command: str = "", *, date: str = "") -> Item:
        """It in a report; of a quarantined one the id alone.

        :param command: with ``ID`` and ``KEY`` where those of the memory go.
        """
        memory = self.record.memory
        key = "" if self.status == "quarantined" else memory.predicate
        return Item(
            memory.id,
            key,
            self.record.layer,
            memory.scope.level,
            self.status,
            (date or view.dated(memory))[:10],
            note,
            command.replace("ID", memory.id, 1) if "ID" in command else command.replace("KEY", key),
        )


@dataclass(frozen=True, slots=True)
class Fired:
    """How often a rule of ``check`` fired in one memdir."""

    layer: Layer
    code: str
    name: str
    severity: Severity
    count: int


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How large MEMORY.md is.

    :ivar dropped: how many memories found no room in it.
    """

    layer: Layer
    lines: int
    size: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A write that was refused."""

    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known.

    :ivar now: the time of the report.
    :ivar past: the state was put together from receipts, and from what of the files is still there.
    :ivar looked: evidence, index and faults were looked at.
    :ivar known: every memory, one a file.
    :ivar ghosts: how many memories stood then of which no file is left, by status.
    :ivar ended: how many revisions lay in history then, by status; of a month that is over only.
    :ivar happened: the events of the receipts up to ``now``, oldest first.
    :ivar fired: ``None`` where ``check`` could not look.
    :ivar cold: what may be put away, ``None`` where nobody looked.
    :ivar kept_for: by memdir, how long a candidate waits.
    :ivar shallow: whether this is a shallow clone, which holds no history.
    :ivar current: the memories in use.
    :ivar served: the memories that may be given.
    """

    month: str
    now: str
    subject: str
    past: bool
    looked: bool
    memdirs: tuple[Layer, ...]
    known: tuple[Known, ...]
    ghosts: dict[Status, int]
    ended: dict[Status, int]
    happened: tuple[Happened, ...]
    reads: Reads
    refused: tuple[Refused, ...]
    trend: tuple[Month, ...] = ()
    indexes: tuple[IndexSize, ...] = ()
    fired: tuple[Fired, ...] | None = None
    cold: tuple[Chill, ...] | None = None
    tombstones: int = 0
    kept_for: dict[Layer, str] = field(default_factory=dict)
    shallow: bool = False
    current: tuple[Known, ...] = field(init=False)
    served: tuple[Known, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Sort out once what most figures ask for."""
        object.__setattr__(self, "current", tuple(one for one in self.known if one.current))
        object.__setattr__(self, "served", tuple(one for one in self.known if one.served))

    @property
    def this_month(self) -> Month:
        """The row of the reported month."""
        return self.trend[-1]

    @property
    def last_month(self) -> Month:
        """The row of the month before."""
        return self.trend[-2]

    def events(self, kind: str) -> list[Happened]:
        """What happened in the reported month of a kind."""
        return [one for one in self.happened if one.at[:7] == self.month and one.kind == kind]

    def status(self, status: Status) -> list[Known]:
        """The memories of a status, by key."""
        return by_key(one for one in self.known if one.status == status)


def code_of(reason: str) -> str:
    """The code of a ``statusReason``; ``other`` for what is none of ours."""
    code = reason.partition(":")[0].strip()
    return code if not code or code in CODES else "other"


def told_probe(probe: str) -> str:
    """A probe as it may be told: on one line, and not too long."""
    shown = printable(probe)
    return shown if len(shown) <= PROBE_CHARACTERS else f"{shown[: PROBE_CHARACTERS - 1]}…"


def by_key(known: Iterable[Known]) -> list[Known]:
    """In an order that no chance decides: memdir, key, qualifiers, revision, id."""
    return sorted(known, key=lambda one: (*_place(one.record), one.record.memory.id))


def by_date(known: Iterable[Known]) -> list[Known]:
    """The longest unconfirmed first."""
    return sorted(by_key(known), key=lambda one: times.order(view.dated(one.record.memory)))


def days(then: str, now: str) -> int | None:
    """Whole days between two times, ``None`` if the first cannot be read."""
    try:
        return max(times.age_days(then, now), 0)
    except ValueError:
        return None


def _place(record: Record) -> tuple[str, str, str, int]:
    memory = record.memory
    return (record.layer, memory.predicate, memory.scope.text + memory.scope.qualifiers, memory.revision)
