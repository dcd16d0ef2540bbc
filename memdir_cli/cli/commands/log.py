"""Show what happened, from the receipts, newest first.

Receipts hold no content; the key stands beside an id as long as the memory exists.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir log
  memdir log --json
"""


def command(*, common: Common) -> int:
    """Show the events of both memdirs."""
    from memdir_cli.cli.render import json, tables
    from memdir_cli.operations.log import log

    answer = log(open_here(common), ignored=reading.ignored(False))
    if common.json:
        streams.say(json.text(answer.document()))
    else:
        tables.show(tables.EVENTS, tables.events(answer.events))
    return answer.exit_status
