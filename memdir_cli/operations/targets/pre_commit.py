"""pre-commit: the hook that judges the memdir at every commit."""

from __future__ import annotations

import os

from memdir_cli.domain.installing import Edit
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, NoMemdirError, UsageError
from memdir_cli.operations import fitting
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import signed_block
from memdir_cli.storage.pre_commit_config import PATH, StrangeConfigError, with_hook, without_hook

_EDITED = f"Somebody has changed what memdir wrote into `{PATH}`; it was left as it is."
_NEXT = (
    f"Commit `{PATH}`; `pre-commit install -t pre-commit -t pre-merge-commit` (once in every clone) lets git run it."
)


def plan(workplace: Workplace, target: str, *, remove: bool) -> tuple[tuple[Edit, ...], tuple[str, ...]]:  # noqa: ARG001
    """The edit of pre-commit's configuration."""
    _require(workplace)
    top, path = fitting.placed(workplace, PATH)
    before = fitting.content(path, top)
    stands = signed_block.standing(before or b"", signed_block.HASH)
    if stands is not None and stands.edited:
        return (), (_EDITED,)
    try:
        after = (without_hook(before) if before is not None else None) if remove else with_hook(before)
    except StrangeConfigError as error:
        raise FaultError(
            f"`{PATH}` was left alone: {error.why}.",
            code="unreadable-settings",
            hint=f"mend `{PATH}`, or see `pre-commit sample-config`; then repeat the command",
        ) from error
    if before == after:
        return (), ()
    return (Edit(path, before, after, top),), () if remove else (_NEXT,)


def carry_out(workplace: Workplace, target: str, edit: Edit, *, remove: bool) -> None:  # noqa: ARG001 (a target's form)
    """Write the file, or take it away."""
    fitting.write(edit)


def _require(workplace: Workplace) -> None:
    """A memdir in a repository: without one every commit would be stopped."""
    if workplace.project is None:
        raise NoMemdirError("There is no project memdir here.", hint="type `memdir init` to make one")
    if workplace.checkout is None or not workplace.checkout.top:
        raise UsageError(
            f"`{printable(os.path.dirname(workplace.project.root))}` is no git repository.",
            code="no-repository",
            hint="type `git init` first",
        )
