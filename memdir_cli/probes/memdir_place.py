"""Where the memdirs are: the project's by walking up, the user's by convention.

In git the walk ends at the top level of the working tree. Outside git it ends below the home directory and
below ``/``: a memdir there would speak for everything under it. The home directory's own is taken only where
it is the working directory itself, the root's never. A memdir of another account, or one that a symbolic link
puts elsewhere, is passed over with a remark; whoever means it names it with ``--dir``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir_cli.domain.runtime import Fact
from memdir_cli.errors import UsageError
from memdir_cli.probes.checkout import Checkout
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass

NAME = ".memdir"


@dataclass(frozen=True, slots=True)
class Place:
    """The project memdir of a call.

    :ivar root: absolute path of the memdir, ``""`` if there is none.
    :ivar origin: how it was found, for people.
    :ivar remarks: sentences about what was passed over.
    """

    root: str
    origin: str
    remarks: tuple[str, ...] = ()


def working_directory() -> str:
    """The working directory.

    :raises UsageError: if it was deleted or may not be read.
    """
    try:
        return os.getcwd()
    except OSError:
        raise UsageError(
            "The working directory does not exist any more.", hint="change to a directory that exists: cd ~"
        ) from None


def project_memdir(cwd: str, checkout: Checkout | None, environ: Mapping[str, str], given: str | None = None) -> Place:
    """The project memdir for ``cwd``: the one named, else the nearest one that may be used.

    :param given: the option ``--dir``; taken as it is, like ``MEMDIR_DIR``, even if nothing is there.
    """
    named = given or environ.get("MEMDIR_DIR", "")
    if named:
        origin = "option --dir" if given else "environment MEMDIR_DIR"
        return Place(os.path.normpath(os.path.join(cwd, named)), origin)
    remarks: list[str] = []
    for directory in _searched(os.path.realpath(cwd), checkout, environ):
        memdir = os.path.join(directory, NAME)
        if os.path.lexists(memdir):
            remark = _objection(memdir, directory if checkout is None else checkout.top, environ)
            if not remark:
                return Place(memdir, "found in the working tree" if checkout else "found outside git", tuple(remarks))
            remarks.append(remark)
    remarks += _in_main_worktree(checkout)
    return Place("", "no .memdir from the working directory upwards", tuple(remarks))


def new_project_memdir(cwd: str, checkout: Checkout | None) -> str:
    """Where ``init`` makes a project memdir: at the top level, outside git in the working directory.

    :raises UsageError: in a bare repository or inside ``.git``, and in ``/`` outside git.
    """
    if checkout is not None:
        if not checkout.top:
            raise UsageError(
                "This is a git repository without a working tree.",
                hint="change to a working tree of it, or name the memdir: --dir PATH",
            )
        return os.path.join(checkout.top, NAME)
    directory = os.path.realpath(cwd)
    if directory == os.path.dirname(directory):
        raise UsageError(
            "A memdir in the root of the file system would speak for everything.",
            hint="change to the project's directory",
        )
    return os.path.join(directory, NAME)


def user_memdir(environ: Mapping[str, str], cwd: str) -> Fact:
    """Where the user memdir is, or would be made: an absolute path and the variable that says so."""
    if named := environ.get("MEMDIR_USER_DIR", ""):
        return Fact(os.path.normpath(os.path.join(cwd, named)), "environment MEMDIR_USER_DIR")
    # a relative value is invalid and to be ignored, says the XDG Base Directory Specification
    if os.path.isabs(place := environ.get("XDG_DATA_HOME", "")):
        return Fact(os.path.join(place, "memdir"), "environment XDG_DATA_HOME")
    if os.path.isabs(place := environ.get("HOME", "")):
        return Fact(os.path.join(place, ".local/share/memdir"), "environment HOME")
    return Fact(None, "HOME is not set; set HOME or MEMDIR_USER_DIR to have a user memdir")


def _searched(here: str, checkout: Checkout | None, environ: Mapping[str, str]) -> list[str]:
    """The directories in which a memdir is looked for, the nearest first."""
    if checkout is not None and not checkout.top:
        return []
    home = os.path.realpath(environ["HOME"]) if os.path.isabs(environ.get("HOME", "")) else ""
    searched: list[str] = []
    directory = here
    while True:
        parent = os.path.dirname(directory)
        if checkout is None and (directory == parent or (directory == home and searched)):
            return searched
        searched.append(directory)
        if directory == parent or (checkout is not None and directory == checkout.top):
            return searched
        directory = parent


def _objection(memdir: str, workspace: str, environ: Mapping[str, str]) -> str:
    """Why a memdir that was found is not used, ``""`` if it may be."""
    if not os.path.isdir(memdir):
        return f"`{memdir}` is not a directory and was passed over."
    if not is_within(os.path.realpath(memdir), os.path.realpath(workspace)):
        return f"`{memdir}` is a link out of the project and was passed over; to use it: --dir {memdir}"
    owner = os.stat(memdir).st_uid
    if owner in _own_accounts(environ, owner):
        return ""
    return f"`{memdir}` belongs to another account (uid {owner}) and was passed over; to use it: --dir {memdir}"


def _own_accounts(environ: Mapping[str, str], owner: int) -> set[int]:
    """The accounts that count as ours: as for git, under sudo also the one that called it."""
    effective = getattr(os, "geteuid", None)
    if effective is None:
        return {owner}
    uid: int = effective()
    caller = environ.get("SUDO_UID", "")
    return {uid, int(caller)} if uid == 0 and caller.isascii() and caller.isdigit() else {uid}


def _in_main_worktree(checkout: Checkout | None) -> list[str]:
    """A remark where a linked worktree has no memdir but the main one has: it is not committed yet."""
    if checkout is None or checkout.kind != "linked":
        return []
    memdir = os.path.join(os.path.dirname(checkout.common_dir), NAME)
    if not os.path.isdir(memdir):
        return []
    return [f"`{memdir}` of the main worktree is not checked out here; commit it there, or use --dir {memdir}"]
