"""The report as Markdown, as GitHub shows it: in a summary of a workflow, an issue, a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from memdir_cli.cli.render import health_words as words
from memdir_cli.cli.render.health_text import sparkline
from memdir_cli.domain.health.report import Figure, Item, Month, Report, Section
from memdir_cli.domain.markdown import code, plain

#: So many memories a number are told.
SHOWN = 10

_ALERTS = {"error": "CAUTION", "warning": "WARNING", "info": "NOTE"}
_MARKS = {"error": "🔴 act", "warning": "🟡 look", "info": "🟢 fine"}


def markdown(report: Report) -> str:
    """The whole report."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"# {_text(words.title(report))}"
    yield ""
    yield f"> [!{_ALERTS[report.severity]}]"
    yield "> " + "\n>\n> ".join(report.opening.sentences)
    yield ""
    yield words.scope_of(report)
    yield ""
    yield from _table(("", "how many"), [(words.COUNTED[by], words.counts(told)) for by, told in report.counts.items()])
    for section in report.sections:
        yield from _section(section)
    yield ""
    yield f"## {words.TREND}"
    yield ""
    yield words.TREND_ABOUT
    yield ""
    yield from _trend(report.trend)
    if report.unknown:
        yield ""
        yield "## Not known"
        yield ""
        yield from (f"- {sentence}" for sentence in report.unknown)


def _section(section: Section) -> Iterator[str]:
    yield ""
    yield f"## {_MARKS[section.severity]}: {section.title}"
    yield ""
    yield section.about
    yield ""
    figures = words.told(section)
    rows = [
        (one.label, words.value(one), words.before(one), one.sentence, code(one.command)) for one in figures
    ]  # fmt: skip
    yield from _table(("", "now", "before", "what to do", "type"), rows, numbers={1, 2})
    for figure in figures:
        if figure.items:
            yield from _items(figure)


def _items(figure: Figure) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{escape(figure.label)}: {words.value(figure)}</summary>"
    yield ""
    heads = ("memory", "where", "status", "since", "why", "type")
    yield from _table(heads, [_item(item) for item in figure.items[:SHOWN]])
    if words.left_out(figure, SHOWN):
        yield ""
        yield f"and {words.left_out(figure, SHOWN)} more; `memdir health --format json` lists them"
    yield ""
    yield "</details>"


def _item(item: Item) -> tuple[str, ...]:
    name = " ".join(code(part) for part in (item.key, item.id) if part)
    where = " ".join(part for part in (item.memdir, item.scope) if part)
    return (name, where, item.status, item.date, code(item.note) if item.note else "", code(item.command))


def _trend(trend: Sequence[Month]) -> Iterator[str]:
    rows = []
    for attribute, heading, _ in words.COLUMNS:
        numbers = words.series(trend, attribute)
        rows.append((heading, code(sparkline(numbers)), words.cell(numbers[-2]), words.cell(numbers[-1])))
    span = f"{trend[0].month} to {trend[-1].month}"
    yield from _table(("", span, trend[-2].month, trend[-1].month), rows, numbers={2, 3})
    yield ""
    yield "<details><summary>every month</summary>"
    yield ""
    heads = ("month", *(heading for _, heading, _ in words.COLUMNS))
    numbered = [(month.month, *words.cells(month)) for month in trend]
    yield from _table(heads, numbered, numbers=set(range(1, len(heads))))
    yield ""
    yield "</details>"


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int] | frozenset[int] = frozenset()
) -> Iterator[str]:
    """Rows under heads; a row that is too short is filled up."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---:' if at in numbers else '---' for at in range(len(heads)))} |"
    for row in rows:
        filled = [*row, *[""] * (len(heads) - len(row))]
        yield f"| {' | '.join(_cell(cell) for cell in filled)} |"


def _cell(text: str) -> str:
    """A cell; also in a span of code a bar would end it."""
    return text.replace("|", "\\|")


def _text(text: str) -> str:
    """Text in which nothing is markup."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in plain(text))
