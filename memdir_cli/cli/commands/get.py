"""Print the one value that applies now.

Exit 1 if nothing applies, 3 if a person must decide.
"""

from __future__ import annotations

from memdir_cli.cli import again, reading, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir get package_manager
  memdir get test_command --path packages/web/src/app.ts --json
"""


def command(key: str, *, narrowed: Reading, common: Common) -> int:
    """Print the value of a key."""
    from memdir_cli.operations.get import get

    answering = again.Answering("get", again.given({"key": key}, narrowed, common), common, key=key)
    workplace = open_here(common, narrowed, heard=answering.heard)
    level, _ = words.scope(narrowed.scope)
    answer = get(
        workplace,
        key,
        level,
        verdicts=answering.looks(workplace),
        ignored=reading.ignored(narrowed.ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    if common.json:
        from memdir_cli.cli.render import json

        document = answer.document()
        if answer.exit_status == 3:
            document["error"] = {"code": answer.reason, "message": answer.message, "hint": answer.hint}
        return answering.say(workplace, answer.exit_status, f"{json.text(document)}\n")
    warned = reading.warned((caution.message for caution in answer.warnings), common)
    if answer.value is not None:
        return answering.say(workplace, answer.exit_status, f"{reading.verbatim(answer.value)}\n", warned)
    missing = reading.no_result(answer.message, answer.hint, decide=answer.exit_status == 3)
    return answering.say(workplace, answer.exit_status, "", [*missing, *warned])
