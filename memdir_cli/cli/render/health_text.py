"""The report as text: plain lines anywhere, tables, bars and sparklines where a person looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memdir_cli.cli.render import health_words as words
from memdir_cli.domain.health.report import Figure, Month, Report, Section

if TYPE_CHECKING:
    from rich.console import Console

#: So many memories a number are told; the command shows the others.
SHOWN = 5

#: Cells of the longest bar.
BAR = 24

SPARKS, GAP = "▁▂▃▄▅▆▇█", "·"

_STYLES = {"error": "bold red", "warning": "yellow", "info": "green"}


def plain(report: Report) -> str:
    """The whole report as lines that nothing wraps, colours or cuts."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield words.title(report)
    yield words.scope_of(report)
    yield ""
    yield from report.opening.sentences
    yield ""
    for by, numbers in report.counts.items():
        yield f"{words.COUNTED[by]}: {words.counts(numbers)}"
    for section in report.sections:
        yield ""
        yield f"{section.title} ({words.SEVERITIES[section.severity]}): {section.about}"
        for figure in words.told(section):
            yield from _figure(figure)
    yield ""
    yield f"{words.TREND}: {words.TREND_ABOUT}"
    yield "\t".join(["  month", *(heading for _, heading, _ in words.COLUMNS)])
    yield from ("\t".join([f"  {month.month}", *words.cells(month)]) for month in report.trend)
    if report.unknown:
        yield ""
        yield "Not known:"
        yield from (f"  {sentence}" for sentence in report.unknown)


def _figure(figure: Figure) -> Iterator[str]:
    then = words.before(figure)
    number = f"{words.value(figure)}{f' (before: {then})' if then else ''}"
    yield f"  {figure.label}: {number}. {figure.sentence} Type: {figure.command}"
    for item in figure.items[:SHOWN]:
        yield f"    - {words.item(item)}. Type: {item.command}"
    if words.left_out(figure, SHOWN):
        yield f"    - and {words.left_out(figure, SHOWN)} more; `memdir health --format json` lists them"


def show(report: Report) -> None:
    """Print the report at a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(words.title(report), style="bold"))
    console.print(Text(words.scope_of(report), style="dim"))
    console.print()
    for sentence in report.opening.sentences:
        console.print(Text(sentence, style=_STYLES[report.severity] if sentence is report.opening.how else ""))
    console.print()
    _show_counts(console, report.counts)
    for section in report.sections:
        _show_section(console, section)
    _show_trend(console, report.trend)
    for sentence in report.unknown:
        console.print(Text(sentence, style="dim"))


def _show_counts(console: Console, counts: Mapping[str, Mapping[str, int]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    for by, numbers in counts.items():
        most = max(numbers.values(), default=0)
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_header=False, title=words.COUNTED[by], title_justify="left")
        table.add_column(min_width=16)
        table.add_column(justify="right")
        table.add_column()
        for name, number in ((name, number) for name, number in numbers.items() if number):
            table.add_row(Text(name), f"{number:,}", Text(bar(number, most), style="cyan"))
        console.print(table)


def _show_section(console: Console, section: Section) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    style = _STYLES[section.severity]
    console.print(Text.assemble((section.title, "bold"), "  ", (words.SEVERITIES[section.severity], style)))
    console.print(Text(section.about, style="dim"))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading, side in (("", "left"), ("now", "right"), ("before", "right"), ("what to do", "left")):
        table.add_column(heading, justify="right" if side == "right" else "left", overflow="fold")
    for figure in words.told(section):
        todo = Text.assemble(figure.sentence, "\n", (figure.command, "bold"))
        for item in figure.items[:SHOWN]:
            todo.append(f"\n{words.item(item)}", style="dim")
        if words.left_out(figure, SHOWN):
            todo.append(f"\nand {words.left_out(figure, SHOWN)} more", style="dim")
        number = Text(words.value(figure), style=_STYLES[figure.severity])
        table.add_row(Text(figure.label), number, words.before(figure), todo)
    console.print(table)


def _show_trend(console: Console, trend: Sequence[Month]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    console.print(Text(words.TREND, style="bold"))
    console.print(Text(words.TREND_ABOUT, style="dim"))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column(f"{trend[0].month} to {trend[-1].month}")
    for heading in ("most", "before", "now"):
        table.add_column(heading, justify="right")
    for attribute, heading, _ in words.COLUMNS:
        numbers = words.series(trend, attribute)
        most = max((number for number in numbers if number is not None), default=None)
        then, now = numbers[-2], numbers[-1]
        table.add_row(heading, Text(sparkline(numbers), style="cyan"), *map(words.cell, (most, then, now)))
    console.print(table)


def bar(number: int, most: int) -> str:
    """A bar as long as ``number`` is to ``most``; at least a sliver of what is not nothing."""
    if not number or not most:
        return ""
    return "█" * (number * BAR // most) or "▏"


def sparkline(numbers: Sequence[int | None]) -> str:
    """A mark a number, the highest for the most; :data:`GAP` where there is none."""
    most = max((number for number in numbers if number is not None), default=0)
    return "".join(
        GAP if number is None else SPARKS[number * (len(SPARKS) - 1) // most if most else 0] for number in numbers
    )
