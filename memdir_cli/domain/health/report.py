"""Report: numbers with what they mean and what to type, in sections; three sentences before everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from memdir_cli.domain.findings import SEVERITIES, Severity
from memdir_cli.domain.view import Document


@dataclass(frozen=True, slots=True)
class Item:
    """A memory that a figure counts, or a rule of ``check`` that fired.

    :ivar key: its key; ``""`` of what nobody should read (quarantined, forgotten).
    :ivar note: why it is counted: codes, probes, numbers, never a text of the memory.
    :ivar command: what to type about it.
    """

    id: str = ""
    key: str = ""
    memdir: str = ""
    scope: str = ""
    status: str = ""
    date: str = ""
    note: str = ""
    command: str = ""

    def document(self) -> Document:
        """The mapping of ``--json``: what is empty is left out."""
        return {one.name: told for one in fields(self) if (told := getattr(self, one.name))}


@dataclass(frozen=True, slots=True)
class Figure:
    """One number.

    :ivar name: stable name, within its section.
    :ivar label: the same for people.
    :ivar value: ``None`` where it is not known.
    :ivar sentence: what it means and what to do.
    :ivar command: what to type.
    :ivar unit: what is counted, where that is not memories: ``days``, ``%``, ``characters``, …
    :ivar before: the number at the end of the month before, or of that month; ``None`` where it is not known.
    :ivar rising: more of it is worse, so that a rise is told.
    """

    name: str
    label: str
    value: int | None
    severity: Severity
    sentence: str
    command: str
    unit: str = ""
    before: int | None = None
    rising: bool = False
    items: tuple[Item, ...] = ()

    @property
    def worse(self) -> bool:
        """Whether it is known to have got worse since the month before."""
        return self.rising and self.value is not None and self.before is not None and self.value > self.before

    def document(self) -> Document:
        """The mapping of ``--json``."""
        told = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in {"items", "rising"}}
        return {**told, "worse": self.worse, "items": [item.document() for item in self.items]}


@dataclass(frozen=True, slots=True)
class Section:
    """What is told about one thing.

    :ivar name: the key of ``--json``.
    :ivar about: a sentence on what is counted here and why.
    """

    name: str
    title: str
    about: str
    figures: tuple[Figure, ...]

    @property
    def severity(self) -> Severity:
        """The worst of its figures."""
        return min((figure.severity for figure in self.figures), key=SEVERITIES.index)

    @property
    def leading(self) -> Figure:
        """The figure that says what to do here: the first of the worst."""
        return min(self.figures, key=lambda figure: SEVERITIES.index(figure.severity))

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {
            "title": self.title,
            "about": self.about,
            "severity": self.severity,
            "sentence": self.leading.sentence,
            "command": self.leading.command,
            "numbers": {figure.name: figure.value for figure in self.figures},
            "figures": [figure.document() for figure in self.figures],
        }


@dataclass(frozen=True, slots=True)
class Month:
    """One month of the trend: what stood at its end and what happened in it; ``None`` where nothing tells.

    :ivar created: memories and candidates that were written for the first time.
    :ivar corrections: values that a user replaced.
    :ivar conflicts: conflicts that opened or got another side.
    :ivar returns: attempts of what was forgotten to come back.
    :ivar reads: reads that fed an agent.
    :ivar characters: how many characters a read with a budget gave on average.
    :ivar crowded: how many of those reads left something out for want of room.
    """

    month: str
    verified: int | None = None
    stale: int | None = None
    conflicted: int | None = None
    candidate: int | None = None
    quarantined: int | None = None
    archived: int | None = None
    created: int | None = None
    corrections: int | None = None
    conflicts: int | None = None
    forgotten: int | None = None
    secrets: int | None = None
    returns: int | None = None
    reads: int | None = None
    characters: int | None = None
    crowded: int | None = None

    @property
    def recorded(self) -> bool:
        """Whether receipts tell anything of it."""
        return self.verified is not None

    @property
    def logged(self) -> bool:
        """Whether the access log tells anything of it."""
        return self.reads is not None

    def document(self) -> Document:
        """The mapping of ``--json``."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**told, "recorded": self.recorded, "logged": self.logged}


@dataclass(frozen=True, slots=True)
class Opening:
    """Three sentences: how it is, what got worse, what to do first."""

    how: str
    worse: str
    first: str

    @property
    def sentences(self) -> tuple[str, str, str]:
        """In this order."""
        return (self.how, self.worse, self.first)


Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report.

    :ivar as_of: the time that it tells of, RFC 3339 in UTC.
    :ivar subject: the repository's id, or what else it is about.
    :ivar memdirs: which memdirs were looked at.
    :ivar past: the state was put together from receipts, because it is over.
    :ivar counts: by what, then name to number.
    :ivar sections: the worst first.
    :ivar trend: oldest first.
    :ivar unknown: sentences on what cannot be known here.
    """

    month: str
    as_of: str
    subject: str
    memdirs: tuple[str, ...]
    past: bool
    opening: Opening
    counts: Counts
    sections: tuple[Section, ...]
    trend: tuple[Month, ...]
    unknown: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        """The worst of the sections."""
        return min((section.severity for section in self.sections), key=SEVERITIES.index)

    @property
    def worse(self) -> bool:
        """Whether anything got worse since the month before."""
        return any(figure.worse for section in self.sections for figure in section.figures)

    def document(self) -> Document:
        """The mapping of ``--json``; a key a section."""
        return {
            "month": self.month,
            "asOf": self.as_of,
            "subject": self.subject,
            "memdirs": list(self.memdirs),
            "past": self.past,
            "severity": self.severity,
            "opening": {"how": self.opening.how, "worse": self.opening.worse, "first": self.opening.first},
            "counts": {by: dict(numbers) for by, numbers in self.counts.items()},
            **{section.name: section.document() for section in self.sections},
            "trend": [month.document() for month in self.trend],
            "unknown": list(self.unknown),
        }
