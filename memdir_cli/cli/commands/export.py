"""Give what is remembered to another program.

`claude` writes a memory directory for Claude Code, `agents-md` a block in AGENTS.md or CLAUDE.md, `jsonl` lines of
JSON. What was exported is remembered, so that forgetting reaches it. A place inside the repository gets the
project's memories alone.
"""

from __future__ import annotations

from memdir_cli.cli import reading, streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.exporting import FORMS
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

EXAMPLES = """\
  memdir export agents-md AGENTS.md
  memdir export claude ~/.claude/projects/my-project/memory
  memdir export jsonl - > memories.jsonl
"""


def command(export_form: str, target_path: str, *, common: Common) -> int:
    """Export FORMAT to PATH."""
    from memdir_cli.operations.export import export

    form = words.argument("FORMAT", export_form, FORMS)
    if common.json and target_path == "-":
        raise UsageError("`--json` and `-` both want stdout.", hint="leave out `--json`, or name a file")
    answer = export(open_here(common, ask_git=True), form, target_path, ignored=reading.ignored(False))
    if reading.told(answer, common):
        return answer.exit_status
    streams.write(answer.text)
    for edit in answer.edits:
        streams.say(printable(f"{edit.deed} {edit.path}"))
    if not common.quiet:
        for remark in answer.remarks:
            streams.remark(f"warning: {remark}")
        if answer.path:
            streams.remark(_sum(answer.count, answer.left_out))
    return answer.exit_status


def _sum(count: int, left_out: int) -> str:
    told = f"{count} memory exported" if count == 1 else f"{count} memories exported"
    return f"{told}; {left_out} of your own left out, for others read this place" if left_out else told
