"""Again: say what `check` or a reading verb said the last time, where everything stands as it stood.

Asked before anything else is imported; keeping what was said for the next time may take longer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from memdir_cli.cli import streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memdir_cli.cli.request import Common, Reading
    from memdir_cli.domain.findings import CheckAnswer
    from memdir_cli.operations import retelling
    from memdir_cli.operations.keeping import Standing
    from memdir_cli.operations.lasting import SignedLooks
    from memdir_cli.operations.lasting import Standing as ReaderStanding
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


def repeated(
    verb: str, given: Mapping[str, Any], cwd: str = "", environ: Mapping[str, str] | None = None
) -> int | None:
    """Say what a reading verb said to the same call, and give the exit status; ``None`` where it must be asked anew.

    :param given: what was given, by parameter.
    :param cwd: where it is asked, ``""`` for here.
    """
    from memdir_cli.operations import repeating

    try:
        asked = repeating.call(verb, given, cwd or os.getcwd())
        told = repeating.repeated(asked, os.environ if environ is None else environ)
    except OSError:
        return None  # the working directory is gone, which is told elsewhere
    return None if told is None else _tell(told[0], told[1], told[2])


class Answering:
    """One call of a reading verb, whose answer is kept for the next time, unless it goes to a terminal.

    :param lasting: whether the answer may be the same at another time.
    :ivar heard: takes down what git is asked.
    """

    def __init__(
        self,
        verb: str,
        given: Mapping[str, Any],
        common: Common,
        *,
        lasting: bool = True,
        key: str = "",
        cwd: str = "",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._stood: ReaderStanding | None = None
        if lasting and not sys.stdout.isatty():
            self._stood = _standing(verb, given, common, key, cwd, os.environ if environ is None else environ)
        self._looks: SignedLooks | None = None
        self.heard = None if self._stood is None else self._stood.heard

    def looks(self, workplace: Workplace) -> SignedLooks:
        """The verdicts on evidence in the workspace, watched."""
        from memdir_cli.operations.lasting import SignedLooks, lend

        if self._stood is not None:
            lend(self._stood, workplace)
        self._looks = SignedLooks(workplace.root)
        return self._looks

    def say(self, workplace: Workplace, status: int, said: str, remarks: Iterable[str] = ()) -> int:
        """Print the answer, keep it if it may be given again, and give the exit status.

        :param said: the result as it is to be printed, its last line end included.
        """
        lines = tuple(remarks)
        status = _tell(status, said, lines)
        if self._stood is not None and self._looks is not None:
            from memdir_cli.operations import lasting

            lasting.keep(self._stood, workplace, self._looks, status, said, lines)
        return status


def _standing(
    verb: str, given: Mapping[str, Any], common: Common, key: str, cwd: str, environ: Mapping[str, str]
) -> ReaderStanding | None:
    from memdir_cli.operations import lasting, repeating
    from memdir_cli.probes.memdir_place import working_directory

    here = cwd or working_directory()
    return lasting.standing(repeating.call(verb, given, here), here, environ, common.dir, key)


def given(own: Mapping[str, Any], *groups: Common | Reading) -> dict[str, Any]:
    """What was given to a verb, by parameter, without what was left out; groups by their fields."""
    fields = {name: getattr(group, name) for group in groups for name in group.__slots__}
    return {name: value for name, value in {**own, **fields}.items() if value not in (None, False, ())}


def _tell(status: int, said: str, remarks: Iterable[str]) -> int:
    streams.write(said)
    for line in remarks:
        streams.remark(line)
    return status
