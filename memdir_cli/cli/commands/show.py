"""Show one memory whole: the keys of its header and its text."""

from __future__ import annotations

from memdir_cli.cli import reading, streams, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir show package_manager
  memdir show k7f3x9@2 --json
"""


def command(
    ref: str, scope: str | None = None, quarantined: bool = False, ignore_memory: bool = False, *, common: Common
) -> int:
    """Show what REF names."""
    from memdir_cli.cli.render import whole
    from memdir_cli.operations.show import show

    workplace = open_here(common, Reading(scope=scope))
    level, _ = words.scope(scope)
    answer = show(
        workplace,
        ref,
        level,
        quarantined=quarantined,
        ignored=reading.ignored(ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    if reading.told(answer, common):
        return answer.exit_status
    streams.say(whole.lines(answer.document()))
    reading.remarks(answer.warnings, common)
    if answer.withheld and not common.quiet:
        streams.remark("hint: it is quarantined; `--quarantined` shows its text")
    return answer.exit_status
