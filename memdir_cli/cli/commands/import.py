"""Take in the memories of another tool as candidates. Its files are only read.

PATH is the folder that holds them, one file, or a project root in which the usual place is looked up. What was
imported before, whatever became of it, is not imported again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir_cli.cli import streams, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.foreign import FORMS

if TYPE_CHECKING:
    from memdir_cli.domain.importing import ImportAnswer

EXAMPLES = """\
  memdir import claude . --dry-run
  memdir import serena .
  memdir import mcp ~/notes/memory.jsonl --yes
"""


def command(form: str, source_path: str, yes: bool = False, dry_run: bool = False, *, common: Common) -> int:
    """Import FORMAT from PATH."""
    from memdir_cli.cli.render import json
    from memdir_cli.operations.import_memories import import_memories

    chosen = words.argument("FORMAT", form, FORMS)
    workplace = open_here(common)
    asked = not (yes or dry_run or common.json) and terminal.person_present(workplace.runtime)
    answer = import_memories(workplace, chosen, source_path, dry_run=dry_run or asked)
    if asked and answer.imported:
        _show(answer, common)
        if not terminal.agreed(f"Import {_counted(len(answer.imported), 'candidate')}?"):
            return 0
        answer = import_memories(workplace, chosen, source_path)
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    _show(answer, common)
    if not common.quiet:
        streams.remark(_sum(answer))
        if answer.imported and not answer.dry_run:
            streams.hint("memdir list --status candidate")
    return answer.exit_status


def _show(answer: ImportAnswer, common: Common) -> None:
    """A line for every candidate, and what was not taken in."""
    from memdir_cli.cli.render import imported

    for one in answer.imported:
        streams.say(imported.line(one, dry_run=answer.dry_run))
    for sentence in imported.kept_out(answer):
        streams.remark(sentence)
    if not common.quiet:
        for sentence in imported.remarks(answer):
            streams.remark(sentence)


def _sum(answer: ImportAnswer) -> str:
    taken = "would be imported" if answer.dry_run else "imported"
    parts = [f"{_counted(len(answer.imported), 'candidate')} {taken}"]
    parts += [f"{answer.known} known already"] if answer.known else []
    parts += [f"{len(answer.refused)} refused"] if answer.refused else []
    parts += [f"{len(answer.unread)} not readable"] if answer.unread else []
    parts += [f"{len(answer.left)} left out"] if answer.left else []
    return ", ".join(parts)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
