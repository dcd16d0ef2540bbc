"""The person at the terminal: whether there is one, and the few questions that are asked.

Nothing is asked and nothing is read anywhere else, so that no command ever waits for input.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from memdir_cli.domain.answer import Choice
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.text import printable

#: What Enter stands for where a letter is asked for.
ENTER = "later"


def person_present(runtime: Runtime) -> bool:
    """Whether a person types: stdin and stderr are terminals, and no agent or CI is recognised."""
    return runtime.agent.value is None and sys.stdin.isatty() and sys.stderr.isatty()


def command_line() -> str:
    """What was typed, as a shell would take it again."""
    import shlex  # only a person's command line is told

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


def letter(question: str, words: Mapping[str, str]) -> str:
    """Ask for one of the letters; ``""`` for Enter, any other letter, or the end of input.

    :param words: by letter, what it stands for.
    """
    named = ", ".join(f"{one} {word}".strip() for one, word in words.items())
    typed = _ask(f"{printable(question)} ({named}; Enter {ENTER})? ").lower()
    return typed if typed in words else ""


def line(question: str) -> str:
    """Ask for a line; ``""`` for Enter or the end of input."""
    return _ask(f"{printable(question)}? ")


def _ask(prompt: str) -> str:
    sys.stdout.flush()
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        # the end of input leaves the cursor behind the question
        sys.stderr.write("\n")
    return line.strip()
