"""Which commits still hold files of a memdir. git is asked for a bounded time, and never fetches."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.probes import git
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.shapes import dataclass

#: Seconds for each of the two searches in the history.
TIMEOUT = 8.0

#: Of more ids only the names of their files are looked for.
IDS = 50

#: So many commits are named.
NAMED = 50

_USER = re.compile(r"(?<=://)[^/@]*@")


@dataclass(frozen=True, slots=True)
class Committed:
    """What git knows of some files.

    :ivar top: absolute path of the working tree.
    :ivar folder: the memdir from there, ``"."`` if it is the working tree itself.
    :ivar commits: those in which one of the files was added or changed, the newest first.
    :ivar paths: the files as those commits call them, from the top.
    :ivar staged: those of them that git's index still holds.
    :ivar doubt: why there may be more, ``""`` if all of the history could be looked at.
    :ivar remotes: name and address of each, without credentials.
    :ivar pushed: names of branches of remotes that hold one of the commits, as far as is known here.
    :ivar beside: absolute paths of the memdir in the other working trees of this repository.
    """

    top: str
    folder: str
    commits: tuple[str, ...]
    paths: tuple[str, ...]
    staged: tuple[str, ...]
    doubt: str
    remotes: tuple[tuple[str, str], ...]
    pushed: tuple[str, ...]
    beside: tuple[str, ...] = ()


def committed(root: str, environ: Mapping[str, str], ids: Iterable[str], names: Iterable[str]) -> Committed | None:
    """What git holds of the files of some memories; ``None`` where no git working tree holds the memdir.

    :param root: absolute path of the memdir.
    :param ids: of the memories; every file of one names its id.
    :param names: globs for the names of their files.
    """
    root = os.path.realpath(root)
    checkout = find_checkout(root, environ)
    if checkout is None or not checkout.top:
        return None
    top = os.path.realpath(checkout.top)
    folder = os.path.relpath(root, top).replace(os.sep, "/")
    prefix = "" if folder == "." else f"{_literal(folder)}/"
    globs = [f":(top,glob){prefix}*/{name}" for name in names] + [
        f":(top,glob){prefix}local/tasks/{name}" for name in names
    ]
    by_name = _search(top, environ, *("--", *globs))
    by_id = _by_id(top, environ, f"{prefix}", sorted(ids))
    commits = dict.fromkeys((*by_name.commits, *by_id.commits))
    paths = sorted({*by_name.paths, *by_id.paths})
    strange = [path for path in by_id.paths if path not in by_name.paths]
    if strange:
        commits |= dict.fromkeys(_search(top, environ, "--", *(f":(top,literal){path}" for path in strange)).commits)
    index = git.ask(top, environ, "ls-files", "-z", "--", *globs)
    return Committed(
        top,
        folder,
        tuple(commits),
        tuple(paths),
        tuple(filter(None, index.text.split("\0"))),
        by_name.doubt or by_id.doubt or _doubt(top, environ),
        _remotes(top, environ),
        _pushed(top, environ, list(commits)),
        tuple(_beside(top, folder, environ)),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    commits: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    doubt: str = ""


def _search(top: str, environ: Mapping[str, str], *wanted: str) -> _Found:
    """The commits of all branches, tags, stashes and reflogs that added or changed something."""
    reply = git.ask(
        top, environ, "log", "--all", "--reflog", "-m", "--no-renames", "--diff-filter=AMCT", "--no-ext-diff",
        "--no-textconv", "-z", "--format=%x01%H", "--name-only", *wanted, timeout=TIMEOUT,
    )  # fmt: skip
    if reply.trouble:
        return _Found(doubt=reply.trouble)
    if reply.status:
        return _Found(doubt="git cannot read its history here") if _has_history(top, environ) else _Found()
    commits: list[str] = []
    paths: set[str] = set()
    for part in reply.text.split("\x01")[1:]:
        commit, *names = (word.strip("\n") for word in part.split("\0"))
        commits.append(commit)
        paths.update(filter(None, names))
    return _Found(tuple(dict.fromkeys(commits)), tuple(sorted(paths)))


def _by_id(top: str, environ: Mapping[str, str], prefix: str, ids: list[str]) -> _Found:
    """Files that were moved or renamed still hold their id; receipts and tombstones, which hold nothing else, too."""
    if not ids or len(ids) > IDS:
        return _Found()
    anywhere = f":(top,glob){prefix}**/*.md"
    return _search(top, environ, "--pickaxe-regex", f"-S{'|'.join(map(re.escape, ids))}", "--", anywhere)


def _has_history(top: str, environ: Mapping[str, str]) -> bool:
    return bool(git.ask(top, environ, "rev-list", "--all", "--max-count=1").text)


def _doubt(top: str, environ: Mapping[str, str]) -> str:
    if git.ask(top, environ, "rev-parse", "--is-shallow-repository").text == "true":
        return "this clone is shallow, and older commits may hold it"
    if git.ask(top, environ, "config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$").text:
        return "this clone is partial, and what was not fetched cannot be seen"
    return ""


def _remotes(top: str, environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    names = git.ask(top, environ, "remote").text.split()
    urls = ((name, git.ask(top, environ, "remote", "get-url", name).text) for name in names)
    return tuple((name, _USER.sub("", url)) for name, url in urls)


def _pushed(top: str, environ: Mapping[str, str], commits: list[str]) -> tuple[str, ...]:
    if not commits:
        return ()
    holding = [f"--contains={commit}" for commit in commits[-NAMED:]]
    reply = git.ask(top, environ, "for-each-ref", "--format=%(refname:short)", *holding, "refs/remotes")
    return tuple(reply.text.split())


def _beside(top: str, folder: str, environ: Mapping[str, str]) -> Iterator[str]:
    for line in git.ask(top, environ, "worktree", "list", "--porcelain").text.splitlines():
        name, _, path = line.partition(" ")
        memdir = os.path.normpath(os.path.join(path, folder))
        if name == "worktree" and os.path.realpath(path) != top and os.path.isdir(memdir):
            yield memdir


def _literal(folder: str) -> str:
    """``folder`` as a glob that means nothing else."""
    return re.sub(r"([*?\[\\])", r"\\\1", folder)
