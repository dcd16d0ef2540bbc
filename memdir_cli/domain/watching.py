"""Watching: what ``watch`` tells while it runs."""

from __future__ import annotations

from memdir_cli.domain.refreshing import RefreshAnswer
from memdir_cli.errors import MemdirError
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Watching:
    """What is watched from now on, besides what was before.

    :ivar memdirs: absolute paths of their roots; none where only files come under watch.
    :ivar files: paths of evidence, from the root of the project.
    """

    memdirs: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """One refresh.

    :ivar because: absolute paths of what had changed; none for the first one.
    """

    because: tuple[str, ...]
    answer: RefreshAnswer


@dataclass(frozen=True, slots=True)
class Polling:
    """There are no events: files are looked at again and again.

    :ivar why: a clause.
    """

    why: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """A refresh that did not succeed; it is tried again."""

    error: MemdirError


@dataclass(frozen=True, slots=True)
class Ended:
    """A signal asked to stop."""

    signal: int


Told = Watching | Refreshed | Polling | Failed | Ended
