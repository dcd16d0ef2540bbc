"""Look for faults in the memdir; writes nothing but with --fix.

Judges the whole memdir always; PATHS narrow what is reported. Prints `path:line:col: severity CODE
message`, nothing when clean. Exit 1 for errors, with --strict for warnings too, 2 if something could
not be checked.

--staged judges what lies in git's index, for hooks that see the working tree as it is. --baseline F lets
the findings that F lists stand; where F does not exist it is written from what is found now. --fix mends
first what `memdir repair` mends, never touches git, and reports what remains.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memdir_cli.cli import again, streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import replace

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace

EXAMPLES = """\
  memdir check
  memdir check --strict .memdir/memories
  memdir check --staged
  memdir check --fix --dry-run
  memdir check --baseline .memdir-baseline.json
  memdir check --format github --ignore M3
"""

FORMATS = ("text", "json", "github", "sarif")


def command(
    paths: tuple[str, ...] = (),
    select: str | None = None,
    ignore: str | None = None,
    check_format: str | None = None,
    baseline: str | None = None,
    staged: bool = False,
    fix: bool = False,
    dry_run: bool = False,
    strict: bool = False,
    statistics: bool = False,
    *,
    common: Common,
) -> int:
    """Check the memdir."""
    from memdir_cli.operations.check import check

    form = words.form(check_format, FORMATS, json=common.json)
    _refuse_contradictions(form, staged=staged, fix=fix, dry_run=dry_run, statistics=statistics)
    stood = None
    if not (paths or baseline or staged or fix or common.lock_timeout):
        given = {"select": select, "ignore": ignore, "format": check_format, "strict": strict, "statistics": statistics}
        stood = again.standing(common, given)
    workplace = open_here(common, ask_git=True, lenient=True)
    if fix:
        _fix(workplace, dry_run=dry_run)
        workplace = open_here(common, ask_git=True, lenient=True)
    with _uncollected():
        answer = check(
            workplace,
            paths,
            words.codes(select),
            words.codes(ignore),
            strict=strict,
            staged=staged,
            baseline=baseline,
        )
    remarks = () if common.quiet or form == "json" else tuple(_remarks(answer))
    told = (answer.exit_status, _said(answer, form, statistics=statistics), remarks)
    again.keep(stood, workplace, answer, told)
    return again.say(told)


@contextmanager
def _uncollected() -> Iterator[None]:
    """What is read is needed to the end: to look through it for garbage again and again would find none."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _refuse_contradictions(form: str, *, staged: bool, fix: bool, dry_run: bool, statistics: bool) -> None:
    """:raises UsageError: for options that cannot be meant together."""
    if staged and fix:
        raise UsageError(
            "`--fix` mends files, and `--staged` looks at none.",
            hint="run `memdir check --fix`, look, `git add` what you want, then run `memdir check --staged`",
        )
    if statistics and form != "text":
        raise UsageError(f"`--statistics` is text, and `{form}` has no place for it.", hint="leave out one of the two")
    if dry_run and not fix:
        raise UsageError("`--dry-run` goes with `--fix`; by itself check writes nothing.", hint="leave it out")


def _fix(workplace: Workplace, *, dry_run: bool) -> None:
    """Mend what `memdir repair` mends, in the memdir that is judged and no other; what was done goes to stderr."""
    from memdir_cli.operations.check import judged_store
    from memdir_cli.operations.repair import repair

    store = judged_store(workplace)
    if store.fault is not None:
        return  # what its settings say is unknown; the report says why
    alone = replace(workplace, user=None) if store is workplace.project else replace(workplace, project=None)
    answer = repair(alone, dry_run=dry_run)
    for action in answer.actions:
        streams.remark(f"{'would mend' if dry_run else 'mended'}: {action.text}")
    if answer.diff:
        streams.remark(answer.diff)


def _said(answer: CheckAnswer, form: str, *, statistics: bool) -> str:
    from memdir_cli.cli.render import findings, json

    if form == "json":
        return json.text(answer.document())
    if form == "sarif":
        from memdir_cli.cli.render import sarif

        return sarif.text(answer)
    return findings.statistics(answer.findings) if statistics else findings.FORMS[form](answer.findings)


def _remarks(answer: CheckAnswer) -> Iterator[str]:
    from memdir_cli.cli.render import findings

    if answer.baseline:
        said = f"{findings.counted(answer.baselined)} written to the new baseline"
        yield f"{said} `{printable(answer.baseline)}`."
    for line in answer.gone:
        yield f"gone, though the baseline names it: {line}"
    if answer.findings:
        yield findings.summary(answer)
        if any(finding.fixable for finding in answer.findings):
            yield "hint: `memdir repair` mends what is fixable"
