"""Lasting: an answer to a reader is kept together with all that it follows from, for :mod:`repeating`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from memdir_cli.domain import times
from memdir_cli.domain.effective import NO_LIMITS, Verdict
from memdir_cli.domain.evidence import parse_probe
from memdir_cli.domain.identity import Identity, parse_predicate, stem
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.turning import next_turn
from memdir_cli.errors import UsageError
from memdir_cli.operations import repeating
from memdir_cli.operations.looking import Looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes import memdir_place
from memdir_cli.probes.checkout import Checkout, find_checkout
from memdir_cli.probes.git import Heard
from memdir_cli.probes.workspace import upwards
from memdir_cli.shapes import dataclass
from memdir_cli.storage import journal, kept, layout
from memdir_cli.storage.sighting import Names, Sighting
from memdir_cli.storage.signature import Signature

#: Seconds of a day; ages are told in days.
DAY = 86400

#: The folders in which the current memories lie, and those in which else a key may be found.
_CURRENT = (layout.MEMORIES, layout.TASKS)
_OTHERS = (layout.INBOX, layout.QUARANTINE, layout.HISTORY)

#: What says which version the project has.
_VERSIONED = ("package.json", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Standing:
    """How everything stood before anything was read.

    :ivar call: what is asked for, as :func:`repeating.call` gives it.
    :ivar heard: takes down what git is asked and says.
    :ivar stem: that of the key, where only what concerns one key was looked at.
    :ivar names: then by root and folder the names that begin like this.
    """

    call: str
    roots: tuple[str, ...]
    places: repeating.Places
    signature: Signature
    moments: tuple[object, ...]
    heard: Heard
    stem: str
    names: Mapping[str, Mapping[str, Sequence[str]]]


class SignedLooks(Looks):
    """Verdicts, with how each file of evidence stood before it was looked at."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.signature = Signature()
        self.files: list[str] = []

    def __getitem__(self, evidence: Evidence) -> Verdict:
        if evidence not in self._taken:
            with suppress(UsageError):
                self.watch(os.path.join(self._root, parse_probe(evidence.probe).path))
        return super().__getitem__(evidence)

    def watch(self, *paths: str) -> None:
        """Take in how files stand, unless that was done."""
        for path in paths:
            if path not in self.files:
                self.files.append(path)
                self.signature.look(path, follow=True)


def standing(call: str, cwd: str, environ: Mapping[str, str], given: str | None, key: str = "") -> Standing | None:
    """How everything stands that an answer will go by; ``None`` where it is not to be kept.

    :param given: the option ``--dir``.
    :param key: the one key that is asked for, ``""`` for all.
    """
    checkout = find_checkout(cwd, environ)
    found = memdir_place.project_memdir(cwd, checkout, environ, given)
    users = memdir_place.user_memdir(environ, cwd).value or ""
    roots = tuple(dict.fromkeys(root for root in (found.root, users) if root and os.path.isdir(root)))
    if not kept.folder(environ) or found.remarks or not roots:
        return None
    try:
        # before anything is looked at: what is seen then is of this moment, or of a later one
        moments, began = tuple(journal.moment(root) for root in roots), time.time_ns()
        names = _names(roots, key) if key else {}
        looks = [look for root in roots for look in (_narrow(root) if key else (("memdir", root),))]
        looks += [("target", root) for root in (found.root, users) if root]
        looks += [
            ("place", os.path.join(root, folder, name))
            for root, lying in names.items()
            for folder, some in lying.items()
            for name in some
        ]
        looks += [("target", path) for path in _versioned(cwd, checkout, found.root)]
        above = tuple(dict.fromkeys(os.path.realpath(path) for path in (cwd, found.root, users) if path))
        repository = (checkout.git_dir, checkout.common_dir) if checkout is not None else ()
        places: repeating.Places = (above, repository, tuple(looks))
        signature = repeating.sign(places, environ)
        # a name that came after the names were looked at is none of those that are signed
        signature.taken = began
        return Standing(call, roots, places, signature, moments, [], _stem(key) if key else "", names)
    except (OSError, UsageError):
        return None  # what is wrong is told elsewhere


def lend(stood: Standing, workplace: Workplace) -> None:
    """Let the memdirs know how their files stood, so that nobody has to look at them twice."""
    moments = dict(zip(stood.roots, stood.moments, strict=True))
    for store in workplace.stores:
        moment = moments.get(store.root)
        if stood.stem:
            store.foreseen_names = Names(moment, stood.stem, stood.names.get(store.root, {}))
        elif store.root in moments:
            stats = partial(_stats, stood.signature, store.root)
            store.foreseen = Sighting(moment, stood.signature.taken, stats)


