"""Groups of options that several verbs share, as they were typed."""

from __future__ import annotations

from memdir_cli.shapes import dataclass

#: The type of a parameter that may be given several times.
REPEATED = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Common:
    """What every verb takes.

    :ivar dir: path of the memdir to use for the project, ``None`` to look for it.
    :ivar lock_timeout: seconds to wait for the lock, as typed.
    """

    json: bool = False
    quiet: bool = False
    dir: str | None = None
    lock_timeout: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What narrows a read: for which work the answer is wanted."""

    path: str | None = None
    topic: str | None = None
    env: tuple[str, ...] = ()
    for_version: str | None = None
    scope: str | None = None
    ignore_memory: bool = False


@dataclass(frozen=True, slots=True)
class Narrowed:
    """To where a memory is narrowed."""

    path: str | None = None
    topic: str | None = None
    env: tuple[str, ...] = ()
    for_version: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """PROVENANCE: who says it, in which words."""

    source: str | None = None
    said: str | None = None
    session: str | None = None
    message: str | None = None
    transcript: str | None = None


@dataclass(frozen=True, slots=True)
class Saying:
    """What ``remember`` and ``correct`` say about a key besides its value."""

    scope: str | None = None
    path: str | None = None
    topic: str | None = None
    env: tuple[str, ...] = ()
    for_version: str | None = None
    private: bool = False
    none: bool = False
    type: str | None = None
    authority: str | None = None
    description: str | None = None
    body_file: str | None = None
    depends_on: tuple[str, ...] = ()
    expires: str | None = None
    review_after: str | None = None
    replace: bool = False
    if_revision: str | None = None
    after_forget: bool = False
