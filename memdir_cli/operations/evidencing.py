"""Evidencing: what in the workspace a statement depends on, and what of it is not there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memdir_cli.domain.glob import literal_prefix
from memdir_cli.domain.memory import Evidence, Memory, Type
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.statement import Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations.workplace import Workplace

if TYPE_CHECKING:
    from memdir_cli.probes.ground import Ground

#: The file that shows which package manager a project uses; a fact about it must find its own.
LOCK_FILES = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "pnpm": ("pnpm-lock.yaml",),
    "yarn": ("yarn.lock",),
    "bun": ("bun.lock", "bun.lockb"),
    "uv": ("uv.lock",),
    "poetry": ("poetry.lock",),
}


@dataclass(frozen=True, slots=True)
class Gathered:
    """Evidence as it is stored, and why the memory cannot be verified, ``""`` if it can."""

    evidence: tuple[Evidence, ...] = ()
    missing: str = ""


def gather(workplace: Workplace, statement: Statement, scope: Scope, type_: Type, description: str) -> Gathered:
    """Look at what the statement names by ``--depends-on`` or cites in its words.

    :raises UsageError: for a probe that is none, or at user level, where there is no workspace.
    """
    if scope.level == "user":
        if statement.depends_on:
            raise UsageError(
                "`--depends-on` looks into a project, and a rule of the user has none.",
                hint="use `--scope repository`, or leave it out",
            )
        return Gathered()
    texts = [statement.value or "", description if statement.description else "", statement.body or ""]
    if not statement.depends_on and not any(texts):
        return Gathered()
    from memdir_cli.probes import registry
    from memdir_cli.probes.cited import cited
    from memdir_cli.probes.ground import Ground

    ground = Ground(workplace.root)
    found: dict[str, Evidence] = {}
    missing: list[str] = []
    for probe in statement.depends_on:
        evidence, seen = registry.take(probe, ground)
        found[evidence.probe] = evidence
        if seen.state != "seen":
            missing.append(
                f"`{printable(evidence.probe)}` is not there" if seen.state != "unreadable" else seen.message
            )
    for citation in cited(texts, ground, _start(workplace, scope)):
        found.setdefault(citation.evidence.probe, citation.evidence)
        if citation.missing:
            missing.append(f"`{printable(citation.evidence.probe)}` does not exist")
    if type_ == "fact":
        found |= _lock_file(statement, ground, missing)
    return Gathered(tuple(found.values()), f"evidence-missing: {'; '.join(missing)}" if missing else "")


def renew(workplace: Workplace, memory: Memory) -> tuple[Memory, tuple[str, ...]]:
    """``memory`` with fresh hashes, and the probes that find nothing any more."""
    if not memory.depends_on:
        return memory, ()
    from memdir_cli.probes import registry
    from memdir_cli.probes.ground import Ground

    ground = Ground(workplace.root)
    fresh: list[Evidence] = []
    missing: list[str] = []
    for stored in memory.depends_on:
        evidence, seen = registry.take(stored.probe, ground)
        if seen.state == "seen":
            fresh.append(evidence)
        else:
            missing.append(stored.probe)
    return replace(memory, depends_on=tuple(fresh)), tuple(missing)


def _start(workplace: Workplace, scope: Scope) -> str:
    """Where the nearest package.json is looked for: the literal beginning of the path, else here."""
    if scope.path:
        return "/".join(literal_prefix(scope.path))
    return workplace.runtime.path.value or ""


def _lock_file(statement: Statement, ground: Ground, missing: list[str]) -> dict[str, Evidence]:
    """A fact about the package manager needs the lock file that shows it; a rule does not."""
    names = LOCK_FILES.get((statement.value or "").strip().lower(), ())
    if not names:
        return {}
    from memdir_cli.probes import registry

    for name in names:
        evidence, seen = registry.take(f"exists:{name}", ground)
        if seen.state == "seen":
            return {evidence.probe: evidence}
    missing.append(f"`{names[0]}` is not there")
    return {}
