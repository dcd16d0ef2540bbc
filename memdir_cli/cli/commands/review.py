"""Walk through what waits for a person: candidates, conflicts, memories that nobody vouches for, stale ones.

Off a terminal, or with --json, it lists them with the commands to type; each of those needs a user's word.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading
from memdir_cli.domain.text import printable

EXAMPLES = """\
  memdir review
  memdir review --sample
  memdir review --scope repository --json
"""


def command(scope: str | None = None, sample: bool = False, ignore_memory: bool = False, *, common: Common) -> int:
    """Review what waits."""
    from memdir_cli.cli.render import reviewed, tables
    from memdir_cli.operations.review import review

    level, _ = words.scope(scope)
    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    person = terminal.person_present(workplace.runtime)
    ignored = reading.ignored(ignore_memory)
    answer = review(workplace, level, sample=sample, ignored=ignored, feeds=not person)
    if reading.told(answer, common):
        return answer.exit_status
    if not common.quiet:
        for sentence in answer.remarks:
            streams.remark(f"warning: {printable(sentence)}")
    if answer.sample is not None:
        tables.show(reviewed.SAMPLED, reviewed.sampled(answer.sample, answer.now))
    elif not answer.entries:
        streams.remark("Nothing waits for you.")
    elif person:
        from memdir_cli.cli.walk import through

        through(answer.entries, lambda: open_here(common, Reading(scope=scope), ask_git=True), common)
    else:
        streams.say(reviewed.listed(answer.entries))
    return answer.exit_status
