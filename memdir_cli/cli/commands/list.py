"""List the memories that may be used here.

Both memdirs, whatever path or topic they are for, but not what is for another environment or version of the
project. A status that is not in that view implies --all.
"""

from __future__ import annotations

from memdir_cli.cli import again, reading
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir list
  memdir list --status candidate
  memdir list --all --json
"""


def command(
    all: bool = False,  # noqa: A002 (the name of the option)
    status: str | None = None,
    scope: str | None = None,
    type: str | None = None,  # noqa: A002 (the name of the option)
    ignore_memory: bool = False,
    *,
    common: Common,
) -> int:
    """List memories."""
    from memdir_cli.cli.render import json, tables
    from memdir_cli.operations.list_memories import list_memories

    wanted = reading.wanted(all, status, scope, type)
    own = {"all": all, "status": status, "scope": scope, "type": type, "ignore_memory": ignore_memory}
    answering = again.Answering("list", again.given(own, common), common)
    workplace = open_here(common, Reading(scope=scope), heard=answering.heard)
    seen = answering.looks(workplace)
    answer = list_memories(workplace, wanted, verdicts=seen, ignored=reading.ignored(ignore_memory))
    if common.json:
        return answering.say(workplace, answer.exit_status, f"{json.text(answer.document())}\n")
    if answer.ignored:
        reading.is_ignored(common)
        return answer.exit_status
    table = tables.drawn(tables.MEMORIES, tables.memories(answer.memories))
    return answering.say(workplace, answer.exit_status, table, reading.warned(answer.remarks, common))
