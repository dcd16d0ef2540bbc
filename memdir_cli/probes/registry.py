"""Looks by kind, and the one way to take them.

Nothing here raises for what the workspace holds: a file that is missing, damaged or forbidden is an
observation like any other.
"""

from __future__ import annotations

from collections.abc import Callable

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.evidence import Kind, Observation, Probe, evidence, judge, parse_probe
from memdir_cli.domain.memory import Evidence
from memdir_cli.errors import UsageError
from memdir_cli.probes.content import look_at_content
from memdir_cli.probes.existence import look_at_existence
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.package_json import look_at_major, look_at_script, look_at_scripts
from memdir_cli.probes.pointer import look_at_pointer
from memdir_cli.probes.targets import look_at_target

LOOKS: dict[Kind, Callable[[Probe, Ground], Observation]] = {
    "script": look_at_script,
    "scripts": look_at_scripts,
    "major": look_at_major,
    "target": look_at_target,
    "pointer": look_at_pointer,
    "content": look_at_content,
    "exists": look_at_existence,
}


def look(probe: Probe, ground: Ground) -> Observation:
    """What is at ``probe`` now."""
    return LOOKS[probe.kind](probe, ground)


def take(probe: str, ground: Ground) -> tuple[Evidence, Observation]:
    """Evidence as it is stored for a probe (without hash if nothing was seen), and what was seen.

    :raises UsageError: if ``probe`` is none.
    """
    parsed = parse_probe(probe)
    seen = look(parsed, ground)
    return evidence(parsed, seen), seen


def verdict(stored: Evidence, ground: Ground) -> Verdict:
    """What the workspace says of stored evidence. A probe that is none is unreadable."""
    try:
        probe = parse_probe(stored.probe)
    except UsageError as error:
        return Verdict("unreadable", error.message)
    seen = look(probe, ground)
    judged = judge(stored, seen, _moved_to(probe, stored, seen, ground))
    if (judged.absent or (judged.kind == "removed" and probe.kind == "exists")) and not ground.whole:
        return Verdict("unknown", f"{judged.message}; not all of the project is here")
    return judged


def current(stored: Evidence, ground: Ground) -> str:
    """The probe that looks at stored evidence where it lies now.

    :raises UsageError: if its probe is none.
    """
    judged = verdict(stored, ground)
    return parse_probe(stored.probe).at(judged.near).text if judged.kind == "moved" else stored.probe


def _moved_to(probe: Probe, stored: Evidence, seen: Observation, ground: Ground) -> str:
    """The one other file of the same name that holds what was stored; ``""`` for none, and for several."""
    absent = seen.state == "absent" or (probe.kind == "exists" and seen.state == "gone")
    if not absent or not stored.hash:
        return ""
    same = _holders(probe, ground).get(stored.hash, [])
    return same[0] if len(same) == 1 else ""


def _holders(probe: Probe, ground: Ground) -> dict[str, list[str]]:
    """The same look at every file of the name, once in a run: the paths by the hash of what each holds."""
    file = probe.path.rpartition("/")[2]
    asked = (probe.kind, file, probe.name)
    if asked not in ground.holders:
        holders: dict[str, list[str]] = {}
        for path in ground.named(file):
            holders.setdefault(look(probe.at(path), ground).hash, []).append(path)
        ground.holders[asked] = holders
    return ground.holders[asked]
