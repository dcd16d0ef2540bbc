"""Retelling: what `check` said the last time, while everything stands as it stood.

What it said follows from the command line, a few variables, the clock, what git says of the repository, the memdir's
files, and the files that memories depend on. How all these stood is kept beside it; if they stand so now, it need
not be found out again. Nothing is opened or parsed for that, and next to nothing imported.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence

from memdir_cli import __version__
from memdir_cli.probes.variables import PLACING
from memdir_cli.storage import kept
from memdir_cli.storage.signature import Signature, ancestors

#: The options that may be given, by the parameter that each fills; with any other, all is judged anew.
FLAGS = {"--json": "json", "--quiet": "quiet", "-q": "quiet", "--strict": "strict", "--statistics": "statistics"}
VALUES = {"--format": "format", "--select": "select", "--ignore": "ignore", "--dir": "dir"}

#: Parameters of a command line by name, those that were given; in the order of their names.
Asked = tuple[tuple[str, str], ...]

#: Exit status, result, remarks.
Told = tuple[int, str, tuple[str, ...]]

#: The memdir that is judged, the user's (``""``: none), and the folders of the git repository.
Whereabouts = tuple[str, str, tuple[str, ...]]

#: The time in ``MEMDIR_NOW``; without it, from which second on and until which (since 1970) the clock changes nothing.
Clock = tuple[str, int, int]

#: Where git was asked, the top level of that working tree, what it was asked and how it answered.
Heard = tuple[tuple[str, str, tuple[str, ...], tuple[int, bytes, bytes]], ...]

#: Files that memories depend on, and how they stood.
Cited = tuple[tuple[str, ...], str]

#: Whereabouts, how they stood, the clock, git, what is cited, and what was said.
Kept = tuple[Whereabouts, str, Clock, Heard, Cited, Told]

#: Seconds after which git is given up.
TIMEOUT = 10.0

#: What shows whether a folder is, or lies in, a repository or a project with a memdir.
_NEAR = (".git", ".memdir", "HEAD", "commondir", "objects", "refs", "config")

#: Folders of the user memdir that say nothing about a project's.
_OTHERS = frozenset({"memories", "inbox", "quarantine", "history", "archive"})

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def asked(words: Sequence[str]) -> Asked | None:
    """What the words behind `check` ask for, ``None`` at the first that is not known or has an empty value."""
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in FLAGS:
            found[FLAGS[word]] = "yes"
        elif word in VALUES and rest and rest[0].strip():
            found[VALUES[word]] = rest.pop(0)
        else:
            return None
    return tuple(sorted(found.items()))


def retold(request: Asked, cwd: str, environ: Mapping[str, str]) -> Told | None:
    """What was said to the same request, ``None`` where anything that it followed from may have changed."""
    content: Kept | None = kept.load(kept.folder(environ), call(request, cwd))
    if content is None:
        return None
    where, stood, clock, heard, (cited, cited_stood), told = content
    try:
        same = (
            goes_on(clock, environ)
            and sign(where, cwd, environ).digest == stood
            and sign_files(cited).digest == cited_stood
            and git_says(heard, environ)
        )
    except (OSError, ValueError):
        return None
    return told if same else None


def call(request: Asked, cwd: str) -> str:
    """What tells this call from every other one."""
    return repr((__version__, sys.version, request, cwd))


def sign(where: Whereabouts, cwd: str, environ: Mapping[str, str]) -> Signature:
    """How everything stands that lies where it is known to lie, and all that says that it lies there.

    :raises OSError: if something changes just now, or cannot be looked at.
    """
    judged, users, repository = where
    signature = Signature()
    variables = [pair for pair in sorted(environ.items()) if pair[0].startswith("MEMDIR_") or pair[0] in PLACING]
    signature.add(repr([pair for pair in variables if pair[0] != "MEMDIR_NOW"]))
    signature.add(repr((os.geteuid(), os.getegid(), os.path.realpath(environ.get("HOME", "")))))
    sign_surroundings(signature, (cwd, os.path.realpath(judged)), repository)
    signature.memdir(judged)
    if users and os.path.realpath(users) != os.path.realpath(judged):
        signature.memdir(users, _OTHERS)
    sign_program(signature)
    return signature


def sign_surroundings(signature: Signature, places: Sequence[str], repository: Sequence[str]) -> None:
    """What says to which repository, and to which memdir, absolute paths belong."""
    for place in sorted({above for path in places for above in ancestors(path)}):
        signature.look(place)
        for name in _NEAR:
            signature.look(os.path.join(place, name))
    for place in repository:
        for name in _NEAR:
            signature.look(os.path.join(place, name))


def sign_program(signature: Signature, folder: str = _PACKAGE) -> None:
    """A rule that was changed judges otherwise, also where the version is the same."""
    for inner in signature.folder(folder):
        if inner != "__pycache__":
            sign_program(signature, os.path.join(folder, inner))


def sign_files(paths: Sequence[str]) -> Signature:
    """How single files stand, wherever links lead."""
    signature = Signature()
    for path in paths:
        signature.look(path, follow=True)
    return signature


def goes_on(clock: Clock, environ: Mapping[str, str]) -> bool:
    """Whether the clock has changed nothing."""
    fixed, since, until = clock
    given = environ.get("MEMDIR_NOW", "").strip()
    return given == fixed and (bool(fixed) or since <= int(time.time()) < until)


def git_says(heard: Heard, environ: Mapping[str, str]) -> bool:
    """Whether git says what it said, word by word."""
    if not heard:
        return True
    from memdir_cli.probes import spawn
    from memdir_cli.probes.git_environment import asking, command

    return all(
        spawn.run(command(place, arguments), asking(environ, top), TIMEOUT) == outcome
        for place, top, arguments, outcome in heard
    )
