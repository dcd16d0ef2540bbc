"""Report on both memdirs, month by month: how it is, what got worse, what to do.

Numbers, keys and ids; no text of a memory. Past months are told from receipts and this machine's logs. Exit 0
when the report was made; --fail-on takes error, warning, worse and names of sections, separated by commas, and
makes it 1 where one of them is so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memdir_cli.cli import streams, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common
from memdir_cli.domain.text import printable

if TYPE_CHECKING:
    from memdir_cli.domain.health.report import Report

EXAMPLES = """\
  memdir health
  memdir health --month last --format markdown
  memdir health --output health.html
  memdir health --fail-on error,conflicts --quiet
"""

FORMATS = ("text", "markdown", "json", "html")

#: The form that the name of an output file asks for.
BY_NAME = {".txt": "text", ".md": "markdown", ".markdown": "markdown", ".json": "json", ".html": "html", ".htm": "html"}


def command(
    month: str | None = None,
    as_of: str | None = None,
    health_format: str | None = None,
    output: str | None = None,
    fail_on: str | None = None,
    *,
    common: Common,
) -> int:
    """Print or write the report."""
    from memdir_cli.operations.health import health, write_report

    form = _form(health_format, output, json=common.json)
    workplace = open_here(common, lenient=True)
    answer = health(workplace, month, as_of, words.codes(fail_on))
    if output is not None:
        write_report(workplace, output, (_WRITERS[form](answer.report) + "\n").encode())
        if not common.quiet and not common.json:
            streams.say(f"wrote {printable(output)}")
    if common.json:
        streams.say(_json(answer.report))
    elif output is None:
        _say(answer.report, form)
    if answer.failing and not common.quiet:
        streams.remark(f"failing: {', '.join(answer.failing)}")
    return answer.exit_status


def _form(given: str | None, output: str | None, *, json: bool) -> str:
    """The form of the file, or of what is printed where there is none."""
    if output is None or given is not None:
        return words.form(given, FORMATS, json=json)
    name = output.lower()
    return next((form for ending, form in BY_NAME.items() if name.endswith(ending)), "json" if json else "text")


def _say(report: Report, form: str) -> None:
    import sys

    if form == "text" and streams.decorated(sys.stdout):
        from memdir_cli.cli.render import health_text

        health_text.show(report)
    else:
        streams.say(_WRITERS[form](report))


def _text(report: Report) -> str:
    from memdir_cli.cli.render import health_text

    return health_text.plain(report)


def _json(report: Report) -> str:
    from memdir_cli.cli.render import json

    return json.text(report.document())


def _markdown(report: Report) -> str:
    from memdir_cli.cli.render import health_markdown

    return health_markdown.markdown(report)


def _html(report: Report) -> str:
    from memdir_cli.cli.render import health_html

    return health_html.page(report)


_WRITERS: dict[str, Callable[[Report], str]] = {"text": _text, "markdown": _markdown, "json": _json, "html": _html}
