"""End a conflict by keeping one of its sides; needs a user's word.

`memdir show REF` lists the sides with their ids. `memdir correct` ends a conflict with another value.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir settle test_runner --keep q2m8v4
  memdir settle test_runner --keep q2m8v4 --from user --said "vitest it is" --message msg-4
"""


def command(ref: str, keep: str, scope: str | None = None, *, said: Said, common: Common) -> int:
    """Keep one side of a conflicted memory."""
    from memdir_cli.operations.settle import settle

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    return writing.answered(settle(workplace, ref, keep, spoken, scope=level), common)
