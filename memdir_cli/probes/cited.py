"""From the commands that a text cites to the evidence that stands for them."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain.citations import Citation, citations
from memdir_cli.domain.evidence import Observation, Probe, evidence, parse_probe
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.runners import RUNNERS
from memdir_cli.probes import workspace
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.registry import look
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Cited:
    """A cited command and what stands for it.

    :ivar evidence: the probe, with its hash where the command was seen.
    :ivar missing: the file is there, the command in it is not: the memory speaks of what does not exist.
    """

    citation: Citation
    evidence: Evidence
    seen: Observation

    @property
    def missing(self) -> bool:
        """Whether the text cites what its file does not have."""
        return self.seen.state == "gone"


def cited(texts: Iterable[str], ground: Ground, start: str = "") -> tuple[Cited, ...]:
    """What ``texts`` (value, description, body) cite, each probe once.

    A citation whose file is not here stands for nothing that could be looked at and is left out, and so is
    shorthand that names no script.

    :param start: directory from which the nearest package.json is looked for: the literal prefix of the
        memory's path, else the working path.
    """
    found: dict[str, Cited] = {}
    for citation in citations(*texts):
        for probe in _probes(citation, ground, start):
            seen = look(probe, ground)
            if seen.state == "seen" or (citation.certain and seen.state in {"gone", "unreadable"}):
                found.setdefault(probe.text, Cited(citation, evidence(probe, seen), seen))
                break
    return tuple(found.values())


def _probes(citation: Citation, ground: Ground, start: str) -> list[Probe]:
    """Where the command may stand, the likeliest first."""
    directory = _directory(citation, ground, start)
    if directory is None:
        return []
    if RUNNERS[citation.runner].scripts:
        path = _nearest(("package.json",), ground, directory)
        return [Probe("script", path, citation.name)] if path else []
    probes = []
    for names, form in _ELSEWHERE[citation.runner]:
        path = _nearest(names, ground, directory)
        if path:
            pointed = citation.name.replace("~", "~0").replace("/", "~1")
            probes.append(parse_probe(path + form.format(name=citation.name, pointer=pointed)))
    return probes


#: Where other programs keep what they run: names of the file, and the probe's part after its path.
_ELSEWHERE: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "composer": ((("composer.json",), "#scripts.{name}"),),
    "cargo": (((".cargo/config.toml", ".cargo/config"), "#/alias/{pointer}"),),
    "make": ((("GNUmakefile", "makefile", "Makefile"), "#targets.{name}"),),
    "just": ((("justfile", ".justfile", "Justfile"), "#targets.{name}"),),
    "uv": ((("pyproject.toml",), "#/project/scripts/{pointer}"),),
    "poetry": (
        (("pyproject.toml",), "#/tool/poetry/scripts/{pointer}"),
        (("pyproject.toml",), "#/project/scripts/{pointer}"),
    ),
    "pdm": (
        (("pyproject.toml",), "#/tool/pdm/scripts/{pointer}"),
        (("pyproject.toml",), "#/project/scripts/{pointer}"),
    ),
}


def _directory(citation: Citation, ground: Ground, start: str) -> str | None:
    """The directory in which the command runs, ``None`` if it cannot be told."""
    if citation.at_root:
        return ""
    if citation.directory:
        if workspace.relative(citation.directory) is None:
            return None
        return workspace.relative(workspace.joined(start, citation.directory))
    return _workspace(citation.workspace, ground, start) if citation.workspace else start


def _workspace(wanted: str, ground: Ground, start: str) -> str | None:
    """The directory of a workspace that is named by its path or by its package's name."""
    wanted = wanted.strip("{}").removeprefix("...").removesuffix("...").rstrip("^")
    if not wanted or any(char in wanted for char in "*!["):
        return None
    for base in dict.fromkeys((start, "")):
        path = workspace.relative(workspace.joined(base, wanted)) if not wanted.startswith("@") else None
        if path and ground.kind(workspace.joined(path, "package.json")) == "file":
            return path
    named = [path for path in ground.named("package.json") if _package_name(path, ground) == wanted]
    named = named or [
        path for path in ground.named("package.json") if _package_name(path, ground).endswith(f"/{wanted}")
    ]
    return named[0].rpartition("/")[0] if len(named) == 1 else None


def _package_name(path: str, ground: Ground) -> str:
    document = ground.document(path)
    name = document.get("name") if isinstance(document, dict) else None
    return name if isinstance(name, str) else ""


def _nearest(names: tuple[str, ...], ground: Ground, start: str) -> str:
    """The first file of one of ``names`` from ``start`` upwards, ``""`` for none."""
    inside = workspace.relative(start)
    for directory in workspace.upwards(inside or ""):
        for name in names:
            path = workspace.joined(directory, name)
            if ground.kind(path) == "file":
                return path
    return ""
