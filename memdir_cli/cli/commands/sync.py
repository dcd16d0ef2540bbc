"""Sync a memdir that is a git repository of its own with its remote.

Commits what changed in the memdir (never `local/`), takes in what other machines pushed, merging memories by what they
say, and pushes. --user is for your own memdir. Nothing is ever forced; where a person has to decide, the message says
how things stand and what to type.
"""

from __future__ import annotations

from memdir_cli.cli import streams, terminal
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.text import printable

EXAMPLES = """\
  memdir sync --user
  memdir sync --json
"""


def command(user: bool = False, *, common: Common) -> int:
    """Sync the project's memdir, or the user's."""
    from memdir_cli.cli.render import json
    from memdir_cli.operations.sync import sync

    workplace = open_here(common)
    answer = sync(workplace, user=user, attended=not common.json and terminal.person_present(workplace.runtime))
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    if not common.quiet:
        streams.say(printable(answer.line))
        for _, sentence in answer.warnings:
            first, *more = sentence.split("\n")
            streams.remark("\n".join([f"warning: {printable(first)}", *(f"  {printable(line)}" for line in more)]))
    return answer.exit_status
