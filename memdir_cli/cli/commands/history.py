"""Show the revisions of a key, oldest first."""

from __future__ import annotations

from memdir_cli.cli import reading, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir history package_manager
  memdir history package_manager --scope user --json
"""


def command(key: str, scope: str | None = None, ignore_memory: bool = False, *, common: Common) -> int:
    """Show what a key ever was."""
    from memdir_cli.cli.render import tables
    from memdir_cli.cli.request import Reading
    from memdir_cli.operations.history import history

    workplace = open_here(common, Reading(scope=scope))
    level, _ = words.scope(scope)
    answer = history(workplace, key, level, ignored=reading.ignored(ignore_memory))
    if reading.told(answer, common):
        return answer.exit_status
    if not answer.revisions:
        reading.unknown_key(answer.key, answer.nearest, "history")
    else:
        tables.show(tables.REVISIONS, tables.revisions(answer.revisions))
    return answer.exit_status
