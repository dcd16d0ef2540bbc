"""Answers of ``list``, ``show`` and ``history``, and what of the memdirs each of them may tell."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import precedence, times, view, visibility
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Type
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import Source
from memdir_cli.domain.status import CURRENT, Status
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Filter:
    """The options of ``list`` and ``search``. A status outside the current view implies :attr:`everything`.

    :ivar since: only what was known to hold at this time or later, ``""`` for all.
    """

    everything: bool = False
    status: Status | None = None
    level: Level | None = None
    type: Type | None = None
    since: str = ""

    @property
    def wide(self) -> bool:
        """Whether candidates, quarantine, history, archive and what is for other environments are told too."""
        return self.everything or (self.status is not None and self.status not in CURRENT)


@dataclass(frozen=True, slots=True)
class Listed:
    """A memory as it is told.

    :ivar unsupported: what the receipts do not support, ``""`` if they support it or nobody asked.
    :ivar older: sources for which its header has no room any more, the oldest first.
    """

    judged: Judged
    unsupported: str = ""
    older: tuple[Source, ...] = ()

    def document(self, *, body: bool = False) -> Document:
        """The frontmatter's keys, the status as it is now, and the file."""
        record, status = self.judged.record, self.judged.effective
        document = view.record_document(record, status)
        if self.unsupported:
            document["unattributed"] = self.unsupported
        if self.older:
            document["olderSources"] = view.source_documents(self.older)
        return {**document, "body": record.memory.body} if body else document


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """The memories of this runtime."""

    memories: tuple[Listed, ...] = ()
    ignored: bool = False
    remarks: tuple[str, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        document: Document = {"memories": [one.document() for one in self.memories]}
        return {**document, "ignored": True} if self.ignored else document


@dataclass(frozen=True, slots=True)
class ShowAnswer:
    """One memory whole; without text where it is quarantined and the text was not asked for."""

    listed: Listed | None = None
    withheld: bool = False
    ignored: bool = False
    warnings: tuple[Caution, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``: the frontmatter's keys and ``body``."""
        if self.listed is None:
            return {"ignored": True}
        document = self.listed.document(body=True)
        document["warnings"] = [{"code": one.code, "message": one.message} for one in self.warnings]
        return {**document, "withheld": True} if self.withheld else document


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """The revisions of one key, oldest first; the losers of conflicts stand among them."""

    key: str
    revisions: tuple[Listed, ...] = ()
    nearest: str = ""
    ignored: bool = False

    @property
    def exit_status(self) -> int:
        """0 if there is any revision, else 1."""
        return 0 if self.revisions or self.ignored else 1

    def document(self) -> Document:
        """The mapping of ``--json``."""
        document: Document = {"key": self.key, "revisions": [one.document(body=True) for one in self.revisions]}
        if self.nearest:
            document["nearest"] = self.nearest
        return {**document, "ignored": True} if self.ignored else document


def chosen(judged: Iterable[Judged], wanted: Filter) -> list[Judged]:
    """What ``list`` tells, quarantined memories without their text."""
    return [veiled(one) for one in judged if _wanted(one, wanted)]


def ordered(listed: Iterable[Listed]) -> list[Listed]:
    """In the order of ``list``: what may be used first; then by precedence, key and qualifiers."""
    return sorted(listed, key=lambda one: place(one.judged))


def veiled(judged: Judged) -> Judged:
    """A quarantined memory without its text; any other as it is."""
    if judged.effective.status != "quarantined" and judged.record.folder != "quarantine":
        return judged
    bare = replace(judged.record, memory=view.withheld(judged.memory))
    return replace(judged, record=bare)


def revisions(judged: Iterable[Judged]) -> list[Judged]:
    """Everything of one key that was ever a record here, oldest first; candidates never were."""
    kept = [veiled(one) for one in judged if visibility.here(one) and one.record.folder != "inbox"]
    born: dict[tuple[str, ...], int] = {}
    for one in kept:
        key = one.memory.identity.key
        born[key] = min(born.get(key, 1 << 62), times.order(one.memory.created_at))
    return sorted(kept, key=lambda one: (born[one.memory.identity.key], one.memory.identity.key, *_age(one)))


def _age(one: Judged) -> tuple[int, int, str]:
    """Within an identity: by revision; those of equal revision are sides, in the order of their writing."""
    return (one.memory.revision, times.order(one.memory.updated_at), one.memory.id)


def _wanted(one: Judged, wanted: Filter) -> bool:
    memory = one.memory
    if not (visibility.here(one) if wanted.wide else visibility.in_run(one)):
        return False
    if wanted.status is not None and one.effective.status != wanted.status:
        return False
    if wanted.level is not None and memory.scope.level != wanted.level:
        return False
    if wanted.since and times.order(view.dated(memory)) < times.order(wanted.since):
        return False
    return wanted.type is None or memory.type == wanted.type


def place(one: Judged) -> tuple[bool, tuple[int, int], str, str, int, str, str]:
    """The sort key of :func:`ordered`."""
    memory = one.memory
    standing = precedence.standing(memory)
    return (
        not one.servable,
        standing,
        fold(memory.predicate),
        memory.scope.qualifiers,
        -memory.revision,
        memory.id,
        one.record.path,
    )
