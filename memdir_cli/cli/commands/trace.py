"""Show which sessions were given a memory, and what followed: an incident report in Markdown.

It holds no text of any memory. With --transcripts the calls of tools in those sessions are counted, risky ones marked.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir trace k7f3x9
  memdir trace k7f3x9@2 --transcripts ~/.claude/projects --json
"""


def command(ref: str, scope: str | None = None, transcripts: str | None = None, *, common: Common) -> int:
    """Trace what REF names."""
    from memdir_cli.cli.render import incident, json
    from memdir_cli.operations.trace import trace

    workplace = open_here(common, Reading(scope=scope))
    level, _ = words.scope(scope)
    answer = trace(workplace, ref, level=level, transcripts=transcripts)
    if common.json:
        streams.say(json.text(answer.document()))
    else:
        streams.say(incident.report(answer))
        reading.remarks(answer.warnings, common)
    return answer.exit_status
