"""Whether a file or directory is there at all."""

from __future__ import annotations

from memdir_cli.domain.evidence import Observation, Probe, canonical_hash
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.seeing import not_seen
from memdir_cli.probes.workspace import ABSENT


def look_at_existence(probe: Probe, ground: Ground) -> Observation:
    """A file or a directory: becoming the other is a change, not being there is being gone."""
    if ground.kind("") != "directory":
        return not_seen("absent", ABSENT.message)
    kind = ground.kind(probe.path)
    if kind:
        return Observation("seen", canonical_hash(kind), kind)
    # the hash of a name's kind says nothing about another name, so that only the spelling suggests one
    beside = tuple((name, "") for name in ground.beside(probe.path))
    return Observation("gone", message="no such file here", beside=beside)
