"""Drop a candidate that nobody wants; needs a user's word.

Who proposes the same once more is told so. `memdir expire` ends what was believed.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir reject test_command
  memdir reject k7f3x9 --reason "we left jest" --from user --said "no, not jest" --message msg-9
"""


def command(ref: str, reason: str | None = None, scope: str | None = None, *, said: Said, common: Common) -> int:
    """Drop the candidate REF."""
    from memdir_cli.operations.reject import reject

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    return writing.answered(reject(workplace, ref, spoken, reason=reason or "", scope=level), common)
