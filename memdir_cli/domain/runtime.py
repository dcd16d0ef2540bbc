"""Runtime: who asks, where, and for what. From the machine, never from a memory, never from a model."""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.shapes import dataclass, field


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about the runtime and where it came from.

    :ivar value: the fact, ``None`` if it is not known.
    :ivar origin: where it came from, for people, such as ``git remote origin``.
    """

    value: str | None
    origin: str = "not known"


UNKNOWN = Fact(None)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The facts against which scopes are judged.

    :ivar user: id of the user, without the prefix ``user:``.
    :ivar repository: the repository id that git gives; a user's private rules match only this one.
    :ivar project: the repository id that the project memdir's config carries.
    :ivar path: the working path from the repository root, POSIX, ``""`` at the root; ``None`` outside.
    :ivar topic: the topic that the reader named.
    :ivar environment: facts such as ``os``, ``container``, ``shell``.
    :ivar version: the project's version.
    :ivar agent: the agent or CI that runs this, if any is recognised.
    :ivar project_here: the workspace is that of the project memdir; where it lies outside the project that it
        speaks of, nothing here says anything about its memories.
    :ivar age_limits: per memdir (``project``, ``user``) what its config says: type to span.
    :ivar now: the time of this run, RFC 3339 in UTC with seconds.
    """

    now: str
    user: Fact = UNKNOWN
    repository: Fact = UNKNOWN
    project: Fact = UNKNOWN
    task: Fact = UNKNOWN
    session: Fact = UNKNOWN
    message: Fact = UNKNOWN
    path: Fact = UNKNOWN
    topic: Fact = UNKNOWN
    environment: dict[str, Fact] = field(default_factory=dict)
    version: Fact = UNKNOWN
    agent: Fact = UNKNOWN
    project_here: bool = True
    age_limits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects whose memories are this runtime's to read."""
        user = (f"user:{self.user.value}",) if self.user.value else ()
        project = (f"project:{self.project.value}",) if self.project.value else ()
        return (*user, *project)

    @property
    def home_repository(self) -> str | None:
        """The repository in which a task runs: what git gives, else what the project memdir says."""
        return self.repository.value or self.project.value
