"""Bring back what was in quarantine, as it was; needs a user's word.

Look at it first: `memdir show REF --quarantined`. What no receipt supported before waits in the inbox.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir release k7f3x9
  memdir release k7f3x9 --from user --said "that one is fine" --message msg-4
"""


def command(released_ref: str, scope: str | None = None, *, said: Said, common: Common) -> int:
    """Release REF."""
    from memdir_cli.operations.release import release

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    return writing.answered(release(workplace, released_ref, spoken, scope=level), common)
