"""Evidencing: what in the workspace a statement depends on, and what of it is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdir_cli.domain.glob import literal_prefix
from memdir_cli.domain.memory import Evidence, Memory, Type
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass, replace

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
    from memdir_cli.probes.ground import Ground

    own = scope.level != "repository" or statement.private
    ground = Ground(workplace.ground("user" if own else "project"))
    start = _start(workplace, scope)
    sought = [*_named(statement, ground), *_cited(texts, ground, start)]
    lock_file = _lock_file(statement, ground, start) if type_ == "fact" else None
    if lock_file is not None:
        sought.append(
            (lock_file, "" if lock_file.hash else f"`{lock_file.probe.removeprefix('exists:')}` is not there")
        )
    found: dict[str, Evidence] = {}
    for evidence, _ in sought:
        found.setdefault(evidence.probe, evidence)
    missing = [why for _, why in sought if why]
    return Gathered(tuple(found.values()), f"evidence-missing: {'; '.join(missing)}" if missing else "")


def _named(statement: Statement, ground: Ground) -> Iterator[tuple[Evidence, str]]:
    """What the statement names by ``--depends-on``, each with why it cannot be seen, ``""`` if it can."""
    from memdir_cli.probes import registry

    for probe in statement.depends_on:
        evidence, seen = registry.take(probe, ground)
        absent = f"`{printable(evidence.probe)}` is not there"
        yield evidence, "" if seen.state == "seen" else seen.message if seen.state == "unreadable" else absent


def _cited(texts: list[str], ground: Ground, start: str) -> Iterator[tuple[Evidence, str]]:
    """What the words of a statement cite, each with why it cannot be seen, ``""`` if it can."""
    from memdir_cli.probes.cited import cited

    for citation in cited(texts, ground, start):
        yield citation.evidence, f"`{printable(citation.evidence.probe)}` does not exist" if citation.missing else ""


def renew(workplace: Workplace, memory: Memory) -> tuple[Memory, tuple[str, ...]]:
    """``memory`` with fresh hashes, and what finds nothing any more: each probe with the reason, for people.

    Evidence whose file has moved is followed to where it lies now.
    """
    if not memory.depends_on:
        return memory, ()
    from memdir_cli.probes import registry
    from memdir_cli.probes.ground import Ground

    ground = Ground(workplace.ground("project" if memory.subject.startswith("project:") else "user"))
    fresh: dict[str, Evidence] = {}
    missing: list[str] = []
    for stored in memory.depends_on:
        try:
            evidence, seen = registry.take(registry.current(stored, ground), ground)
        except UsageError as error:
            # written by hand, and no probe at all
            missing.append(f"`{printable(stored.probe)}` ({error.message})")
            continue
        if seen.state == "seen":
            fresh[evidence.probe] = evidence
        else:
            missing.append(f"`{printable(stored.probe)}` ({seen.message})")
    return replace(memory, depends_on=tuple(fresh.values())), tuple(missing)


def followed(workplace: Workplace, memory: Memory, scope: Scope) -> tuple[Evidence, ...]:
    """What ``memory`` depends on where it comes to hold in ``scope``: what its words cite is found from there.

    Where nothing is found from there, all that it depended on stays.
    """
    if not memory.depends_on or scope.path == memory.scope.path:
        return memory.depends_on
    from memdir_cli.probes.cited import cited
    from memdir_cli.probes.ground import Ground

    ground = Ground(workplace.ground("project" if memory.subject.startswith("project:") else "user"))
    texts = [memory.value or "", memory.description, memory.body]
    before = {one.evidence.probe for one in cited(texts, ground, _start(workplace, memory.scope))}
    found = [one.evidence for one in cited(texts, ground, _start(workplace, scope)) if not one.missing]
    if not found:
        return memory.depends_on
    after = {evidence.probe: evidence for evidence in found}
    stays = {one.probe: one for one in memory.depends_on if one.probe in after or one.probe not in before}
    return tuple((after | stays).values())


def _start(workplace: Workplace, scope: Scope) -> str:
    """Where the nearest package.json is looked for: the literal beginning of the path, else here."""
    if scope.path:
        return "/".join(literal_prefix(scope.path))
    return workplace.runtime.path.value or ""


def _lock_file(statement: Statement, ground: Ground, start: str) -> Evidence | None:
    """The lock file on which a fact about the package manager depends, without hash if it is not there.

    A rule needs none: it may speak of what is to be. The nearest from ``start`` upwards is taken; where there
    is none, the one that should be at the root.
    """
    names = LOCK_FILES.get(_package_manager(statement), ())
    if not names:
        return None
    from memdir_cli.probes import registry, workspace

    for directory in workspace.upwards(start):
        for name in names:
            evidence, seen = registry.take(f"exists:{workspace.joined(directory, name)}", ground)
            if seen.state == "seen":
                return evidence
    return Evidence(f"exists:{names[0]}")


def _package_manager(statement: Statement) -> str:
    """The one package manager that a statement says is used, ``""`` if it says nothing of the kind."""
    names = "|".join(LOCK_FILES)
    said = (statement.value or statement.description or statement.body or "").strip().lower()
    if whole := re.fullmatch(rf"({names})(?:(?:@|\s+v?)\d\S*)?", said):
        return whole[1]
    about = re.search(r"package[-_. ]?manager", statement.predicate.lower())
    named = set(re.findall(rf"\b({names})\b" if about else rf"\buses? ({names})\b", said))
    return named.pop() if len(named) == 1 else ""


def with_file(source: Source, statement: Statement) -> Source:
    """``source``; what was taken from a file is labelled with the file that the statement depends on."""
    if source.kind != "file" or not statement.depends_on:
        return source
    from memdir_cli.domain.evidence import parse_probe

    return replace(source, ref=parse_probe(statement.depends_on[0]).path)
