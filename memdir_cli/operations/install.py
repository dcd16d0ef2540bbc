"""install: fit memdir into another program; show what changes there before it does."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import cast

from memdir_cli.domain import diffing
from memdir_cli.domain.installing import Edit, InstallAnswer
from memdir_cli.domain.secrets import masked
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations.targets import TARGETS, Target
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import replace


def install(
    workplace: Workplace,
    target: str,
    *,
    remove: bool = False,
    dry_run: bool = False,
    agreed: Callable[[InstallAnswer], bool] = lambda _: True,
) -> InstallAnswer:
    """Put in what ``target`` needs, or take out what was put in. Where all is as it should be nothing is written.

    :param dry_run: only say what would change.
    :param agreed: is shown what will change, and says whether it may.
    :raises UsageError: for a target that does not exist.
    """
    module = _module(target)
    edits, remarks = module.plan(workplace, target, remove=remove)
    answer = InstallAnswer(target, edits, remove, dry_run, _diff(workplace.root, edits), remarks)
    if dry_run or not edits:
        return answer
    if not agreed(answer):
        return replace(answer, edits=(), remarks=("Nothing was written.",))
    for edit in edits:
        module.carry_out(workplace, target, edit, remove=remove)
    return answer


def _module(target: str) -> Target:
    if target not in TARGETS:
        close = get_close_matches(target, TARGETS, n=1)
        names = ", ".join(f"`{name}` ({words})" for name, (_, words) in TARGETS.items())
        raise UsageError(
            f"There is nothing called `{printable(target)}` to install.",
            code="unknown-target",
            hint=f"did you mean `memdir install {close[0]}`?" if close else f"there are: {names}",
        )
    return cast(Target, import_module(f"memdir_cli.operations.targets.{TARGETS[target][0]}"))


def _diff(root: str, edits: tuple[Edit, ...]) -> str:
    top = os.path.realpath(root) if root else ""
    # nothing around a change is shown: files of other programs hold addresses with tokens
    parts = (diffing.unified(_below(top, edit.path), edit.before, edit.after, around=0) for edit in edits)
    return masked("\n".join(parts))


def _below(top: str, path: str) -> str:
    whole = os.path.realpath(path)
    return os.path.relpath(whole, top).replace(os.sep, "/") if top and is_within(whole, top) else path
