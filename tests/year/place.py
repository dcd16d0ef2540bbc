"""The year as a place in which to run memdir: the fixture laid out as home and repository."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox import Outcome, Sandbox, isolated
from tests.year.story import END, REPOSITORY

FIXTURE = Path(__file__).resolve().parent.parent.parent / "fixtures/health/year"

#: The reports that lie beside the year, and how each is made.
REPORTS: dict[str, tuple[str, ...]] = {
    "report.txt": ("--format", "text"),
    "report.md": ("--format", "markdown"),
    "report.json": ("--format", "json"),
    "report.html": ("--format", "html"),
    "june.json": ("--month", "2026-06", "--format", "json"),
}

#: The evening of the last day.
NOW = {"MEMDIR_NOW": f"{END}T18:00:00Z"}


@dataclass(frozen=True, slots=True)
class Place:
    """Home and repository after the year."""

    sandbox: Sandbox
    top: Path

    @property
    def memdir(self) -> Path:
        """The project memdir."""
        return self.top / ".memdir"

    def health(self, *line: str, cwd: Path | None = None, **env: str) -> Outcome:
        """``memdir health``, on the evening of the last day."""
        return self.sandbox.run("health", *line, cwd=cwd or self.top, env={**NOW, **env})


def laid(root: Path) -> Place:
    """The fixture below ``root``: a repository with its memdir, and the user's."""
    sandbox = isolated(root)
    top = sandbox.repository("legacy-dashboard", remote=REPOSITORY)
    shutil.copytree(FIXTURE / "project", top / ".memdir")
    (top / ".memdir/gitignore").rename(top / ".memdir/.gitignore")
    shutil.copytree(FIXTURE / "user", sandbox.user_memdir)
    sandbox.user_memdir.chmod(0o700)
    shutil.copytree(FIXTURE / "workspace", top, dirs_exist_ok=True)
    return Place(sandbox, top)


def report(place: Place, line: tuple[str, ...]) -> str:
    """A report of the year as it is printed."""
    done = place.health(*line)
    if done.exit or done.stderr:
        raise RuntimeError(done.stderr)
    return done.stdout
