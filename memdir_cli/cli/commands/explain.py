"""Show every contender for a key and why it won or lost.

Candidates, quarantined, expired and archived memories are named too, with what keeps them out.
"""

from __future__ import annotations

from memdir_cli.cli import reading, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir explain package_manager
  memdir explain test_command --path packages/web/src/app.ts
"""


def command(key: str, *, narrowed: Reading, common: Common) -> int:
    """Explain what applies."""
    from memdir_cli.cli.render import tables
    from memdir_cli.operations.explain import explain

    workplace = open_here(common, narrowed)
    level, _ = words.scope(narrowed.scope)
    answer = explain(workplace, key, level, ignored=reading.ignored(narrowed.ignore_memory))
    if reading.told(answer, common):
        return answer.exit_status
    if not answer.contenders:
        reading.unknown_key(answer.key, answer.nearest, "explain")
    else:
        tables.show(tables.CONTENDERS, tables.contenders(answer.contenders))
    reading.remarks(answer.warnings, common)
    return answer.exit_status
