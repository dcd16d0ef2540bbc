"""Show who asks, from where, and how memdir knows."""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.render import facts, json
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir whoami
  memdir whoami --json
"""


def command(*, common: Common) -> int:
    """Show the facts of this call, each with where it came from."""
    workplace = open_here(common, ask_git=True)
    if common.json:
        streams.say(json.text(facts.document(workplace)))
    else:
        streams.say(facts.lines(workplace))
    return 0
