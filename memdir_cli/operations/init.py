"""init: make a project memdir, and fix which repository its memories are about."""

from __future__ import annotations

import os

from memdir_cli.domain.answer import Founding
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations.founding import found_project_memdir, found_user_memdir, refuse_foreign
from memdir_cli.operations.workplace import Workplace, with_git
from memdir_cli.probes.git import NOTHING_YET
from memdir_cli.probes.memdir_place import NAME, new_project_memdir
from memdir_cli.storage.ids import new_id


def init(workplace: Workplace, repository_id: str | None = None) -> Founding:
    """Make ``.memdir/`` at the top level, or complete and renumber the one that is here.

    :param repository_id: the option ``--id``; left out, the id that is fixed already, else what git
        gives, else a random ``local:`` one.
    :raises UsageError: for an id that is none, a place where no memdir can be, or a repository of which
        git cannot say what it is.
    """
    workplace = with_git(workplace)
    here = new_project_memdir(workplace.cwd, workplace.checkout) if not workplace.project_root else ""
    root = workplace.project_root or here
    if workplace.is_own(root):
        raise UsageError(
            f"`{printable(root)}` is the place of your own memories, and no project's memdir may be there.",
            code="memdir-shared",
            hint="name another with `--dir`, or set MEMDIR_USER_DIR to a directory of yours",
        )
    refuse_foreign(root, f"name one that is not there yet: memdir init --dir {printable(os.path.join(root, NAME))}")
    known = workplace.project.config.repository if workplace.project is not None else ""
    given, origin = _repository(workplace, repository_id, known)
    existed = bool(known)
    now = workplace.runtime.now
    store = found_project_memdir(root, given, workplace.lock_timeout, now, guard=workplace.user)
    user = found_user_memdir(workplace) if workplace.user_root else None
    return Founding(
        created=not existed,
        path=store.root,
        repository=store.config.repository,
        origin=origin,
        replaced=known if known != store.config.repository else "",
        user=(workplace.runtime.user.value or (user.config.user if user else "")),
        outside_git=workplace.checkout is None,
    )


def _repository(workplace: Workplace, asked: str | None, known: str) -> tuple[str, str]:
    if asked is not None:
        _check_id(asked)
        return asked, "option --id"
    if known:
        return known, f"{os.path.basename(workplace.project_root)}/config.yaml"
    by_git = workplace.runtime.repository
    if by_git.value is not None:
        return by_git.value, by_git.origin
    if workplace.checkout is not None and not by_git.origin.endswith(NOTHING_YET):
        # an id is fixed for good and shared by every clone: none is made up because git failed once
        raise UsageError(
            f"git does not say which repository this is: {by_git.origin}.",
            code="repository-unknown",
            hint="or give its id yourself: memdir init --id ID",
        )
    return f"local:{new_id()}", "made up here, for git gives none"


def _check_id(text: str) -> None:
    plain = text.isascii() and text.isprintable() and not any(char.isspace() for char in text)
    if not text or not plain or "@" in text or "://" in text or len(text) > 200:
        raise UsageError(
            f"`{printable(text)}` is no repository id.",
            hint="give it as `github.com/owner/name`: no scheme, no user, no spaces",
        )
