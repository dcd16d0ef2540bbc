"""Say a value for a key, with its scope and its source.

Decides what it means for what is remembered already: created, confirmed, superseded, conflicted,
needs_decision, needs_scope, revision_conflict or refused.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Said, Saying

EXAMPLES = """\
  memdir remember package_manager pnpm --scope user
  memdir remember package_manager npm --scope repository --from user --said "use npm ci here"
  memdir remember lint_flags --scope repository -- --max-warnings=0
"""


def command(key: str, value: str | None = None, *, saying: Saying, said: Said, common: Common) -> int:
    """State a value; nothing is guessed about its scope."""
    from memdir_cli.operations.remember import remember

    workplace = open_here(common, ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    stated = writing.statement(key, value, saying, spoken)
    answer = writing.with_memdir(
        workplace, lambda place: writing.state(place, stated, remember), lambda: open_here(common, ask_git=True)
    )
    return writing.answered(answer, common)
