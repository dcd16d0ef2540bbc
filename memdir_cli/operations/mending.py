"""Mending: how each fixable finding is mended, by its code."""

from __future__ import annotations

from collections.abc import Callable

from memdir_cli.checks import quarantined, settings
from memdir_cli.checks.examined import Examined
from memdir_cli.domain.changes import ChangeSet, Remove, replacing
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.operations import exhuming, isolating
from memdir_cli.operations.founding import GITIGNORE, new_key
from memdir_cli.storage import config, layout
from memdir_cli.storage.store import Store

#: Found and mended by taking the lock: recovery is what every writer begins with.
BY_RECOVERY = frozenset({"M711", "M712", "M713"})

#: Mended by a change of mode, which no transaction holds.
OPEN_TO_OTHERS = "M724"

#: Mended by joining the versions of a memory.
REJOINED = frozenset({"M110", "M203", "M204", "M209"})

#: What was done, in the words of a person. Files that move say where to.
DEEDS: dict[str, str] = {
    "M110": "both sides joined",
    "M203": "joined with the other file",
    "M204": "joined with the other file",
    "M209": "settled",
    "M211": "written anew from the memories",
    "M212": "named in MEMORY.md",
    "M213": "written anew from the memories",
    "M214": "written anew from the memories",
    "M711": "the interrupted transaction was finished",
    "M712": "set aside in local/set-aside with everything that was staged",
    "M713": "removed",
    "M304": "sealed",
    "M306": "put under the seal of its memory",
    "M732": "taken out: it was forgotten",
    "M733": "completed from the copy in your own memdir",
    "M721": "completed",
    "M723": "completed",
    "M724": "mode set to 0700",
}


def changes(code: str, store: Store, examined: Examined) -> ChangeSet:
    """What mends what the rule ``code`` found; the index is derived by every commit."""
    mend = _CHANGES.get(code)
    return ChangeSet() if mend is None else mend(store, examined)


def rejoined(store: Store, examined: Examined) -> ChangeSet:
    """The files that are torn, made whole."""
    files, discards = [], []
    for path, content in sorted(examined.torn.files.items()):
        standing = store.content(path)
        if content is not None:
            files.append(replacing(path, content, standing))
        elif standing is not None:
            discards.append(Remove(path, digest_of(standing)))
    return ChangeSet(files=tuple(files), discards=tuple(discards))


def _gitignore(_: Store, examined: Examined) -> ChangeSet:
    standing = examined.settings.gitignore
    if standing is None:
        content = GITIGNORE
    else:
        ended = standing if not standing or standing.endswith(b"\n") else standing + b"\n"
        content = ended + b"/local/\n"
    return ChangeSet(files=(replacing(layout.GITIGNORE, content, standing),))


def _config(store: Store, examined: Examined) -> ChangeSet:
    lacking = settings.missing(examined)
    changes = {name: value or new_key() for name, value in lacking.items() if value is not None}
    standing = store.content(layout.CONFIG)
    if standing is None:
        new = config.new_user_config if store.layer == "user" else config.new_project_config
        content = new(changes["user" if store.layer == "user" else "repository"], changes["key"])
    else:
        content = config.edit_config(standing, changes)
    return ChangeSet(files=(replacing(layout.CONFIG, content, standing),))


_CHANGES: dict[str, Callable[[Store, Examined], ChangeSet]] = {
    quarantined.PLAIN: isolating.plain_sealed,
    quarantined.COPY: isolating.copies_sealed,
    "M721": _config,
    "M723": _gitignore,
    "M732": exhuming.taken_out,
    "M733": exhuming.restored,
}
