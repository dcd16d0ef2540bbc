"""Confirm a memory, or take a candidate in; needs a user's word."""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said

EXAMPLES = """\
  memdir confirm package_manager
  memdir confirm k7f3x9 --from user --said "yes, that is still right" --message msg-9
"""


def command(ref: str, scope: str | None = None, without_evidence: bool = False, *, said: Said, common: Common) -> int:
    """Confirm what REF names."""
    from memdir_cli.operations.confirm import confirm

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    answer = confirm(workplace, ref, spoken, scope=level, without_evidence=without_evidence)
    return writing.answered(answer, common)
