"""Examined: everything that rules judge, gathered from one memdir at one moment. Paths count from its root."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from memdir_cli.domain.remarks import Remark
from memdir_cli.domain.screen import Trace
from memdir_cli.domain.snapshot import Layer, Record, Snapshot
from memdir_cli.shapes import dataclass, field


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader of a good file saw that is no error and still not what was meant."""

    path: str
    reason: str
    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Stray:
    """A name in a folder of memories that is no memory file."""

    path: str
    kind: Literal["file", "folder"]


@dataclass(frozen=True, slots=True)
class Index:
    """MEMORY.md as it is and as it should be.

    :ivar standing: its bytes, ``None`` if there is no such file.
    :ivar due: its bytes if it were written now.
    :ivar links: line and path of each memory that it names.
    :ivar due_links: the memories that it should name.
    :ivar readable: whether it could be looked at; if not, a finding of family M1 says so.
    :ivar beside: its text, lines that were generated of memories left empty.
    :ivar remarks: what to be wary of in that text.
    """

    standing: bytes | None = None
    due: bytes = b""
    links: tuple[tuple[int, str], ...] = ()
    due_links: frozenset[str] = frozenset()
    readable: bool = True
    beside: str = ""
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What an interrupted writer left.

    :ivar journal: ``unfinished`` for a transaction that awaits its end, or the other memdir's half;
        ``unreadable`` for a journal that says nothing.
    :ivar temporary: temporary files that no journal needs.
    :ivar set_aside: versions that could not be put in their place because somebody edited it meanwhile.
    """

    journal: Literal["none", "unfinished", "unreadable"] = "none"
    temporary: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Returned:
    """A file of something that was forgotten.

    :ivar at: when it was forgotten.
    :ivar certain: a receipt tells of it, so that the file may be taken out without asking anybody.
    :ivar readable: the file could be read.
    """

    path: str
    at: str
    certain: bool
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Tombstones:
    """What was forgotten here, and how far that can be relied upon.

    :ivar torn: lines that are no tombstones.
    :ivar returned: files of what was forgotten.
    :ivar lost: ids that the user memdir knows to be forgotten here, and this memdir does not.
    :ivar unsupported: lines of which no receipt tells.
    """

    torn: tuple[int, ...] = ()
    returned: tuple[Returned, ...] = ()
    lost: tuple[str, ...] = ()
    unsupported: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Torn:
    """What a merge left half done.

    :ivar unmerged: by the path of each file that git has in conflict, why memdir cannot settle it; ``""`` if it can.
    :ivar files: what ``repair`` makes of the files concerned, by path; ``None`` for one that goes away.
    :ivar place: how git calls the memdir from anywhere in the working tree, such as ``:/.memdir``.
    """

    unmerged: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Facts about the memdir itself.

    :ivar repository: the repository id in its config, ``""`` if none.
    :ivar user: the user's id in its config, ``""`` if none.
    :ivar key: whether the config has the key of the digests.
    :ivar git_repository: the id that git gives where the memdir lies, ``""`` if it gives none.
    :ivar gitignore: bytes of ``.gitignore``, ``None`` if there is none.
    :ivar receipts: whether there are receipts, whose digests need the key.
    :ivar open_to_others: other accounts may read the memdir.
    :ivar wrong_checks: sentences on what `check` in the config names and does not exist.
    :ivar driver_missing: git is told to merge with a driver that it does not know here.
    :ivar silenced: what `check` in a project's config names although no project may silence it.
    """

    repository: str = ""
    user: str = ""
    key: bool = True
    git_repository: str = ""
    gitignore: bytes | None = b"/local/\n/inbox/\n"
    receipts: bool = False
    open_to_others: bool = False
    driver_missing: bool = False
    wrong_checks: tuple[str, ...] = ()
    silenced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Examined:
    """One memdir as rules see it; what several rules ask is found out once, for which it has no slots.

    :ivar now: the time of this run, RFC 3339 in UTC.
    :ivar moved: by the path of each record whose status is worse now than its file says, the reason.
    :ivar unreadable_evidence: by the path of each record, sentences on what it depends on and cannot be read.
    :ivar homes: by the path of each record, where its identity and status put it.
    :ivar names: every path that exists in the folders of memories, readable or not.
    :ivar unattributed: by the path of each record in service, what no receipt supports (a code).
    :ivar traces: path and trace of everything that may stand in no file.
    :ivar remarks: by the path of each record that is served or waits, what to be wary of.
    :ivar lines_above: by the path of each record, how many lines stand above its text.
    :ivar unsealed: files beside the memories that tell something of what is in quarantine, each with the id.
    :ivar torn_receipts: path and line of what should be a receipt and cannot be read.
    """

    snapshot: Snapshot
    now: str
    moved: Mapping[str, str] = field(default_factory=dict)
    unreadable_evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    homes: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    notices: tuple[Notice, ...] = ()
    strays: tuple[Stray, ...] = ()
    unattributed: Mapping[str, str] = field(default_factory=dict)
    index: Index = Index()
    traces: tuple[tuple[str, Trace], ...] = ()
    remarks: Mapping[str, tuple[Remark, ...]] = field(default_factory=dict)
    lines_above: Mapping[str, int] = field(default_factory=dict)
    unsealed: Mapping[str, str] = field(default_factory=dict)
    torn_receipts: tuple[tuple[str, int], ...] = ()
    leftovers: Leftovers = Leftovers()
    tombstones: Tombstones = Tombstones()
    torn: Torn = Torn()
    settings: Settings = Settings()

    @property
    def layer(self) -> Layer:
        """Whether it is a project's memdir or the user's."""
        return self.snapshot.layer

    @property
    def records(self) -> tuple[Record, ...]:
        """The memories that could be read."""
        return self.snapshot.records

    @cached_property
    def served(self) -> tuple[Record, ...]:
        """The memories that count as records of their identity."""
        return tuple([record for record in self.records if record.current])

    @cached_property
    def free(self) -> frozenset[str]:
        """The homes that exactly one memory claims and at which nothing lies: files can be moved there."""
        claims = Counter(self.homes.values())
        return frozenset(home for home in claims.keys() - self.names if claims[home] == 1)

    @cached_property
    def repeated(self) -> tuple[tuple[Record, Record], ...]:
        """Current records that share a home with another one, each with the one that stands there or comes first."""
        claims = Counter(self.homes[record.path] for record in self.served)
        by_home: dict[str, list[Record]] = {}
        for record in self.served if len(claims) < len(self.served) else ():
            by_home.setdefault(self.homes[record.path], []).append(record)
        ordered = (
            sorted(one, key=lambda record: (self.homes[record.path] != record.path, record.path))
            for one in by_home.values()
        )
        return tuple((other, kept) for kept, *others in ordered for other in others)
