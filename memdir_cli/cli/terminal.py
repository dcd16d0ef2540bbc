"""The person at the terminal: whether there is one, and the few questions that are asked.

Nothing is asked and nothing is read anywhere else, so that no command ever waits for input.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

from memdir_cli.domain.answer import Choice
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.text import printable


def person_present(runtime: Runtime) -> bool:
    """Whether a person types: stdin and stderr are terminals, and no agent or CI is recognised."""
    return runtime.agent.value is None and sys.stdin.isatty() and sys.stderr.isatty()


def command_line() -> str:
    """What was typed, as a shell would take it again."""
    return shlex.join(["memdir", *sys.argv[1:]])


def choose(question: str, choices: Sequence[Choice]) -> Choice | None:
    """Ask which of ``choices`` is meant; Enter, an unknown letter or the end of input chooses none."""
    lines = [f"  {choice.letter}  {printable(choice.scope)}" for choice in choices]
    letters = ", ".join(choice.letter for choice in choices)
    typed = _ask("\n".join([printable(question), *lines, f"Which ({letters}; Enter cancels)? "])).lower()
    return next((choice for choice in choices if choice.letter == typed), None)


def agreed(question: str) -> bool:
    """Ask a question that only ``y`` or ``yes`` affirms."""
    return _ask(f"{printable(question)} (y/N) ").lower() in {"y", "yes"}


def _ask(prompt: str) -> str:
    sys.stdout.flush()
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        # the end of input leaves the cursor behind the question
        sys.stderr.write("\n")
    return line.strip()
