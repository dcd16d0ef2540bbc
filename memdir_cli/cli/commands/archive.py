"""Put a memory away where nothing serves it; it is kept whole, and `memdir restore` takes it back.

With --cold SPAN: everything of which nothing was heard for so long, and which nobody was shown, or of which the
evidence or the place is gone. Without --yes that is only a list; at a terminal you are asked. Archiving is not
forgetting: `memdir forget` removes for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir_cli.cli import streams, terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

if TYPE_CHECKING:
    from memdir_cli.domain.archiving import ArchiveAnswer

EXAMPLES = """\
  memdir archive build_command
  memdir archive --cold 365d
  memdir archive --cold 365d --yes
"""


def command(
    optional_ref: str | None = None,
    cold: str | None = None,
    yes: bool = False,
    scope: str | None = None,
    *,
    said: Said,
    common: Common,
) -> int:
    """Put away REF, or what lies cold."""
    from memdir_cli.cli.render import archiving, json
    from memdir_cli.operations.archive import archive, archive_cold

    if (optional_ref is None) == (cold is None):
        raise UsageError("Name what is to be put away.", hint="give either REF or `--cold 365d`")
    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    person = terminal.person_present(workplace.runtime)
    spoken = writing.provenance(said, person=person)
    if optional_ref is not None:
        level, _ = words.scope(scope)
        return writing.answered(archive(workplace, optional_ref, spoken, scope=level), common)
    answer = archive_cold(workplace, cold or "", spoken, dry_run=not yes)
    if not yes and person and answer.cold:
        streams.remark(archiving.told(answer))
        yes = terminal.agreed("Put these away?")
        answer = archive_cold(workplace, cold or "", spoken, dry_run=not yes)
    if common.json:
        streams.say(json.text(answer.document()))
    else:
        _tell(answer, quiet=common.quiet)
    return answer.exit_status


def _tell(answer: ArchiveAnswer, *, quiet: bool) -> None:
    from memdir_cli.cli.render import archiving

    if answer.cold:
        streams.say(archiving.told(answer))
    if quiet:
        return
    if not answer.cold:
        streams.remark("Nothing lies cold.")
    for caution in answer.warnings:
        streams.remark(f"warning: {printable(caution.message)}")
    if answer.cold and not answer.archived:
        streams.hint("nothing was moved; add `--yes`")
