"""Look for faults in the memdir; writes nothing.

Judges the whole memdir always; PATHS narrow what is reported. Prints `path:line:col: severity CODE
message`, nothing when clean. Exit 1 for errors, with --strict for warnings too, 2 if something could
not be checked.
"""

from __future__ import annotations

from memdir_cli.cli import streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir check
  memdir check --strict .memdir/memories
  memdir check --format github --ignore M3
"""

FORMATS = ("text", "json", "github")


def command(
    paths: tuple[str, ...] = (),
    select: str | None = None,
    ignore: str | None = None,
    format: str | None = None,  # noqa: A002 (the name of the option)
    strict: bool = False,
    statistics: bool = False,
    *,
    common: Common,
) -> int:
    """Check the memdir."""
    from memdir_cli.cli.render import findings, json
    from memdir_cli.operations.check import check

    form = words.one_of("--format", format, FORMATS) or ("json" if common.json else "text")
    workplace = open_here(common, lenient=True)
    answer = check(workplace, paths, words.codes(select), words.codes(ignore), strict=strict)
    if form == "json":
        streams.say(json.text(answer.document()))
        return answer.exit_status
    lines = findings.statistics(answer.findings) if statistics else findings.FORMS[form](answer.findings)
    if lines:
        streams.say(lines)
    if answer.findings and not common.quiet:
        streams.remark(findings.summary(answer))
        if any(finding.fixable for finding in answer.findings):
            streams.hint("`memdir repair` mends what is fixable")
    return answer.exit_status
