"""Refresh whenever what memories depend on changes, until Ctrl-C.

Watches the files that memories cite and both memdirs; a burst of changes is answered once. One line a change, with
--json one object a line.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING

from memdir_cli.cli import streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.render import human, json
from memdir_cli.cli.request import Common
from memdir_cli.domain.text import printable
from memdir_cli.domain.watching import Ended, Failed, Polling, Refreshed, Told, Watching
from memdir_cli.errors import MemdirError
from memdir_cli.shapes import replace

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace

EXAMPLES = """\
  memdir watch
  memdir watch --json >> changes.jsonl
"""

#: Files that are named when they come under watch; more are counted.
NAMED = 10


def command(*, common: Common) -> int:
    """Watch both memdirs."""
    from memdir_cli.operations.refresh import refresh
    from memdir_cli.operations.watch import watch

    inbox: SimpleQueue[str | int] = SimpleQueue()
    status = 0
    try:
        with _signals(inbox), closing(watch(_opener(common), refresh, inbox)) as told:
            for one in told:
                status = _tell(one, common)
                sys.stdout.flush()
    except MemdirError as error:
        if not common.json:
            raise
        streams.say(json.line(json.error_document(error)))
        return error.exit_status
    return status


def _opener(common: Common) -> Callable[[], Workplace]:
    """Opens the workplace again and again; remarks on it are made once."""
    first, later = iter((common,)), replace(common, quiet=True)
    return lambda: open_here(next(first, later))


@contextmanager
def _signals(inbox: SimpleQueue[str | int]) -> Iterator[None]:
    """Let a refresh that runs end before Ctrl-C or a request to terminate does; a second one does not wait."""

    def ask(number: int, _: object) -> None:
        signal.signal(number, before[number])
        inbox.put(number)

    # what was started in the background of a script is told to ignore Ctrl-C, and does
    asked = (int(signal.SIGINT), int(signal.SIGTERM))
    before = {number: signal.getsignal(number) for number in asked if signal.getsignal(number) != signal.SIG_IGN}
    for number in before:
        signal.signal(number, ask)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(one: Told, common: Common) -> int:
    """Print what happened, and give the exit status if it was the last thing to happen."""
    if isinstance(one, Ended):
        return 128 + one.signal
    if isinstance(one, Refreshed):
        _changes(one, common)
    elif isinstance(one, Watching) and not common.quiet:
        streams.remark(_watching(one))
    elif isinstance(one, Polling):
        streams.remark(f"warning: {printable(one.why)}; looking every {one.seconds:g} seconds instead")
    elif isinstance(one, Failed):
        streams.remark(f"warning: {printable(one.error.message)} Trying again.")
    return 0


def _changes(refreshed: Refreshed, common: Common) -> None:
    for change in refreshed.answer.changed:
        streams.say(json.line(change.document()) if common.json else human.change(change))
    for trouble in refreshed.answer.troubles:
        streams.remark(f"warning: {trouble}")
    if os.environ.get("MEMDIR_DEBUG") == "1":
        streams.remark(printable(f"debug: refreshed {' '.join(refreshed.because)}"))


def _watching(watching: Watching) -> str:
    count = len(watching.files)
    if watching.memdirs:
        said = "watching " + ", ".join(f"`{root}`" for root in watching.memdirs)
        said += f" and {count} file{'' if count == 1 else 's'}"
    else:
        said = f"watching {count} more file{'' if count == 1 else 's'}"
    more = f", and {count - NAMED} more" if count > NAMED else ""
    named = f": {', '.join(watching.files[:NAMED])}{more}" if count else ""
    return printable(f"{said}{named}" + ("; Ctrl-C ends it" if watching.memdirs else ""))
