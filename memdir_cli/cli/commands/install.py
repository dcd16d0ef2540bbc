"""Fit memdir into another program, or take it out again with --remove.

`claude`, `codex`, `gemini`, `cursor`, `copilot`: hooks in the agent's settings of this project, and a text that says
when to remember and when to ask. `agents-md`: that text in AGENTS.md, for agents without hooks. `pre-commit`: judge
the memdir at every commit. `git`: let git merge memories by what they say, in this clone (every clone needs it once).
`health-workflow`: have GitHub report on the memdir each month.

What changes is shown as a diff first; at a terminal you are asked, unless --yes is given.
"""

from __future__ import annotations

from memdir_cli.cli import streams, terminal
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.installing import InstallAnswer

EXAMPLES = """\
  memdir install claude --dry-run
  memdir install git
  memdir install git --remove
"""


def command(target: str, yes: bool = False, dry_run: bool = False, remove: bool = False, *, common: Common) -> int:
    """Install TARGET."""
    from memdir_cli.cli.render import json
    from memdir_cli.operations.install import install

    workplace = open_here(common)
    asked = not yes and not common.json and terminal.person_present(workplace.runtime)

    def agreed(proposed: InstallAnswer) -> bool:
        if not common.json and (asked or not common.quiet):
            streams.remark(proposed.diff)
        return not asked or terminal.agreed("Change this?")

    answer = install(workplace, target, remove=remove, dry_run=dry_run, agreed=agreed)
    if common.json:
        streams.say(json.text(answer.document()))
        return answer.exit_status
    if dry_run and answer.diff:
        streams.say(answer.diff)
    elif answer.edits:
        streams.say("\n".join(answer.lines))
    if not common.quiet:
        for remark in answer.remarks or (() if answer.edits else ("There is nothing to change.",)):
            streams.remark(remark)
    return answer.exit_status
