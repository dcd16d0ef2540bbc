"""Print the one value that applies now.

Exit 1 if nothing applies, 3 if a person must decide.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir get package_manager
  memdir get test_command --path packages/web/src/app.ts --json
"""


def command(key: str, *, narrowed: Reading, common: Common) -> int:
    """Print the value of a key."""
    from memdir_cli.operations.get import get

    workplace = open_here(common, narrowed)
    level, _ = words.scope(narrowed.scope)
    answer = get(
        workplace,
        key,
        level,
        ignored=reading.ignored(narrowed.ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    if common.json:
        from memdir_cli.cli.render import json

        document = answer.document()
        if answer.exit_status == 3:
            document["error"] = {"code": answer.reason, "message": answer.message, "hint": answer.hint}
        streams.say(json.text(document))
        return answer.exit_status
    if answer.value is not None:
        streams.say(reading.verbatim(answer.value))
    else:
        reading.without_result(answer.message, answer.hint, decide=answer.exit_status == 3)
    reading.remarks(answer.warnings, common)
    return answer.exit_status
