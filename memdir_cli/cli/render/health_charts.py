"""Charts as inline SVG: a name and a text for who cannot see them, colours from the page, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

#: Size of a chart, the height of the part in which the data stand, and the room above it for the highest.
WIDTH, HEIGHT, PLOT, TOP = 240, 92, 66, 6


def bar(number: int, most: int) -> str:
    """A bar as long as ``number`` is to ``most``; the number stands beside it as text."""
    width = number * 100 / most if most else 0
    shown = f'<rect class="fill" width="{_number(max(width, 1.5) if number else 0)}" height="14" y="3"/>'
    return f'<svg aria-hidden="true" viewBox="0 0 100 20" preserveAspectRatio="none">{shown}</svg>'


def chart(name: str, heading: str, months: Sequence[str], numbers: Sequence[int | None], *, stands: bool) -> str:
    """A year of one number.

    :param name: what its ids begin with; no other chart of the page has it.
    :param stands: it stood at the end of each month, and is drawn as a line; else it happened, and is drawn as bars.
    """
    most = max((number for number in numbers if number is not None), default=0)
    drawn = "".join((*_gaps(numbers), *(_line(numbers, most) if stands else _bars(numbers, most))))
    told = "; ".join(
        f"{month} {'no data' if number is None else number}" for month, number in zip(months, numbers, strict=True)
    )
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(heading)}, {months[0]} to {months[-1]}, at most {most:,}</title>'
        f'<desc id="{name}-desc">{escape(told)}</desc>'
        f'<line class="axis" x1="0" x2="{WIDTH}" y1="{TOP + PLOT}" y2="{TOP + PLOT}"/>{drawn}'
        f'<text x="0" y="{HEIGHT - 4}">{months[0]}</text>'
        f'<text x="{WIDTH}" y="{HEIGHT - 4}" text-anchor="end">{months[-1]}</text></svg>'
    )


def _gaps(numbers: Sequence[int | None]) -> Iterator[str]:
    step = WIDTH / len(numbers)
    for at, number in enumerate(numbers):
        if number is None:
            yield f'<rect class="gap" x="{_number(at * step)}" y="{TOP}" width="{_number(step)}" height="{PLOT}"/>'


def _bars(numbers: Sequence[int | None], most: int) -> Iterator[str]:
    step = WIDTH / len(numbers)
    for at, number in enumerate(numbers):
        if number:
            height = max(number * PLOT / most, 2)
            yield (
                f'<rect class="fill" x="{_number(at * step + step * 0.18)}" y="{_number(TOP + PLOT - height)}" '
                f'width="{_number(step * 0.64)}" height="{_number(height)}" rx="1.5"/>'
            )


def _line(numbers: Sequence[int | None], most: int) -> Iterator[str]:
    """A line over each run of months with data, and the area below it."""
    step = WIDTH / len(numbers)
    for run in _runs(numbers):
        points = [(at * step + step / 2, TOP + PLOT - (number * PLOT / most if most else 0)) for at, number in run]
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        first, last = points[0][0], points[-1][0]
        yield f'<polygon class="area" points="{_number(first)},{TOP + PLOT} {path} {_number(last)},{TOP + PLOT}"/>'
        yield f'<polyline class="line" points="{path}"/>'
        yield f'<circle class="fill" cx="{_number(last)}" cy="{_number(points[-1][1])}" r="3"/>'


def _runs(numbers: Sequence[int | None]) -> list[list[tuple[int, int]]]:
    runs: list[list[tuple[int, int]]] = [[]]
    for at, number in enumerate(numbers):
        if number is None:
            runs.append([])
        else:
            runs[-1].append((at, number))
    return [run for run in runs if run]


def _number(value: float) -> str:
    """A length without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
