"""Events and memories for the tests of the report: everything but the point at a default."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdir_cli.domain.effective import effective
from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.health import assembling
from memdir_cli.domain.health.facts import Facts, Known, code_of
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Figure, Month
from memdir_cli.domain.snapshot import Record
from tests.records import project

NOW = "2026-09-30T18:00:00Z"

_EVENT = Happened(
    "2026-09-01T08:00:00Z", "created", "a", 1, "", "verified", "user", "repository", "user", "t", "project"
)


def event(kind: str, at: str = "2026-09-01T08:00:00Z", **more: Any) -> Happened:
    """An event of the project memdir, of memory ``a`` at revision 1."""
    return replace(_EVENT, kind=kind, at=at, **more)


def known(record: Record | None = None, **more: Any) -> Known:
    """A memory as clock and file say it stands at :data:`NOW`."""
    found = record if record is not None else project()
    status = effective(found.memory, NOW)
    return Known(found, status.status, code_of(status.reason), **more)


def facts(*memories: Known, **more: Any) -> Facts:
    """What a report of September is made from."""
    told: dict[str, Any] = {
        "month": "2026-09",
        "now": NOW,
        "subject": "github.com/acme/app",
        "past": False,
        "looked": True,
        "memdirs": ("project",),
        "known": memories,
        "ghosts": {},
        "ended": {},
        "happened": (),
        "reads": Reads(),
        "refused": (),
        "trend": (Month("2026-08"), Month("2026-09")),
        **more,
    }
    return Facts(**told)


def figure_of(told: Facts, section: str, name: str) -> Figure:
    """One number of a report."""
    (found,) = (one for one in assembling.report(told).sections if one.name == section)
    return next(one for one in found.figures if one.name == name)
