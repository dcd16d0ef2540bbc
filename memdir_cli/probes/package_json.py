"""package.json: one script, all scripts, the major version. composer.json has scripts of the same form."""

from __future__ import annotations

from memdir_cli.domain.evidence import Observation, Probe, canonical_hash, shown
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.seeing import not_seen, package


def look_at_script(probe: Probe, ground: Ground) -> Observation:
    """One script: its command as it is parsed."""
    found = package(probe.path, ground)
    if isinstance(found, Observation):
        return found
    scripts = scripts_of(found)
    if probe.name in scripts:
        command = scripts[probe.name]
        return Observation("seen", canonical_hash(command), shown(command))
    beside = tuple((name, canonical_hash(command)) for name, command in scripts.items())
    return Observation("gone", message=f"no script `{probe.name}`", beside=beside)


def look_at_scripts(probe: Probe, ground: Ground) -> Observation:
    """The mapping of all script names to commands; none is an empty one."""
    found = package(probe.path, ground)
    if isinstance(found, Observation):
        return found
    scripts = scripts_of(found)
    return Observation("seen", canonical_hash(scripts), f"{len(scripts)} scripts")


def look_at_major(probe: Probe, ground: Ground) -> Observation:
    """The number before the first dot of ``version``; a version of another form as a whole."""
    found = package(probe.path, ground)
    if isinstance(found, Observation):
        return found
    version = found.get("version")
    if not isinstance(version, str) or not version.strip():
        return not_seen("gone", "no `version`")
    major = version.strip().lstrip("vV=").partition(".")[0]
    return Observation("seen", canonical_hash(major), shown(major))


def scripts_of(document: dict[str, object]) -> dict[str, object]:
    """The scripts that a package manager would run: text, in composer also lists of text."""
    scripts = document.get("scripts")
    if not isinstance(scripts, dict):
        return {}
    return {name: command for name, command in scripts.items() if isinstance(command, str | list)}
