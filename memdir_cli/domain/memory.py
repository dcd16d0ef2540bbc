"""Memory: one value and text under an identity, with its lifecycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memdir_cli.domain.identity import Identity
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Authority, Source
from memdir_cli.domain.status import Status
from memdir_cli.shapes import dataclass, field

Type = Literal["preference", "project-rule", "decision", "fact", "temporary"]
TYPES: tuple[Type, ...] = ("preference", "project-rule", "decision", "fact", "temporary")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something in the workspace that a memory depends on, and the hash it had (``""``: never seen).

    :ivar was: what was seen, in one short line, so that a change can be told as old and new; ``""`` for
        whole files, and in memories that were written without it.
    """

    probe: str
    hash: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the values that stand against each other in a conflicted memory.

    :ivar type: ``None`` where it is that of the whole memory.
    """

    id: str
    value: str | None
    description: str
    authority: Authority
    source: tuple[Source, ...] = ()
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """The parsed form of one memory file.

    Times are RFC 3339 in UTC, or a date alone (the whole day, UTC); ``""`` where a key is absent.

    :ivar value: the value, character for character; ``None`` where there is none (the body speaks,
        the memory is conflicted, or ``none`` is set).
    :ivar none: the memory says that nothing applies here.
    :ivar status_reason: a code, and a sentence after a colon, whenever the status is not verified.
    :ivar supersedes: ``id@revision`` that this one replaced.
    :ivar superseded_by: ``id@revision`` that replaced this one (in history).
    :ivar rival: ``id@revision`` of the record that a candidate contradicts.
    :ivar extra: keys that are not memdir's, as text (nested values as they were parsed).
    """

    id: str
    subject: str
    predicate: str
    scope: Scope
    status: Status
    name: str = ""
    description: str = ""
    type: Type = "fact"
    value: str | None = None
    none: bool = False
    revision: int = 1
    authority: Authority = "inferred"
    source: tuple[Source, ...] = ()
    depends_on: tuple[Evidence, ...] = ()
    sides: tuple[Side, ...] = ()
    status_reason: str = ""
    supersedes: str = ""
    superseded_by: str = ""
    rival: str = ""
    created_at: str = ""
    updated_at: str = ""
    verified_at: str = ""
    review_after: str = ""
    expires_at: str = ""
    body: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def identity(self) -> Identity:
        """Subject, predicate and scope."""
        return Identity(self.subject, self.predicate, self.scope)

    @property
    def latest(self) -> str:
        """The last moment that it tells of itself, by its text: made, changed, verified, or said by somebody."""
        return max(self.created_at, self.updated_at, self.verified_at, *[one.at for one in self.source])

    @property
    def sources(self) -> tuple[Source, ...]:
        """The provenance entries of the memory, and those of its sides."""
        return (*self.source, *[source for side in self.sides for source in side.source])

    @property
    def ref(self) -> str:
        """``id@revision``."""
        return f"{self.id}@{self.revision}"
