"""Repeating: what a reading verb answered the last time, while everything stands as it stood.

As :mod:`retelling` for `check`: an answer follows from what was asked, a few variables, the clock, and how some files
stand. All that is kept beside the answer (:mod:`lasting` does so); where it is the same now, nothing needs to be read,
parsed or imported to give the answer again. A read that feeds an agent is logged again, with the time and the session
of this call.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from memdir_cli import __version__
from memdir_cli.operations.retelling import Clock, Heard, git_says, goes_on, sign_files, sign_program, sign_surroundings
from memdir_cli.probes import variables
from memdir_cli.storage import kept
from memdir_cli.storage.signature import Signature

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Directories whose place says what belongs to what, those of the git repository, and what else to look at: how and
#: where (see :data:`_LOOKS`).
Places = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]

#: Where a read was noted: root and path of the log, whether it is this account's alone, the time, the verb, and what
#: follows the session.
Noted = tuple[str, str, bool, str, str, str]

#: Exit status, result, remarks, where it was noted.
Told = tuple[int, str, tuple[str, ...], tuple[Noted, ...]]

#: Places, how they stood, the clock, git, the files of evidence and how they stood, and what was told.
Kept = tuple[Places, str, Clock, Heard, tuple[tuple[str, ...], str], Told]

#: How a place is looked at: what is there; where it leads and what is there; which names are in a folder; which files
#: are in a folder; all of a memdir.
_LOOKS: dict[str, Callable[[Signature, str], object]] = {
    "place": Signature.look,
    "target": Signature.follow,
    "names": Signature.names,
    "files": Signature.folder,
    "memdir": Signature.memdir,
}

#: What shows that this is a container.
_GROUPS = "/proc/1/cgroup"


def call(verb: str, given: Mapping[str, Any], cwd: str) -> str:
    """What tells this call from every other one.

    :param given: what was given, by parameter.
    """
    terminals = tuple(os.isatty(stream) for stream in (0, 1, 2))
    return repr((__version__, sys.version, verb, sorted(given.items()), cwd, terminals))


def repeated(asked: str, environ: Mapping[str, str]) -> Told | None:
    """What was told to the same call, ``None`` where anything that it followed from may have changed.

    :param asked: as :func:`call` gives it.
    """
    content: Kept | None = kept.load(kept.folder(environ), asked)
    if content is None or not _are_ids(environ):
        return None
    places, stood, clock, heard, (cited, cited_stood), told = content
    try:
        same = (
            goes_on(clock, environ)
            and sign(places, environ).digest == stood
            and sign_files(cited).digest == cited_stood
            and git_says(heard, environ)
        )
    except (OSError, ValueError):
        return None
    if not same:
        return None
    for noted in told[3]:
        _note(noted, clock, environ)
    return told


def sign(places: Places, environ: Mapping[str, str]) -> Signature:
    """How everything stands that an answer follows from.

    :raises OSError: if something changes just now, or cannot be looked at.
    """
    above, repository, looks = places
    signature = Signature()
    signature.add(repr(variables.deciding(environ)))
    signature.add(repr((os.geteuid(), os.getegid(), os.path.realpath(environ.get("HOME", "")), _groups())))
    sign_surroundings(signature, above, repository)
    for name in variables.CONTAINER_FILES:
        signature.look(f"/{name}")
    for how, path in looks:
        _LOOKS[how](signature, path)
    sign_program(signature)
    return signature


def _groups() -> bytes:
    try:
        descriptor = os.open(_GROUPS, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 65536)
    finally:
        os.close(descriptor)


def _are_ids(environ: Mapping[str, str]) -> bool:
    """Whether what is logged of the caller can be: otherwise that is told, and nothing else."""
    given = (environ.get(name, "").strip() for name in ("MEMDIR_SESSION", "MEMDIR_MESSAGE"))
    return all(variables.is_id(value) for value in given)


def _note(noted: Noted, clock: Clock, environ: Mapping[str, str]) -> None:
    from memdir_cli.storage import noting

    root, path, private, at, verb, rest = noted
    if not clock[0]:
        # it is the same day, and so the same month's log
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    session = environ.get("MEMDIR_SESSION", "").strip() or variables.session(environ)[0]
    noting.append(root, path, noting.line(at, verb, session, rest), private=private)
