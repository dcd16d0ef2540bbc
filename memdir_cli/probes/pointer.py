"""A place in a JSON, TOML or YAML file, named by a JSON pointer (RFC 6901)."""

from __future__ import annotations

from memdir_cli.domain import secrets
from memdir_cli.domain.evidence import Observation, Probe, canonical_hash, shown
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.seeing import of_unseen
from memdir_cli.probes.workspace import Unseen


def look_at_pointer(probe: Probe, ground: Ground) -> Observation:
    """The value at the pointer; where a step leads nowhere, what stands beside it."""
    value = ground.document(probe.path)
    if isinstance(value, Unseen):
        return of_unseen(value)
    for token in probe.name.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and _is_index(step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return Observation("gone", message=f"nothing at `{probe.name}`", beside=_beside(value))
    return Observation("seen", canonical_hash(value), shown(value) if _tellable(probe.name, value) else "")


def _tellable(pointer: str, value: object) -> bool:
    """Whether a value may be copied: not where it may hold what nobody asked for."""
    within = value if isinstance(value, list) else [value]
    return not secrets.is_name(pointer) and not any(isinstance(one, list) or _is_mapping(one) for one in within)


def _is_mapping(value: object) -> bool:
    # a scalar with a tag of its own, such as `!Ref name` of YAML, is kept as a mapping too
    return isinstance(value, dict) and not (len(value) == 1 and str(next(iter(value))).startswith("!"))


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdigit() and len(step) < 9 and (step == "0" or step[0] != "0")


def _beside(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        return ()
    return tuple((str(name), canonical_hash(inner)) for name, inner in value.items())
