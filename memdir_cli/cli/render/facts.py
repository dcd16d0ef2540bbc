"""The runtime of a call, fact by fact, each with where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir_cli.domain.runtime import Fact
from memdir_cli.domain.text import printable
from memdir_cli.domain.view import Document

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace


def document(workplace: Workplace) -> Document:
    """The answer of ``whoami``: every fact with ``value`` and ``from``."""
    runtime = workplace.runtime
    environment = {name: _fact(fact) for name, fact in sorted(runtime.environment.items())}
    named = {name.replace(" ", "_"): _fact(fact) for name, fact in _facts(workplace).items()}
    return {**named, "environment": environment, "now": runtime.now, "memdirs": _memdirs(workplace)}


def lines(workplace: Workplace) -> str:
    """The answer for people: name, value, origin; one fact a line."""
    facts = dict(_facts(workplace))
    facts |= {f"environment.{name}": fact for name, fact in sorted(workplace.runtime.environment.items())}
    facts["path"] = _as_path(facts["path"])
    rows = [(name, _shown(fact.value), fact.origin) for name, fact in facts.items()]
    rows.append(("project memdir", workplace.project_root or "-", "" if workplace.project else "none"))
    rows.append(("user memdir", workplace.user_root or "-", "" if workplace.user else "not made yet"))
    wide = max(len(name) for name, _, _ in rows)
    return "\n".join(_line(name.ljust(wide), value, origin) for name, value, origin in rows)


def _facts(workplace: Workplace) -> dict[str, Fact]:
    runtime = workplace.runtime
    return {
        "user": runtime.user,
        "repository": runtime.repository,
        "project": runtime.project,
        "task": runtime.task,
        "session": runtime.session,
        "message": runtime.message,
        "path": runtime.path,
        "topic": runtime.topic,
        "version": runtime.version,
        "agent": runtime.agent,
    }


def _as_path(fact: Fact) -> Fact:
    """The root as people write it."""
    return Fact(".", fact.origin) if fact.value == "" else fact


def _memdirs(workplace: Workplace) -> Document:
    return {
        "project": {"path": workplace.project_root or None, "exists": workplace.project is not None},
        "user": {"path": workplace.user_root or None, "exists": workplace.user is not None},
    }


def _fact(fact: Fact) -> Document:
    return {"value": fact.value, "from": fact.origin}


def _shown(value: str | None) -> str:
    if value is None:
        return "-"
    return printable(value) if value else '""'


def _line(name: str, value: str, origin: str) -> str:
    return f"{name}  {value}  ({printable(origin)})" if origin else f"{name}  {value}"
