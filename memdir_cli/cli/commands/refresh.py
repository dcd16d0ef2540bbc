"""Move statuses to what clock and evidence say now. Values never change, and no file of the project does."""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.text import printable

EXAMPLES = """\
  memdir refresh
  memdir refresh --dry-run --json
"""


def command(dry_run: bool = False, *, common: Common) -> int:
    """Refresh both memdirs."""
    from memdir_cli.cli.render import human, json
    from memdir_cli.operations.refresh import refresh

    answer = refresh(open_here(common), dry_run=dry_run)
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    for change in answer.changed:
        streams.say(human.change(change))
    for path in answer.removed:
        streams.say(printable(f"{path}: removed: its time is over"))
    if not common.quiet:
        for _, sentence in answer.warnings:
            streams.remark(f"warning: {sentence}")
    return answer.exit_status
