"""List the memories that may be used here.

Both memdirs, whatever their qualifiers. A status that is not in that view implies --all.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.status import STATUSES
from memdir_cli.domain.text import printable

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
    from memdir_cli.domain.listing import Filter
    from memdir_cli.operations.list_memories import list_memories

    level, _ = words.scope(scope)
    wanted = Filter(
        everything=all,
        status=words.one_of("--status", status, STATUSES),
        level=level,
        type=words.one_of("--type", type, TYPES),
    )
    workplace = open_here(common, Reading(scope=scope))
    answer = list_memories(workplace, wanted, ignored=reading.ignored(ignore_memory))
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    if answer.ignored:
        reading.is_ignored(common)
        return answer.exit_status
    tables.show(tables.MEMORIES, tables.memories(answer.memories))
    if not common.quiet:
        for sentence in answer.remarks:
            streams.remark(f"warning: {printable(sentence)}")
    return answer.exit_status
