"""Make a project memdir in this repository."""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir init
  memdir init --id github.com/acme/legacy-dashboard
"""


def command(repository_id: str | None = None, *, common: Common) -> int:
    """Make ``.memdir/``, or give the one that is here another repository id."""
    from memdir_cli.cli.render import init as rendered
    from memdir_cli.cli.render import json
    from memdir_cli.operations.init import init

    founding = init(open_here(common, ask_git=True), repository_id)
    if common.json:
        streams.say(json.text(rendered.document(founding)))
    elif not common.quiet:
        streams.say(rendered.line(founding))
        for remark in rendered.remarks(founding):
            streams.remark(f"warning: {remark}")
    return 0
