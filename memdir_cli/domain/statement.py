"""Statement: what a caller asks memdir to believe, before anybody has judged it."""

from __future__ import annotations

from memdir_cli.domain.memory import Type
from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import Kind
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who says it. The options ``--from --said --session --message --transcript``.

    :ivar kind: the option ``--from``; ``None`` lets the terminal decide.
    :ivar terminal: stdin and stderr are terminals and no agent or CI is recognised.
    :ivar command_line: what was typed, used as the words at a terminal.
    """

    kind: Kind | None = None
    said: str = ""
    session: str = ""
    message: str = ""
    transcript: str = ""
    terminal: bool = False
    command_line: str = ""


@dataclass(frozen=True, slots=True)
class Qualification:
    """The options that narrow a scope, as typed: ``--path --topic --env --for-version``."""

    path: str | None = None
    topic: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """``remember`` and ``correct``: one statement about one key.

    :ivar level: ``None`` where ``--scope`` was not given.
    :ivar task: id given as ``task:ID``; ``None`` takes the runtime's.
    :ivar explicit: the caller says that this replaces what stood (``correct``, ``--replace``).
    :ivar if_revision: the revision that the caller read; ``None`` if not given, 0 for "there was none".
    """

    predicate: str
    value: str | None = None
    level: Level | None = None
    task: str | None = None
    qualification: Qualification = Qualification()
    private: bool = False
    none: bool = False
    type: Type | None = None
    policy: bool = False
    description: str | None = None
    body: str | None = None
    depends_on: tuple[str, ...] = ()
    expires: str | None = None
    review_after: str | None = None
    explicit: bool = False
    correction: bool = False
    if_revision: int | None = None
    after_forget: bool = False
    provenance: Provenance = Provenance()