def _stats(signature: Signature, root: str) -> dict[str, tuple[int, int, int, int]]:
    seen = signature.stats(os.path.join(os.path.realpath(root), layout.MEMORIES))
    return {layout.join(layout.MEMORIES, name): stat for name, stat in seen.items()}


def keep(
    stood: Standing, workplace: Workplace, looks: SignedLooks, status: int, said: str, remarks: Sequence[str]
) -> None:
    """Keep what was read and told; what must go meanwhile does not stay in it."""
    if not _goes_on(stood):
        return
    for store in workplace.stores:
        if store.unfiled is not None:
            store.unfiled()
    _keep(stood, workplace, looks, status, said, remarks)
    if not _goes_on(stood):
        # a writer may have taken away what was kept before this was
        for root in stood.roots:
            kept.drop(kept.folder(workplace.environ), root)


def _goes_on(stood: Standing) -> bool:
    """Whether nobody has written since."""
    return stood.moments == tuple(map(journal.moment, stood.roots))


def _keep(
    stood: Standing, workplace: Workplace, looks: SignedLooks, status: int, said: str, remarks: Sequence[str]
) -> None:
    """Keep what was told, unless it may be otherwise the next time although nothing shows it."""
    stores = workplace.stores
    if stood.stem and any(store.widely for store in stores):
        return
    if stood.signature.blind or stood.signature.fresh or looks.signature.fresh:
        return
    # what is not there was searched for in the whole workspace; a writer was interrupted
    if not all(map(os.path.exists, looks.files)):
        return
    if any(os.path.lexists(os.path.join(root, layout.JOURNAL)) for root in stood.roots):
        return
    now, environ = workplace.runtime.now, workplace.environ
    limits = workplace.runtime.age_limits
    turns = (
        next_turn((record.memory for record in store.given), now, limits.get(store.layer, NO_LIMITS))
        for store in stores
    )
    until = min((*turns, (times.start(now) // DAY + 1) * DAY))
    noted = tuple(
        (store.root, path, private, at, verb, rest)
        for store in stores
        if store.noted is not None
        for path, private, at, verb, rest in (store.noted,)
    )
    clock = (environ.get("MEMDIR_NOW", "").strip(), times.start(now), until)
    cited = (tuple(looks.files), looks.signature.digest)
    told = (status, said, tuple(remarks), noted)
    content = (stood.places, stood.signature.digest, clock, tuple(stood.heard), cited, told)
    kept.save(kept.folder(environ), stood.roots, stood.call, content)


def _names(roots: Sequence[str], key: str) -> dict[str, dict[str, list[str]]]:
    """By root and folder, the names of the files that may hold ``key``."""
    names = {root: _of_key(root, key, _CURRENT) for root in roots}
    if any(any(lying.values()) for lying in names.values()):
        return names
    # then it is told whether it waits, is in quarantine, or is past
    return {root: lying | _of_key(root, key, _OTHERS) for root, lying in names.items()}


def _of_key(root: str, key: str, folders: Sequence[str]) -> dict[str, list[str]]:
    """By folder, the names of the files that may hold ``key``."""
    bare = _stem(key)
    found: dict[str, list[str]] = {}
    for folder in folders:
        found[folder] = []
        with suppress(FileNotFoundError):
            names = os.listdir(os.path.join(root, folder))
            found[folder] = sorted(name for name in names if name.startswith(bare))
    return found


def _stem(key: str) -> str:
    return stem(Identity("", parse_predicate(key), Scope("user")), repository=False)


def _narrow(root: str) -> Iterator[tuple[str, str]]:
    """What matters to the current memories of one key, besides their files."""
    yield "files", root
    for path in (layout.JOURNAL, layout.PREPARED, layout.KEPT_TOMBSTONES):
        yield "place", os.path.join(root, path)
    for folder in (*_CURRENT, *_OTHERS):
        yield "names", os.path.join(root, folder)
    yield "files", os.path.join(root, layout.RECEIPTS)


def _versioned(cwd: str, checkout: Checkout | None, memdir: str) -> Iterator[str]:
    """The files that may say which version the project has here."""
    top = os.path.realpath(checkout.top if checkout is not None else os.path.dirname(memdir))
    here = os.path.realpath(cwd)
    inside = os.path.relpath(here, top) if top and os.path.commonpath((here, top)) == top else ""
    for directory in upwards("" if inside == "." else inside):
        yield from (os.path.join(top, directory, name) for name in _VERSIONED)
