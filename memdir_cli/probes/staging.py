"""Staging: what lies in git's index, which is what the next commit will hold.

git is asked in an environment of its own. Only ``GIT_INDEX_FILE`` is kept, and only for the repository to which
it belongs: ``git commit -a`` and ``git commit PATH`` let their hooks see an index of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.probes import checkout as checkouts
from memdir_cli.probes.checkout import Checkout
from memdir_cli.probes.git import TIMEOUT
from memdir_cli.probes.git_environment import asking
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass

LINK, GITLINK = "120000", "160000"

#: The blob without content, of which ``git add -N`` makes an entry for a file that is not staged yet (SHA-1, SHA-256).
EMPTY = frozenset(
    {"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"}
)


@dataclass(frozen=True, slots=True)
class Staged:
    """One entry of the index.

    :ivar path: POSIX path from the top level, bytes that are no UTF-8 as surrogates.
    :ivar mode: as git writes it: ``100644``, ``100755``, :data:`LINK` or :data:`GITLINK`.
    """

    path: str
    mode: str
    blob: str


class Staging:
    """The index of one checkout, read once.

    :raises UsageError: code ``staging-unreadable``, if git does not tell what is in it, or a merge is unfinished.
    """

    def __init__(self, checkout: Checkout, environ: Mapping[str, str], cwd: str) -> None:
        self.top = checkout.top
        self._environ = asking(environ, checkout.top)
        index = index_file(checkout, environ, cwd)
        if index:
            self._environ["GIT_INDEX_FILE"] = index
        self.entries = {entry.path: entry for entry in self._listed()}
        self._contents: dict[str, bytes] = {}

    def below(self, folder: str) -> tuple[Staged, ...]:
        """The entries in ``folder`` (POSIX, from the top level, with a slash at the end) and its folders."""
        return tuple(entry for path, entry in self.entries.items() if path.startswith(folder))

    def contents(self, entries: Iterable[Staged]) -> dict[str, bytes]:
        """The bytes of each entry, by its path; of a link its target. What is no blob is left out."""
        wanted = [entry for entry in entries if entry.mode != GITLINK]
        missing = sorted({entry.blob for entry in wanted} - self._contents.keys())
        if missing:
            asked = "".join(f"{blob}\n" for blob in missing).encode()
            self._contents |= blobs(self._git("cat-file", "--batch", given=asked), missing)
        return {entry.path: self._contents[entry.blob] for entry in wanted}

    def _listed(self) -> list[Staged]:
        found = []
        for line in self._git("ls-files", "-s", "-z", "--full-name").split(b"\0"):
            if not line:
                continue
            about, _, name = line.partition(b"\t")
            mode, blob, stage = about.decode("ascii").split(" ")
            path = os.fsdecode(name)
            if stage != "0":
                raise _unreadable(f"`{printable(path)}` is in conflict", "finish the merge, then `git add` it")
            found.append(Staged(path, mode, blob))
        return self._without_intents(found)

    def _without_intents(self, found: list[Staged]) -> list[Staged]:
        """Without the entries that ``git add -N`` only announced: no commit takes them."""
        if not any(entry.blob in EMPTY for entry in found):
            return found
        listed = self._git("diff-files", "--diff-filter=A", "--name-only", "--no-ext-diff", "--ignore-submodules", "-z")
        announced = {os.fsdecode(name) for name in listed.split(b"\0")}
        return [entry for entry in found if entry.blob not in EMPTY or entry.path not in announced]

    def _git(self, *arguments: str, given: bytes = b"") -> bytes:
        import subprocess

        try:
            done = subprocess.run(
                ["git", "-C", self.top, *arguments],
                env=self._environ,
                input=given,
                capture_output=True,
                timeout=TIMEOUT * 6,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _unreadable("git did not answer", "try again") from None
        except (OSError, ValueError):
            raise _unreadable("git cannot be run", "install git, and put it on PATH") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise _unreadable(f"git says: {printable(said[-1] if said else '')}", "run `git status` to see more")
        return done.stdout


def index_file(checkout: Checkout, environ: Mapping[str, str], cwd: str) -> str:
    """Absolute path of the index that ``GIT_INDEX_FILE`` names, ``""`` unless it is one of this repository's."""
    named = environ.get("GIT_INDEX_FILE", "")
    for start in (cwd, checkout.top) if named else ():
        path = os.path.realpath(os.path.join(start, named))
        if os.path.isfile(path) and _belongs(path, checkout, environ):
            return path
    return ""


def _belongs(path: str, checkout: Checkout, environ: Mapping[str, str]) -> bool:
    git_dir = os.path.realpath(checkout.git_dir)
    if is_within(path, git_dir):
        # the repositories of submodules and of linked worktrees lie inside that of the main one
        inside = os.path.relpath(path, git_dir).split(os.sep)[0]
        return inside not in {"modules", "worktrees"}
    around = checkouts.find_checkout(os.path.dirname(path), {})
    if around is not None and around.kind == "bare":
        return False
    # an index that somebody keeps elsewhere counts where nothing says that it is another repository's
    named = environ.get("GIT_DIR", "")
    return os.path.isabs(environ["GIT_INDEX_FILE"]) and (not named or os.path.realpath(named) == git_dir)


def blobs(output: bytes, asked: Iterable[str]) -> dict[str, bytes]:
    """What ``git cat-file --batch`` answered."""
    found: dict[str, bytes] = {}
    at = 0
    for blob in asked:
        end = output.index(b"\n", at)
        words = output[at:end].split(b" ")
        if words[1:2] != [b"blob"]:
            raise _unreadable(f"the object {blob[:12]} is not here", "fetch it, for example with `git fetch`")
        size = int(words[2])
        found[blob] = output[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


def _unreadable(why: str, hint: str) -> UsageError:
    return UsageError(f"What is staged cannot be looked at: {why}.", code="staging-unreadable", hint=hint)
