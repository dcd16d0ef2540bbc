"""Replace what is remembered; needs a user's word.

The old value goes to history. Without --scope only the key's only record is replaced.
"""

from __future__ import annotations

from memdir_cli.cli import terminal, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Said, Saying
from memdir_cli.shapes import replace

EXAMPLES = """\
  memdir correct package_manager npm
  memdir correct package_manager npm --scope user --from user --said "from now on npm" --message msg-7
  memdir correct build_command "just build" --scope repository --if-revision 2
"""


def command(key: str, value: str | None = None, *, saying: Saying, said: Said, common: Common) -> int:
    """State a value that replaces what stood."""
    from memdir_cli.operations.correct import correct

    workplace = open_here(common, ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    stated = replace(writing.statement(key, value, saying, spoken), explicit=True, correction=True)
    answer = writing.with_memdir(
        workplace, lambda place: writing.state(place, stated, correct), lambda: open_here(common, ask_git=True)
    )
    return writing.answered(answer, common)
