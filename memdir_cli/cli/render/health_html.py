"""The report as one page: nothing is loaded, nothing runs, everything is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from memdir_cli.cli.render import health_words as words
from memdir_cli.cli.render.health_charts import bar, chart
from memdir_cli.cli.render.health_style import sheet
from memdir_cli.domain.health.report import Figure, Item, Month, Report, Section
from memdir_cli.domain.text import printable

#: So many memories a number are told.
SHOWN = 10

#: What a browser may do with the page: show it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>"""


def page(report: Report) -> str:
    """The whole page."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield _HEAD.format(policy=escape(POLICY), title=_text(words.title(report)), style=sheet())
    yield "<header>"
    yield f"<h1>{_text(words.title(report))}</h1>"
    yield f'<p class="dim">{_text(words.scope_of(report))}</p>'
    yield "</header>"
    yield '<main id="main">'
    yield from _opening(report)
    yield from _links(report.sections)
    for section in report.sections:
        yield from _section(section)
    yield from _counts(report.counts)
    yield from _trend(report.trend)
    if report.unknown:
        yield '<section aria-labelledby="unknown">'
        yield '<h2 id="unknown">Not known</h2>'
        yield f"<ul>{''.join(f'<li>{_text(sentence)}</li>' for sentence in report.unknown)}</ul>"
        yield "</section>"
    yield "</main>"
    yield "<footer><p>Numbers, keys and ids; no text of a memory.</p></footer>"
    yield "</body>"
    yield "</html>"


def _opening(report: Report) -> Iterator[str]:
    yield f'<section class="opening {words.SEVERITIES[report.severity]}" aria-label="In three sentences">'
    yield from (f"<p>{_sentence(sentence)}</p>" for sentence in report.opening.sentences)
    yield "</section>"


def _links(sections: Sequence[Section]) -> Iterator[str]:
    yield '<nav aria-label="Sections">'
    yield "<ul>"
    for section in sections:
        yield f'<li><a href="#{section.name}">{_text(section.title)}{_badge(section.severity)}</a></li>'
    yield '<li><a href="#counts">What there is</a></li>'
    yield f'<li><a href="#trend">{words.TREND}</a></li>'
    yield "</ul>"
    yield "</nav>"


def _badge(severity: str) -> str:
    word = words.SEVERITIES[severity]
    return f' <span class="badge {word}">{word}</span>'


def _counts(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    yield '<section aria-labelledby="counts">'
    yield '<h2 id="counts">What there is</h2>'
    yield '<p class="dim">Everything by status; what is in use by type, scope and age.</p>'
    yield '<div class="counts">'
    for by, numbers in counts.items():
        most = max(numbers.values(), default=0)
        yield f"<table><caption>{words.COUNTED[by]}</caption><tbody>"
        for name, number in ((name, number) for name, number in numbers.items() if number):
            cells = f'<td class="number">{number:,}</td><td class="bar">{bar(number, most)}</td>'
            yield f'<tr><th scope="row">{_text(name)}</th>{cells}</tr>'
        yield "</tbody></table>"
    yield "</div></section>"


def _section(section: Section) -> Iterator[str]:
    yield f'<section aria-labelledby="{section.name}">'
    yield f'<h2 id="{section.name}">{_text(section.title)}{_badge(section.severity)}</h2>'
    yield f'<p class="dim">{_sentence(section.about)}</p>'
    yield '<ul class="figures">'
    for figure in words.told(section):
        yield from _figure(figure)
    yield "</ul>"
    yield "</section>"


def _figure(figure: Figure) -> Iterator[str]:
    yield f'<li class="{words.SEVERITIES[figure.severity]}">'
    then = f"<small>before: {words.before(figure)}</small>" if figure.before is not None else ""
    unit = f"<small>{_text(figure.unit)}</small>" if figure.unit and figure.value is not None else ""
    unknown = " unknown" if figure.value is None else ""
    yield f'<p class="value{unknown}">{words.value(figure)}{unit}{then}</p>'
    yield f"<div><h3>{_text(figure.label)}</h3>"
    yield f"<p>{_sentence(figure.sentence)}</p><p>{_code(figure.command)}</p>"
    if figure.items:
        yield from _items(figure)
    yield "</div></li>"


def _items(figure: Figure) -> Iterator[str]:
    label = f"{figure.label}: {words.value(figure)}"
    yield f'<table class="items"><caption>{_text(label)}</caption>'
    yield _heads((words.counted(figure), "why, where, since when", "type"))
    yield "<tbody>"
    yield from (_item(item) for item in figure.items[:SHOWN])
    yield "</tbody></table>"
    if words.left_out(figure, SHOWN):
        more = f"and {words.left_out(figure, SHOWN)} more; "
        yield f'<p class="dim">{more}{_code("memdir health --format json")} lists them</p>'


def _item(item: Item) -> str:
    name = f"{_text(item.key)} {_code(item.id)}" if item.id else _text(item.note)
    where = ", ".join(part for part in (f"{item.memdir} {item.scope}".strip(), item.status, item.date) if part)
    why = f'{_text(item.note) if item.id else ""} <span class="dim">{_text(where)}</span>'.strip()
    return f'<tr><th scope="row">{name}</th><td>{why}</td><td>{_code(item.command)}</td></tr>'


def _trend(trend: Sequence[Month]) -> Iterator[str]:
    months = [month.month for month in trend]
    yield '<section aria-labelledby="trend">'
    yield f'<h2 id="trend">{words.TREND}</h2>'
    yield f'<p class="dim">{words.TREND_ABOUT} A grey stripe is a month without data.</p>'
    yield '<div class="charts">'
    for name, heading, stands in words.COLUMNS:
        numbers = words.series(trend, name)
        yield f"<figure><figcaption>{heading} <span>now {words.cell(numbers[-1])}</span></figcaption>"
        yield f"{chart(f'chart-{name}', heading, months, numbers, stands=stands)}</figure>"
    yield "</div>"
    yield '<div class="scroll" role="region" aria-label="Every month" tabindex="0"><table>'
    yield "<caption>Every month</caption>"
    yield _heads(("month", *(heading for _, heading, _ in words.COLUMNS)), numbers=True)
    yield "<tbody>"
    yield from (_row(month) for month in trend)
    yield "</tbody></table></div>"
    yield "</section>"


def _row(month: Month) -> str:
    told = words.cells(month)
    span = f' colspan="{len(words.COLUMNS)}"' if len(told) == 1 else ""
    cells = "".join(f'<td class="number"{span}>{cell}</td>' for cell in told)
    return f'<tr><th scope="row">{month.month}</th>{cells}</tr>'


def _heads(names: Sequence[str], *, numbers: bool = False) -> str:
    first, *others = names
    kind = ' class="number"' if numbers else ""
    cells = "".join(f'<th scope="col"{kind}>{_text(name)}</th>' for name in others)
    return f'<thead><tr><th scope="col">{_text(first)}</th>{cells}</tr></thead>'


def _sentence(text: str) -> str:
    """A sentence of ours; what stands between backticks is to be typed."""
    parts = text.split("`")
    return "".join(_code(part) if at % 2 else _text(part) for at, part in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>" if text else ""


def _text(text: str) -> str:
    return escape(printable(text))
