"""Refusing: what write verbs share where they say no. That it was refused, and why, is kept on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import refusals

Given = ParamSpec("Given")
Act = Callable[Concatenate[Workplace, Given], WriteAnswer]


def noting(act: Act[Given]) -> Act[Given]:
    """A write verb whose refusals are logged in the memdir that it was most likely about: the project's, if any."""

    @wraps(act)
    def noted(workplace: Workplace, /, *args: Given.args, **options: Given.kwargs) -> WriteAnswer:
        answer = act(workplace, *args, **options)
        if answer.decision == "refused" and workplace.stores:
            refusals.note(workplace.stores[-1], workplace.runtime.now, act.__name__, answer.reason)
        return answer

    return noted
