"""End a memory that holds no longer; needs a user's word.

It goes to history. `memdir correct` is for a rule that changed.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir expire build_command
  memdir expire build_command --superseded-by bundler --from user --said "we bundle now" --message msg-7
"""


def command(ref: str, superseded_by: str | None = None, scope: str | None = None, *, said: Said, common: Common) -> int:
    """End what REF names."""
    from memdir_cli.operations.expire import expire

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    answer = expire(workplace, ref, spoken, superseded_by=superseded_by, scope=level)
    return writing.answered(answer, common)
