"""Help off a terminal: no boxes, no colour, no line cut or wrapped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdir_cli.cli.app import Entry

#: Wider than any line of ours.
UNBOUNDED = 100_000


def settings(*, decorated: bool) -> dict[str, Any]:
    """How typer lays out help: to the terminal's width where there is one."""
    width = {"max_content_width": 120} if decorated else {"terminal_width": UNBOUNDED}
    return {"help_option_names": ["-h", "--help"], **width}


def write_commands(entries: Iterable[Entry], formatter: Any) -> None:
    """Every command with its one line, below the heading of its panel."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for entry in entries:
        panels.setdefault(entry.panel, []).append((entry.verb, entry.summary))
    for panel, rows in panels.items():
        with formatter.section(panel):
            formatter.write_dl(rows)


def write_examples(examples: str, formatter: Any) -> None:
    """The examples, line by line."""
    formatter.write(f"\n{examples.rstrip()}\n")
