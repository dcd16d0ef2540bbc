"""Numbers and sections as documents, and which of them is the worst."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.findings import Severity
from memdir_cli.domain.health.report import Figure, Item, Opening, Report, Section

FINE = Figure("stale", "stale", 1, "info", "One is stale.", "memdir list")


def report(*severities: Severity) -> Report:
    """A report with a section of each severity."""
    sections = tuple(
        Section(f"s{n}", "S", "About.", (replace(FINE, severity=one),)) for n, one in enumerate(severities)
    )
    return Report(
        "2026-09", "", "", (), past=False, opening=Opening("", "", ""), counts={}, sections=sections, trend=()
    )


def test_of_what_a_figure_counts_only_what_is_known_is_told() -> None:
    assert Item("7k3f", "package_manager", date="2026-09-01").document() == {
        "id": "7k3f",
        "key": "package_manager",
        "date": "2026-09-01",
    }
    assert Item().document() == {}


def test_a_figure_is_told_with_what_it_counts_and_whether_it_got_worse() -> None:
    assert replace(FINE, before=0, rising=True, items=(Item("7k3f"),)).document() == {
        "name": "stale",
        "label": "stale",
        "value": 1,
        "severity": "info",
        "sentence": "One is stale.",
        "command": "memdir list",
        "unit": "",
        "before": 0,
        "worse": True,
        "items": [{"id": "7k3f"}],
    }


@pytest.mark.parametrize(
    ("value", "before", "rising", "worse"),
    [
        (2, 1, True, True),
        (1, 1, True, False),
        (1, 2, True, False),
        (2, 1, False, False),
        (2, None, True, False),
        (None, 1, True, False),
        (None, None, True, False),
    ],
)
def test_worse_is_what_rose_and_should_not(value: int | None, before: int | None, rising: bool, worse: bool) -> None:
    assert replace(FINE, value=value, before=before, rising=rising).worse is worse


@pytest.mark.parametrize(
    ("severities", "worst"),
    [(("info", "warning"), "warning"), (("warning", "error", "info"), "error"), (("info", "info"), "info")],
)
def test_a_report_is_as_bad_as_its_worst_section(severities: tuple[Severity, ...], worst: str) -> None:
    assert report(*severities).severity == worst
    assert report(*severities).document()["severity"] == worst
