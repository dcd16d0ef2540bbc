"""Finish what a crash interrupted and mend what is derived.

Writes the index anew, moves files to the names of their identities, and clears away what is left over.
Nothing is overwritten, and no file is touched that cannot be read. --dry-run shows what would change as a
diff.
"""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir repair --dry-run
  memdir repair
"""


def command(dry_run: bool = False, *, common: Common) -> int:
    """Repair both memdirs."""
    from memdir_cli.cli.render import json
    from memdir_cli.operations.repair import repair

    answer = repair(open_here(common), dry_run=dry_run)
    if common.json:
        streams.say(json.text(answer.document()))
    elif answer.actions:
        streams.say("\n".join(action.text for action in answer.actions))
        if answer.diff:
            streams.say(answer.diff)
    elif not common.quiet:
        streams.remark("There is nothing to repair.")
    return answer.exit_status
