"""What is said of room, of the index and of findings: how full, how much more than before, and what to type."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.health.facts import Fired, IndexSize
from memdir_cli.domain.health.report import Figure, Item, Month, Section
from memdir_cli.domain.health.upkeep import INDEX_BYTES, INDEX_LINES, budget, findings, index
from tests.domain.health.happened import facts


def figure(section: Section, name: str) -> Figure:
    """One number of a section."""
    return next(one for one in section.figures if one.name == name)


def room(before: dict[str, Any], now: dict[str, Any], *indexes: IndexSize) -> Section:
    """The section on room, from what reads gave in two months and the indexes."""
    return budget(facts(trend=(Month("2026-08", **before), Month("2026-09", **now)), indexes=indexes))


@pytest.mark.parametrize("name", ["characters", "crowded"])
def test_what_reads_are_given_is_compared_with_the_month_before(name: str) -> None:
    more, same = room({name: 5}, {name: 6}), room({name: 6}, {name: 6})
    assert (figure(more, name).before, figure(more, name).worse) == (5, True)
    assert not figure(same, name).worse


@pytest.mark.parametrize(("given", "tight"), [(7999, False), (8000, True)])
def test_whoever_nearly_fills_a_hook_is_told_to_make_room(given: int, tight: bool) -> None:
    told = figure(room({}, {"characters": given}), "characters")
    assert ("Put away what is cold." in told.sentence, told.severity == "warning") == (tight, tight)


def test_the_larger_index_is_told_and_what_found_no_room_in_either() -> None:
    told = room({}, {}, IndexSize("user", 30, 9000, 2), IndexSize("project", 40, 8000, 3))
    assert [(one.name, one.value, one.unit) for one in told.figures[:3]] == [
        ("indexLines", 40, "lines"),
        ("indexBytes", 9000, "bytes"),
        ("indexDropped", 5, "memories"),
    ]


@pytest.mark.parametrize(
    ("lines", "size", "full"),
    [
        (INDEX_LINES * 8 // 10, INDEX_BYTES * 8 // 10, True),
        (INDEX_LINES * 8 // 10 - 1, INDEX_BYTES * 8 // 10 - 1, False),
    ],
)
def test_from_four_fifths_on_an_index_is_nearly_full(lines: int, size: int, full: bool) -> None:
    told = room({}, {}, IndexSize("project", lines, size, 0))
    for one in told.figures[:2]:
        assert ("Make room before lines drop." in one.sentence, one.severity == "warning") == (full, full)


def test_an_index_that_differs_is_written_anew_by_repair() -> None:
    fired = (Fired("user", "M101", "index-drift", "warning", 2), Fired("project", "M101", "index-drift", "warning", 1))
    drift = figure(index(facts(fired=fired)), "drift")
    assert (drift.value, drift.command) == (3, "memdir repair")
    whole = figure(index(facts(fired=fired)), "orphans")
    assert (whole.value, whole.command, whole.severity) == (0, "memdir check", "info")


def test_each_rule_that_fired_is_told_with_its_memdir_and_how_often() -> None:
    fired = (
        Fired("user", "M201", "secret", "error", 2),
        Fired("project", "M301", "similar-key", "warning", 1),
    )
    section = findings(facts(fired=fired))
    errors, warnings = section.figures
    assert (errors.value, errors.severity) == (2, "error")
    assert errors.items == (Item(memdir="user", note="M201 secret: 2", command="memdir rule M201"),)
    assert (warnings.value, warnings.severity) == (1, "warning")
    clean = findings(facts(fired=())).figures[0]
    assert (clean.value, clean.severity, clean.sentence) == (0, "info", "There are no errors.")
