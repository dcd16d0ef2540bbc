"""Keeping: what `check` said is kept together with how everything stood, for :mod:`retelling`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from memdir_cli.checks.examined import Examined, Leftovers
from memdir_cli.domain import times
from memdir_cli.domain.effective import NO_LIMITS
from memdir_cli.domain.evidence import parse_probe
from memdir_cli.domain.findings import CheckAnswer, Lasting
from memdir_cli.domain.runtime import Fact
from memdir_cli.domain.turning import next_turn
from memdir_cli.errors import UsageError
from memdir_cli.operations import retelling
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes import memdir_place, survey
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.git import Heard
from memdir_cli.shapes import dataclass
from memdir_cli.storage import kept
from memdir_cli.storage.signature import Signature


@dataclass(frozen=True, slots=True)
class Standing:
    """How everything stood before anything was read.

    :ivar request: what is asked for.
    :ivar where: what was looked at.
    :ivar digest: that of its signature; all the rest of it would be large to keep.
    :ivar settled: whether any later change of it will show.
    :ivar heard: what git was asked and said.
    :ivar repository: what follows from that.
    """

    request: retelling.Asked
    where: retelling.Whereabouts
    digest: str
    settled: bool
    heard: Heard
    repository: Fact


def standing(request: retelling.Asked, cwd: str, environ: Mapping[str, str]) -> Standing | None:
    """How everything stands that `check` will go by; ``None`` where what it says is not to be kept."""
    checkout = find_checkout(cwd, environ)
    found = memdir_place.project_memdir(cwd, checkout, environ, dict(request).get("dir"))
    users = memdir_place.user_memdir(environ, cwd).value or ""
    judged = found.root or users
    if not kept.folder(environ) or found.remarks or not os.path.isdir(judged):
        return None
    where = (judged, users, (checkout.git_dir, checkout.common_dir) if checkout is not None else ())
    heard = Heard()
    try:
        signature = retelling.sign(where, cwd, environ)
    except OSError:
        return None
    repository = survey.repository_fact(checkout, environ, heard)
    settled = not (signature.blind or signature.fresh)
    return Standing(request, where, signature.digest, settled, heard, repository)


def keep(stood: Standing, workplace: Workplace, answer: CheckAnswer, told: retelling.Told) -> None:
    """Keep what was said, unless it may be otherwise the next time although nothing shows it."""
    lasting, environ, cwd = answer.lasting, workplace.environ, workplace.cwd
    if lasting is None or answer.unchecked or workplace.runtime.repository != stood.repository:
        return
    if not stood.settled or lasting.fresh:
        return
    clock = (environ.get("MEMDIR_NOW", "").strip(), lasting.since, lasting.until)
    heard = (*stood.heard, *lasting.heard)
    content = (stood.where, stood.digest, clock, heard, (lasting.cited, lasting.stood), told)
    kept.save(kept.folder(environ), stood.where[:1], retelling.call(stood.request, cwd), content)


def cited(workplace: Workplace, examined: Examined) -> dict[str, str]:
    """The files on which memories in service depend: absolute paths by those from the root of the workspace."""
    found: dict[str, str] = {}
    for evidence in {one for record in examined.served for one in record.memory.depends_on} if workplace.root else ():
        with suppress(UsageError):
            path = parse_probe(evidence.probe).path
            found[path] = os.path.join(workplace.root, path)
    return dict(sorted(found.items()))


def lasting(
    workplace: Workplace,
    examined: Examined,
    files: Mapping[str, str],
    stood: Signature,
    looked_at: Iterable[str],
    heard: Heard,
) -> Lasting | None:
    """For how long what was found stays true; ``None`` where nobody can tell.

    What is not there was searched for in the whole workspace, and a writer that was interrupted may go on.

    :param files: as :func:`cited` gives them.
    :param stood: how those stood before they were looked at.
    :param looked_at: which of them were.
    :param heard: what git was asked meanwhile and said.
    """
    if examined.leftovers != Leftovers() or not all(os.path.exists(files.get(path, "")) for path in looked_at):
        return None
    now = workplace.runtime.now
    limits = workplace.runtime.age_limits.get(examined.layer, NO_LIMITS)
    until = next_turn((record.memory for record in examined.records), now, limits)
    return Lasting(times.start(now), until, tuple(files.values()), stood.digest, stood.fresh, tuple(heard))
