"""git: the driver that merges memories, in the repository's own configuration and in the memdir's attributes."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from memdir_cli.domain.installing import Edit
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, NoMemdirError, UsageError
from memdir_cli.operations import fitting
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.checkout import Checkout, find_checkout
from memdir_cli.probes.git import ask
from memdir_cli.probes.git_environment import clean
from memdir_cli.storage import attributes, disk, layout, repository
from memdir_cli.storage.store import Store

KEY = f"merge.{attributes.DRIVER}"
NAME = "memories, merged by what they say"

#: What git calls; by this it is known whose driver it is.
CALL = "merge-driver %O %A %B %P"


def plan(workplace: Workplace, target: str, *, remove: bool) -> tuple[tuple[Edit, ...], tuple[str, ...]]:  # noqa: ARG001
    """The edits of git's configuration (shared by all linked worktrees) and of ``.gitattributes``."""
    store, checkout = _place(workplace)
    edits = (_configuration(workplace, checkout, remove=remove), _attributes(store, remove=remove))
    written = tuple(edit for edit in edits if edit.before != edit.after)
    shared = [edit.path for edit in written if edit.path.endswith(layout.GITATTRIBUTES)]
    remark = f"Commit `{os.path.relpath(shared[0], checkout.top)}`, so that every clone has it." if shared else ""
    return written, (remark,) if remark else ()


def carry_out(workplace: Workplace, target: str, edit: Edit, *, remove: bool) -> None:  # noqa: ARG001 (a target's form)
    """Make one edit true; its configuration is edited by git itself."""
    _, checkout = _place(workplace)
    if edit.path != _config_path(checkout):
        fitting.write(edit)
        return
    for arguments in _settings(workplace, checkout, remove=remove):
        _git(workplace, checkout, "config", "--local", *arguments)


def configured(workplace: Workplace, checkout: Checkout) -> bool:
    """Whether git knows the driver here, from whatever configuration."""
    return bool(ask(checkout.place, workplace.environ, "config", "--get", f"{KEY}.driver").text)


def command(workplace: Workplace) -> str:
    """What git is to run: ``memdir`` where a shell finds it, else this very program."""
    found = shutil.which("memdir", path=workplace.environ.get("PATH"))
    # -P: git calls it in the repository, whose own modules are not to be imported
    program = "memdir" if found else f"{shlex.quote(sys.executable)} -P -m memdir_cli"
    return f"{program} {CALL}"


def _place(workplace: Workplace) -> tuple[Store, Checkout]:
    """The memdir and the repository that it lies in."""
    store = workplace.project or workplace.user
    if store is None:
        raise NoMemdirError("There is no memdir here.", hint="type `memdir init` to make one")
    checkout = find_checkout(store.root, workplace.environ)
    if checkout is None or not checkout.top or checkout.kind == "broken":
        raise UsageError(
            f"`{printable(store.root)}` lies in no git repository.",
            code="no-repository",
            hint="type `git init` first",
        )
    return store, checkout


def _config_path(checkout: Checkout) -> str:
    return os.path.join(checkout.common_dir, "config")


def _settings(workplace: Workplace, checkout: Checkout, *, remove: bool) -> list[list[str]]:
    """What `git config` is called with, where something has to change."""
    wanted = {f"{KEY}.name": NAME, f"{KEY}.driver": command(workplace)}
    here = {
        name: ask(checkout.place, workplace.environ, "config", "--local", "--get-all", name).text for name in wanted
    }
    if remove:
        ours = CALL in here[f"{KEY}.driver"]
        return [["--unset-all", name] for name, value in here.items() if value and ours]
    if configured(workplace, checkout) and not here[f"{KEY}.driver"]:
        return []  # somebody's global configuration knows it already
    return [["--replace-all", name, value] for name, value in wanted.items() if here[name] != value]


def _configuration(workplace: Workplace, checkout: Checkout, *, remove: bool) -> Edit:
    """The configuration as git would leave it, tried on a copy."""
    path = _config_path(checkout)
    before = fitting.content(path)
    calls = _settings(workplace, checkout, remove=remove)
    if not calls:
        return Edit(path, before, before)
    with disk.unpacked({"config": before or b""}, {}) as folder:
        copy = os.path.join(folder, "config")
        for arguments in calls:
            _git(workplace, checkout, "config", "--file", copy, *arguments)
        return Edit(path, before, fitting.content(copy))


def _attributes(store: Store, *, remove: bool) -> Edit:
    path = store.absolute(layout.GITATTRIBUTES)
    before = fitting.content(path)
    if not remove:
        return Edit(path, before, attributes.with_driver(before))
    after = attributes.without_driver(before or b"")
    return Edit(path, before, after or None)


def _git(workplace: Workplace, checkout: Checkout, *arguments: str) -> None:
    done = repository.git(checkout.place, clean(workplace.environ, checkout.place), *arguments)
    if done.status:
        said = done.complaint.strip().splitlines()
        raise FaultError(
            f"git cannot change its configuration: {printable(said[-1] if said else f'status {done.status}')}.",
            code="git-failed",
            hint=f"look at `{printable(_config_path(checkout))}`",
        )
