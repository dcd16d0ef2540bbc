"""sync: commit what changed in a memdir that is its own git repository, take in what others pushed, and push."""

from __future__ import annotations

import shlex

from memdir_cli.domain.changes import ChangeSet, Put, together
from memdir_cli.domain.syncing import SyncAnswer
from memdir_cli.errors import ChangedError, NoMemdirError
from memdir_cli.operations import exhuming, versioning
from memdir_cli.operations.combining import Combined, combine
from memdir_cli.operations.founding import GITIGNORE
from memdir_cli.operations.versioning import Repository
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import attributes, disk, layout
from memdir_cli.storage.store import Store

#: How often it is tried anew because somebody else pushed in between.
ATTEMPTS = 5

COMMAND = "memdir sync"


def sync(workplace: Workplace, *, user: bool = False, attended: bool = False) -> SyncAnswer:
    """Let a memdir and its remote say the same. The lock is held while files change, not while the network answers.

    :param user: the user memdir instead of the project's.
    :param attended: a person sits at the terminal and may be asked for a password.
    :raises ChangedError: if others were faster again and again; everything is committed here.
    """
    store = _store(workplace, user=user)
    found = versioning.open_repository(workplace, store, attended=attended)
    now = workplace.runtime.now
    committed, received = 0, Combined()
    for attempt in range(ATTEMPTS):
        with store.writing(workplace.lock_timeout, COMMAND) as writer:
            if attempt == 0:
                if store.layer == "user":
                    disk.create_root(store.root, private=True)  # git makes a clone that everybody may read
                writer.commit(together((ChangeSet(files=_shared(store)), exhuming.regained(store))), now)
            committed += versioning.commit(found, "Remember")
        remote, branch = versioning.remote_of(found)
        theirs = versioning.fetch(found, remote, branch)
        if theirs:
            with store.writing(workplace.lock_timeout, COMMAND) as writer:
                # somebody may have written while the network was waited for
                committed += versioning.commit(found, "Remember")
                received = _both(received, combine(found, writer, theirs, now))
        if not found.commit_of("HEAD") or found.commit_of("HEAD") == theirs:
            return _answer(found, remote, branch, committed, received, sent=False)
        if versioning.push(found, remote, branch):
            return _answer(found, remote, branch, committed, received, sent=True)
    raise ChangedError(
        f"Others pushed to `{remote}` faster {ATTEMPTS} times; everything is committed here.",
        code="rejected",
        hint="memdir sync",
    )


def _store(workplace: Workplace, *, user: bool) -> Store:
    store = workplace.user if user else workplace.project
    if store is not None:
        return store
    if user:
        hint = f"if another machine has yours: git clone URL {shlex.quote(workplace.user_root)}"
        raise NoMemdirError("There is no user memdir yet.", hint=hint)
    raise NoMemdirError("There is no project memdir here.", hint="`memdir sync --user` is for your own")


def _shared(store: Store) -> tuple[Put, ...]:
    """What git must know of a memdir before anything is committed."""
    files = ((layout.GITIGNORE, GITIGNORE), (layout.GITATTRIBUTES, attributes.NEW))
    return tuple(Put(path, content) for path, content in files if store.content(path) is None)


def _both(before: Combined, after: Combined) -> Combined:
    paths = tuple(sorted({*before.paths, *after.paths}))
    conflicts = {memory.id: memory for memory in (*before.conflicts, *after.conflicts)}
    return Combined(paths, tuple(conflicts.values()))


def _answer(
    found: Repository, remote: str, branch: str, committed: int, received: Combined, *, sent: bool
) -> SyncAnswer:
    count = len([path for path in received.paths if path != layout.INDEX])
    return SyncAnswer(found.store.layer, remote, branch, committed, count, sent, received.conflicts)
