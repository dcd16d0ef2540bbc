"""Checkout: the git working tree that a directory belongs to, found without starting git.

The rules are git's own: walk up from the directory; the first ``.git`` that is a repository, or a file that
points at one, ends the search; so does a directory that is itself a repository (a bare one, or the inside
of ``.git``), the border of a file system and a ceiling. ``GIT_DIR`` and its like are not heard: in a hook
they speak of the repository that is being committed, not of the one that is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from memdir_cli.shapes import dataclass

Kind = Literal["main", "linked", "submodule", "separate", "bare", "broken"]

#: Bytes of a ``.git`` file, ``HEAD`` or ``commondir`` that are looked at.
POINTER_BYTES = 8192

#: Bytes of git's configuration that are looked at.
CONFIG_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Checkout:
    """A git working tree, or a repository without one.

    :ivar kind: ``main`` (``.git`` is a directory), ``linked`` (a worktree of another), ``submodule``,
        ``separate`` (the repository lies elsewhere), ``bare`` (no working tree, or inside ``.git``),
        ``broken`` (``.git`` points at nothing that is a repository).
    :ivar top: absolute real path of the top level, ``""`` if there is no working tree.
    :ivar git_dir: absolute path of the repository's directory, for ``broken`` the place it points to.
    :ivar common_dir: what linked worktrees share; equal to ``git_dir`` elsewhere.
    """

    kind: Kind
    top: str
    git_dir: str
    common_dir: str

    @property
    def place(self) -> str:
        """The directory in which git is to be asked."""
        return self.top or self.git_dir


def find_checkout(directory: str, environ: Mapping[str, str]) -> Checkout | None:
    """The checkout of ``directory`` (absolute), ``None`` outside git. Reads only; never raises OSError."""
    here = os.path.realpath(directory)
    device = _device(here)
    ceilings = _ceilings(environ)
    while True:
        found = _at(here)
        parent = os.path.dirname(here)
        if found is not None or parent == here:
            return found
        crosses = _device(parent) != device and not environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM")
        if crosses or parent in ceilings:
            return None
        here = parent


def _at(directory: str) -> Checkout | None:
    """The checkout whose top level, or bare repository, is ``directory``."""
    entry = os.path.join(directory, ".git")
    if os.path.isfile(entry):
        return _pointed_at(directory, entry)
    if _is_repository(entry):
        git_dir = os.path.realpath(entry)
        if _says_bare(git_dir):
            return Checkout("bare", "", git_dir, git_dir)
        return Checkout("main", directory, git_dir, git_dir)
    if _is_repository(directory):
        return Checkout("bare", "", directory, _common_dir(directory))
    return None


def _pointed_at(top: str, entry: str) -> Checkout:
    text = _first_line(entry)
    git_dir = os.path.realpath(os.path.join(top, text.removeprefix("gitdir:").strip()))
    if not text.startswith("gitdir:") or not _is_repository(git_dir):
        return Checkout("broken", top, git_dir, git_dir)
    common_dir = _common_dir(git_dir)
    if common_dir != git_dir:
        return Checkout("linked", top, git_dir, common_dir)
    inside_another = f"{os.sep}.git{os.sep}modules{os.sep}" in git_dir
    return Checkout("submodule" if inside_another else "separate", top, git_dir, common_dir)


def _is_repository(directory: str) -> bool:
    """git's own test: a ``HEAD`` that looks like one, ``objects`` and ``refs`` (common ones count)."""
    head = os.path.join(directory, "HEAD")
    if not os.path.lexists(head):
        return False
    common_dir = _common_dir(directory)
    if not all(os.path.isdir(os.path.join(common_dir, name)) for name in ("objects", "refs")):
        return False
    if os.path.islink(head):
        return os.readlink(head).startswith("refs/")
    text = _first_line(head)
    return text.startswith("ref:") or (len(text) in {40, 64} and all(c in "0123456789abcdef" for c in text))


def _common_dir(git_dir: str) -> str:
    shared = _first_line(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir


def _says_bare(git_dir: str) -> bool:
    """Whether ``core.bare`` is true: then ``.git`` serves linked worktrees and has no tree of its own."""
    section = b""
    for line in _beginning(os.path.join(git_dir, "config"), CONFIG_BYTES).splitlines():
        words = line.strip().lower().replace(b" ", b"")
        section = words if words.startswith(b"[") else section
        if section == b"[core]" and words == b"bare=true":
            return True
    return False


def _first_line(path: str) -> str:
    """First line of a small regular file without its end, ``""`` if it cannot be read."""
    line = os.fsdecode(_beginning(path, POINTER_BYTES).split(b"\n", 1)[0].rstrip(b"\r"))
    return "" if "\0" in line else line


def _beginning(path: str, size: int) -> bytes:
    """The first bytes of a regular file, nothing if it cannot be read."""
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb") as stream:
            return stream.read(size)
    except (OSError, ValueError):
        return b""


def _device(directory: str) -> int:
    try:
        return os.stat(directory).st_dev
    except OSError:
        return -1


def _ceilings(environ: Mapping[str, str]) -> frozenset[str]:
    entries = environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    return frozenset(os.path.realpath(entry) for entry in entries if os.path.isabs(entry))
