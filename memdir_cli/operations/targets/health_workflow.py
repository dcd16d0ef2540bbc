"""health-workflow: the workflow file with which GitHub reports on the memdir each month."""

from __future__ import annotations

import os

from memdir_cli.domain.health.workflow import MARK, PATH, TEXT
from memdir_cli.domain.installing import Edit
from memdir_cli.domain.text import printable
from memdir_cli.errors import NoMemdirError, UsageError
from memdir_cli.operations import fitting
from memdir_cli.operations.workplace import Workplace

#: What stays as it is, and why.
_STRANGE = "`{path}` is not what memdir wrote, and was left alone."


def plan(workplace: Workplace, target: str, *, remove: bool) -> tuple[tuple[Edit, ...], tuple[str, ...]]:  # noqa: ARG001
    """The file that is missing, or that is to go; one that somebody changed is left alone."""
    _require(workplace)
    top, path = fitting.placed(workplace, PATH)
    before, ours = fitting.content(path, top), TEXT.encode()
    if before is not None and before != ours and not (before.startswith(MARK.encode()) and not remove):
        return (), (_STRANGE.format(path=PATH),)
    after = None if remove else ours
    if before == after:
        return (), ()
    remark = f"Commit `{PATH}`; GitHub runs schedules from the default branch only."
    return (Edit(path, before, after, top),), () if remove else (remark,)


def carry_out(workplace: Workplace, target: str, edit: Edit, *, remove: bool) -> None:  # noqa: ARG001 (a target's form)
    """Write the file, or take it away."""
    fitting.write(edit)


def _require(workplace: Workplace) -> None:
    """A repository that holds the project's memdir."""
    store, checkout = workplace.project, workplace.checkout
    if store is None:
        raise NoMemdirError("There is no project memdir here.", hint="type `memdir init` to make one")
    if checkout is None or not checkout.top:
        raise UsageError(
            f"`{printable(os.path.dirname(store.root))}` is no git repository.",
            code="no-repository",
            hint="type `git init` first",
        )
