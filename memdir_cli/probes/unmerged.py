"""Unmerged: what git could not merge, as the three versions of each file that lie in its index."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir_cli.probes import spawn
from memdir_cli.probes.checkout import Checkout
from memdir_cli.probes.git import TIMEOUT, Heard
from memdir_cli.probes.git_environment import asking, command
from memdir_cli.probes.staging import GITLINK, LINK, blobs
from memdir_cli.shapes import dataclass, field


@dataclass(frozen=True, slots=True)
class Unmerged:
    """The files of one folder that are in conflict; a version that a side does not have is not there.

    :ivar base: content by POSIX path from the folder, as is each of the others.
    :ivar place: how git calls the folder from anywhere in the working tree, such as ``:/.memdir``.
    """

    base: Mapping[str, bytes] = field(default_factory=dict)
    ours: Mapping[str, bytes] = field(default_factory=dict)
    theirs: Mapping[str, bytes] = field(default_factory=dict)
    place: str = ""

    @property
    def paths(self) -> frozenset[str]:
        """Everything that is in conflict."""
        return frozenset({*self.base, *self.ours, *self.theirs})


NOTHING = Unmerged()


def unmerged(folder: str, checkout: Checkout, environ: Mapping[str, str], heard: Heard | None = None) -> Unmerged:
    """What is in conflict below ``folder`` (absolute, in the working tree); nothing where git does not answer.

    :param heard: takes down what git was asked and said: from no more follows what is in conflict.
    """
    here = os.path.realpath(folder)
    environment = asking(environ, checkout.top)
    listed = _listed(here, checkout.top, environment, heard)
    stages: dict[str, dict[str, str]] = {"1": {}, "2": {}, "3": {}}
    for line in listed.split(b"\0"):
        about, _, name = line.partition(b"\t")
        words = about.decode("ascii", "replace").split(" ")
        if len(words) == 3 and words[0] not in {LINK, GITLINK}:
            stages[words[2]][os.fsdecode(name)] = words[1]
    wanted = sorted({blob for stage in stages.values() for blob in stage.values()})
    if not wanted:
        return NOTHING
    asked = "".join(f"{blob}\n" for blob in wanted).encode()
    found = blobs(_git(here, environment, "cat-file", "--batch", given=asked), wanted)
    base, ours, theirs = ({path: found[blob] for path, blob in stage.items()} for stage in stages.values())
    inside = os.path.relpath(here, checkout.top).replace(os.sep, "/")
    return Unmerged(base, ours, theirs, ":/" if inside == "." else f":/{inside}")


def _listed(here: str, top: str, environment: Mapping[str, str], heard: Heard | None) -> bytes:
    arguments = ("ls-files", "-u", "-z")
    try:
        outcome = spawn.run(command(here, arguments), environment, TIMEOUT)
    except (OSError, ValueError):
        outcome = spawn.FAILED
    if heard is not None:
        heard.append((here, top, arguments, outcome))
    return outcome[1] if outcome[0] == 0 else b""


def _git(folder: str, environment: Mapping[str, str], *arguments: str, given: bytes = b"") -> bytes:
    import subprocess

    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            env=dict(environment),
            input=given,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
