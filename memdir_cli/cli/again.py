"""Again: say what `check` said the last time, where everything stands as it stood.

Asked before anything else is imported; keeping what was said for the next time may take longer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memdir_cli.cli import streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir_cli.cli.request import Common
    from memdir_cli.domain.findings import CheckAnswer
    from memdir_cli.operations import retelling
    from memdir_cli.operations.keeping import Standing
    from memdir_cli.operations.workplace import Workplace


def run(words: Sequence[str]) -> int | None:
    """Run a command line and give its exit status, ``None`` if it must be run otherwise."""
    if not words or words[0] != "check":
        return None
    from memdir_cli.operations import retelling

    request = retelling.asked(words[1:])
    try:
        told = None if request is None else retelling.retold(request, os.getcwd(), os.environ)
    except OSError:
        return None  # the working directory is gone, which is told elsewhere
    return None if told is None else say(told)


def say(told: retelling.Told) -> int:
    """Print what was said, and give the exit status."""
    status, said, remarks = told
    if said:
        streams.say(said)
    for line in remarks:
        streams.remark(line)
    return status


def standing(common: Common, given: Mapping[str, str | bool | None]) -> Standing | None:
    """How everything stands before a command reads it.

    :param given: the other options by their parameters.
    """
    from memdir_cli.operations import keeping
    from memdir_cli.probes.memdir_place import working_directory

    options = {**given, "json": common.json, "quiet": common.quiet, "dir": common.dir}
    texts = {name: "yes" if value is True else value for name, value in options.items()}
    request = tuple(sorted((name, text) for name, text in texts.items() if isinstance(text, str)))
    return keeping.standing(request, working_directory(), os.environ)


def keep(stood: Standing | None, workplace: Workplace, answer: CheckAnswer, told: retelling.Told) -> None:
    """Keep what was said for the next time."""
    if stood is not None:
        from memdir_cli.operations import keeping

        keeping.keep(stood, workplace, answer, told)
