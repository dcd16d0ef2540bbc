"""Find memories by words of their text, the best first.

Looks at everything that memdir list shows, in any script; words need not have the same ending, and may be
misspelt. What is found are candidates: only a key names a memory.
"""

from __future__ import annotations

from memdir_cli.cli import again, reading, terminal
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from memdir_cli.domain.finding import SearchAnswer

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
    from memdir_cli.domain.times import ago
    from memdir_cli.operations.search import search

    own = {"all": all, "status": status, "scope": scope, "type": type, "max_age": max_age}
    given = again.given({"text": text, **own, "ignore_memory": ignore_memory}, common)
    # an age is counted from this second on
    answering = again.Answering("search", given, common, lasting=not max_age)
    workplace = open_here(common, Reading(scope=scope), heard=answering.heard)
    since = ago(max_age, workplace.runtime.now) if max_age else ""
    wanted = reading.wanted(all, status, scope, type, since=since)
    answer = search(
        workplace,
        text,
        wanted,
        verdicts=answering.looks(workplace),
        ignored=reading.ignored(ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    if common.json:
        from memdir_cli.cli.render import json

        return answering.say(workplace, answer.exit_status, f"{json.text(answer.document())}\n")
    if answer.ignored:
        reading.is_ignored(common)
        return answer.exit_status
    from memdir_cli.cli.render import tables

    table = tables.drawn(tables.RESULTS, tables.results(answer.results))
    return answering.say(workplace, answer.exit_status, table, _remarks(answer, common))


def _remarks(answer: SearchAnswer, common: Common) -> list[str]:
    """What to know of the results, each by its key and id, and of what could not be looked at."""
    told = [
        f"{result.listed.judged.memory.predicate} ({result.listed.judged.memory.id}): {caution.message}"
        for result in answer.results
        for caution in result.warnings
    ]
    lines = reading.warned([*told, *answer.remarks], common)
    return lines if answer.results else [*lines, *reading.no_result("Nothing is found.", "memdir list")]
