"""Scope: where a memory applies. A level, and qualifiers that narrow it."""

from __future__ import annotations

from typing import Literal

from memdir_cli.shapes import dataclass

Level = Literal["task", "repository", "user"]

#: Precedence of levels when reading: the first that answers wins, whatever its age.
LEVELS: tuple[Level, ...] = ("task", "repository", "user")


@dataclass(frozen=True, slots=True)
class Scope:
    """Level and qualifiers.

    :ivar level: ``task``, ``repository`` or ``user``.
    :ivar task: the task's id at level ``task``, else ``None``.
    :ivar repository: the repository id at level ``repository``, and of a task that was
        begun inside a repository; else ``None``.
    :ivar path: glob from the repository root.
    :ivar topic: free word the reader must name.
    :ivar environment: sorted pairs such as ``(("os", "linux"),)``.
    :ivar version: npm range of the project's version.
    """

    level: Level
    task: str | None = None
    repository: str | None = None
    path: str | None = None
    topic: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    version: str | None = None

    @property
    def text(self) -> str:
        """The value of the frontmatter key ``scope``: ``user``, ``repository:<id>``, ``task:<id>``."""
        if self.level == "task":
            return f"task:{self.task}"
        if self.level == "repository":
            return f"repository:{self.repository}"
        return "user"

    @property
    def qualified(self) -> bool:
        """Whether anything narrows the level."""
        return bool(self.path or self.topic or self.environment or self.version)

    @property
    def qualifiers(self) -> str:
        """The qualifiers in canonical lines, ``""`` when there are none. Equal lines, equal qualifiers."""
        if not self.qualified:
            return ""
        parts = []
        if self.path:
            parts.append(f"path={_escaped(self.path)}")
        if self.topic:
            parts.append(f"topic={_escaped(self.topic)}")
        for key, value in self.environment:
            name = _escaped(key).replace("=", "\\=")
            parts.append(f"environment.{name}={_escaped(value)}")
        if self.version:
            parts.append(f"version={_escaped(self.version)}")
        return "\n".join(parts)


def _escaped(text: str) -> str:
    """``text`` on one line, so that no text looks like two qualifiers."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")
