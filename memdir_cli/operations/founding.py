"""Founding: the folders and the first files of a memdir. Repeating it changes nothing."""

from __future__ import annotations

import os

from memdir_cli.domain.changes import ChangeSet, Put, Write, replacing
from memdir_cli.domain.event import Event
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.memdir_place import NAME
from memdir_cli.shapes import replace
from memdir_cli.storage import attributes, config, disk, journal, layout, recognition
from memdir_cli.storage.ids import new_id
from memdir_cli.storage.store import Store

#: What git may not see: this machine's own files, and candidates that nobody has confirmed.
GITIGNORE = b"# made by memdir: this machine's own files, and candidates that wait for a person\n/local/\n/inbox/\n"


def found_user_memdir(workplace: Workplace) -> Store:
    """The user memdir, made or completed if it is not whole yet; the user's id is minted once."""
    if workplace.user is not None and _whole(workplace.user):
        return workplace.user
    if not workplace.user_root:
        raise UsageError(
            "There is no place for your own memories: neither HOME nor XDG_DATA_HOME is set.",
            hint="set MEMDIR_USER_DIR to a directory of yours",
        )
    refuse_foreign(workplace.user_root, "set MEMDIR_USER_DIR to a directory of its own")
    disk.create_root(workplace.user_root, private=True)
    store = Store(workplace.user_root, "user")
    with store.writing(workplace.lock_timeout, "memdir (making the user memdir)") as writer:
        standing = store.content(layout.CONFIG)
        known = config.read_config(store.root)
        minted, key = known.user or new_id(), known.key or new_key()
        if standing is None:
            content = config.new_user_config(minted, key)
        else:
            missing = {"format": config.FORMAT, "user": minted, "key": key}
            have = {"user": known.user, "key": known.key, "format": ""}
            content = config.edit_config(standing, {k: v for k, v in missing.items() if not have[k]})
        writer.commit(ChangeSet(files=(replacing(layout.CONFIG, content, standing),)), workplace.runtime.now)
    return Store(workplace.user_root, "user")


def found_project_memdir(
    root: str, repository: str, lock_timeout: float, now: str, *, guard: Store | None = None
) -> Store:
    """The project memdir at ``root`` with the repository id that it is to carry.

    :param guard: the user memdir, if there is one.
    """
    disk.create_root(root, private=False)
    store = Store(root, "project", guard=guard)
    with store.writing(lock_timeout, "memdir init") as writer:
        standing = store.content(layout.CONFIG)
        known = config.read_config(root)
        key = known.key or new_key()
        if standing is None:
            content = config.new_project_config(repository, key)
        else:
            wanted = {"repository": (known.repository, repository), "key": (known.key, key)}
            changed = {name: new for name, (old, new) in wanted.items() if old != new}
            content = config.edit_config(standing, changed) if changed else standing
        files = [replacing(layout.CONFIG, content, standing)] if content != standing else []
        renamed = _readdressed(store, known.repository, repository)
        if store.content(layout.GITIGNORE) is None:
            files.append(Put(layout.GITIGNORE, GITIGNORE))
        if store.content(layout.GITATTRIBUTES) is None:
            files.append(Put(layout.GITATTRIBUTES, attributes.NEW))
        index = writer.index()
        if files or renamed.writes or index is not None:
            writer.commit(replace(renamed, files=tuple(files)), now)
    return Store(root, "project", guard=guard)


def refuse_foreign(root: str, hint: str) -> None:
    """Make no memdir of a directory in which other things lie: what is memdir's would be among them for ever.

    :raises UsageError: if ``root`` is such a directory.
    """
    if os.path.basename(root) == NAME or not os.path.isdir(root):
        return
    if not recognition.is_memdir(root, config.read_config(root)) and (found := recognition.foreign(root)):
        raise UsageError(
            f"`{printable(root)}` holds other things (`{printable(found)}`), and a memdir is a directory of its own.",
            code="not-a-memdir",
            hint=hint,
        )


def _readdressed(store: Store, old: str, new: str) -> ChangeSet:
    """The memories of the project under its new repository id; their files stay where they are."""
    if not old or old == new:
        return ChangeSet()
    writes = tuple(
        Write(replace(memory, subject=f"project:{new}", scope=replace(memory.scope, repository=new)), record)
        for record in store.snapshot().records
        if (memory := record.memory).subject == f"project:{old}" and memory.scope.repository == old
    )
    # receipts speak for what is served or waits; the past has theirs already
    served = (write.memory for write in writes if write.base and write.base.folder != layout.HISTORY)
    return ChangeSet(writes, events=tuple(Event("readdressed", memory, actor="user") for memory in served))


def _whole(store: Store) -> bool:
    """Whether nothing is left to be made, nor to be finished after a crash."""
    return bool(store.config.user and store.config.key) and journal.pending(store.root) is None


def new_key() -> str:
    """A fresh key for keyed digests: 32 random bytes in hexadecimal."""
    return os.urandom(32).hex()
