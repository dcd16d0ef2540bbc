"""Say where a memory holds, and nowhere else; needs a user's word.

The narrower memory is one of its own, the wide one goes to history. A side of a conflict is narrowed by its own id.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Narrowed, Reading, Said
from memdir_cli.domain.statement import Qualification

EXAMPLES = """\
  memdir narrow linter --path "packages/web/**"
  memdir narrow q2m8v4 --env os=windows --from user --said "only on Windows" --message msg-4
"""


def command(ref: str, scope: str | None = None, *, narrowed: Narrowed, said: Said, common: Common) -> int:
    """Narrow what REF names."""
    from memdir_cli.operations.narrow import narrow

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    given = Qualification(narrowed.path, narrowed.topic, words.pairs("--env", narrowed.env), narrowed.for_version)
    answer = writing.asked(
        narrow(workplace, ref, given, spoken, scope=level),
        lambda revision: narrow(workplace, ref, given, spoken, scope=level, replacing=revision),
    )
    return writing.answered(answer, common)
