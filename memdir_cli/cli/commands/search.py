"""Find memories by words of their text, the best first.

Looks at everything that may be used here, in any script; words need not have the same ending, and may be
misspelt. What is found are candidates: only a key names a memory.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.status import STATUSES
from memdir_cli.domain.text import printable

EXAMPLES = """\
  memdir search "install dependencies"
  memdir search 打包 --scope repository --json
  memdir search lockfile --status candidate
"""


def command(
    text: str,
    all: bool = False,  # noqa: A002 (the name of the option)
    status: str | None = None,
    scope: str | None = None,
    type: str | None = None,  # noqa: A002 (the name of the option)
    max_age: str | None = None,
    ignore_memory: bool = False,
    *,
    common: Common,
) -> int:
    """Search memories."""
    from memdir_cli.domain.listing import Filter
    from memdir_cli.domain.times import ago
    from memdir_cli.operations.search import search

    level, _ = words.scope(scope)
    workplace = open_here(common, Reading(scope=scope))
    wanted = Filter(
        everything=all,
        status=words.one_of("--status", status, STATUSES),
        level=level,
        type=words.one_of("--type", type, TYPES),
        since=ago(max_age, workplace.runtime.now) if max_age else "",
    )
    answer = search(
        workplace,
        text,
        wanted,
        ignored=reading.ignored(ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    if common.json:
        from memdir_cli.cli.render import json

        streams.say(json.text(answer.document()))
        return answer.exit_status
    if answer.ignored:
        reading.is_ignored(common)
        return answer.exit_status
    from memdir_cli.cli.render import tables

    tables.show(tables.RESULTS, tables.results(answer.results))
    if not common.quiet:
        for result in answer.results:
            memory = result.listed.judged.memory
            for caution in result.warnings:
                streams.remark(printable(f"warning: {memory.predicate} ({memory.id}): {caution.message}"))
        for sentence in answer.remarks:
            streams.remark(f"warning: {printable(sentence)}")
    if not answer.results:
        reading.without_result("Nothing is found.", "memdir list")
    return answer.exit_status
