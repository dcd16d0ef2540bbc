"""Remove a memory for good: every revision, candidate and copy that memdir keeps, in both memdirs.

It cannot be undone, and nothing brings it back but the user's own new word. `memdir expire` ends a memory and
keeps its history. What memdir cannot reach (commits, clones, backups, transcripts) is named, with the commands
for a person. At a terminal you are asked first; elsewhere --yes must be given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir_cli.cli import streams, terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said
from memdir_cli.errors import UsageError

if TYPE_CHECKING:
    from memdir_cli.domain.forgetting import ForgetAnswer

EXAMPLES = """\
  memdir forget staging_host --dry-run
  memdir forget staging_host --yes
  memdir forget 'gotcha.*' --yes
  memdir forget --source session:s1 --yes --json
"""


def command(
    forgotten_ref: str | None = None,
    origin: str | None = None,
    subject: str | None = None,
    all_scopes: bool = False,
    scope: str | None = None,
    yes: bool = False,
    dry_run: bool = False,
    *,
    said: Said,
    common: Common,
) -> int:
    """Forget what REF, --source or --subject names."""
    from memdir_cli.cli.render import forgetting, json
    from memdir_cli.operations.aiming import Wanted
    from memdir_cli.operations.forget import forget

    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    person = terminal.person_present(workplace.runtime)
    spoken = writing.provenance(said, person=person)
    level, _ = words.scope(scope)
    wanted = Wanted(forgotten_ref, origin, subject, level, all_scopes)
    # what is wrong with the aim is told before anybody is asked: a yes would not mend it
    if not (yes or dry_run) and not _agreed(forget(workplace, wanted, spoken, dry_run=True), person=person):
        return 0
    answer = forget(workplace, wanted, spoken, dry_run=dry_run)
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    streams.say(forgetting.told(answer))
    for caution in () if common.quiet else answer.warnings:
        streams.remark(f"warning: {caution.message}")
    return answer.exit_status


def _agreed(listed: ForgetAnswer, *, person: bool) -> bool:
    """Whether a person who sees what would be forgotten says yes.

    :raises UsageError: where nobody can be asked.
    """
    from memdir_cli.cli.render import forgetting

    if not person:
        raise UsageError(
            "Nothing is forgotten without a yes, and nobody can be asked here.",
            code="not-confirmed",
            hint="look with `--dry-run`, then give `--yes`",
        )
    streams.remark(forgetting.listed(listed))
    if terminal.agreed("Forget this for good?"):
        return True
    streams.remark("Nothing was forgotten.")
    return False
