"""Take a memory back from the archive; it becomes what it was, and nothing better."""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir restore build_command
  memdir restore k7f3x9
"""


def command(ref: str, scope: str | None = None, *, said: Said, common: Common) -> int:
    """Take back what REF names."""
    from memdir_cli.operations.restore import restore

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    return writing.answered(restore(workplace, ref, spoken, scope=level), common)
