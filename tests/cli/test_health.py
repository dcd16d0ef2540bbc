"""health: forms, files, exit statuses, terminals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from memdir_cli.cli.render.health_text import bar, sparkline
from memdir_cli.cli.schemas.documents import document
from tests.cli.pseudoterminal import typed
from tests.sandbox import Sandbox
from tests.year.place import NOW, Place, laid

FORMS = {"text": "report.txt", "markdown": "report.md", "json": "report.json", "html": "report.html"}


@pytest.fixture
def year(tmp_path: Path) -> Place:
    """Home and repository after a year."""
    return laid(tmp_path)


def test_three_sentences_stand_before_any_table(year: Place) -> None:
    for form in ("text", "markdown", "html"):
        shown = year.health("--format", form).stdout
        body = shown.partition("<body>")[2] or shown
        how, worse, first = (body.index(word) for word in ("Needs action: ", "Worse than in August 2026: ", "First: "))
        table = min(body.index(mark) for mark in ("<table", "| ---", "Status: ") if mark in body)
        assert how < worse < first < table


@pytest.mark.parametrize("form", FORMS)
def test_a_file_holds_what_would_be_printed(year: Place, form: str) -> None:
    printed = year.health("--format", form).stdout
    done = year.health("--output", FORMS[form])
    assert (done.exit, done.stdout, done.stderr) == (0, f"wrote {FORMS[form]}\n", "")
    assert (year.top / FORMS[form]).read_text("utf-8") == printed
    assert year.health("--output", "report", "--format", form, "--quiet").stdout == ""
    assert (year.top / "report").read_text("utf-8") == printed


def test_a_file_that_stands_there_is_replaced_and_nothing_else_is_left(year: Place) -> None:
    target = year.top / "health.md"
    target.write_text("the report of August", "utf-8")
    target.chmod(0o640)
    names = set(year.top.iterdir())
    assert year.health("--output", "health.md").exit == 0
    assert target.read_text("utf-8").startswith("# Memory health of ")
    assert target.stat().st_mode & 0o777 == 0o640
    assert set(year.top.iterdir()) == names


def places(year: Place) -> Iterator[tuple[str, str]]:
    """Where no report may lie, and why."""
    (year.top / "folder").mkdir()
    (year.top / "link.html").symlink_to(year.top / "elsewhere.html")
    (year.top / "into").symlink_to(year.memdir / "memories")
    yield "folder", "is no file"
    yield "link.html", "is a symbolic link"
    yield "missing/health.html", "has no folder"
    yield ".memdir/memories/health.md", "lies in a memdir"
    yield ".memdir/health.html", "lies in a memdir"
    yield "into/health.md", "lies in a memdir"
    yield str(year.sandbox.user_memdir / "health.html"), "lies in a memdir"


def test_a_report_goes_to_no_place_where_it_could_harm(year: Place) -> None:
    before = sorted(year.sandbox.root.rglob("*"))
    for path, why in [*places(year)]:
        done = year.health("--output", path, "--json")
        assert (done.exit, done.json["error"]["code"]) == (2, "output"), path
        assert why in done.json["error"]["message"]
    made = {"folder", "link.html", "into"}
    assert sorted(path for path in year.sandbox.root.rglob("*") if path.name not in made) == before


def test_a_file_that_may_not_be_written_stays_as_it_is(year: Place) -> None:
    target = year.top / "health.md"
    target.write_text("kept", "utf-8")
    target.chmod(0o444)
    done = year.health("--output", "health.md")
    assert done.exit == 6
    assert target.read_text("utf-8") == "kept"


def test_with_json_the_document_is_printed_and_the_file_has_its_own_form(year: Place) -> None:
    done = year.health("--output", "health.html", "--json")
    assert done.json["month"] == "2026-09"
    assert (year.top / "health.html").read_text("utf-8").startswith("<!doctype html>")
    assert year.health("--json", "--format", "html").exit == 2


@pytest.mark.parametrize(
    ("words", "status", "failing"),
    [
        ("error", 1, "error"),
        ("warning", 1, "warning"),
        ("worse", 1, "worse"),
        ("conflicts", 1, "conflicts"),
        ("selection", 0, ""),
        ("selection,archive", 0, ""),
        ("selection, stale ,archive", 1, "stale"),
        ("quarantine,stale", 1, "quarantine, stale"),
    ],
)
def test_only_what_is_named_fails(year: Place, words: str, status: int, failing: str) -> None:
    done = year.health("--fail-on", words)
    assert (done.exit, done.stderr) == (status, f"failing: {failing}\n" if failing else "")
    assert done.stdout == year.health().stdout


def test_the_report_alone_never_fails(year: Place) -> None:
    assert year.health().exit == 0


@pytest.mark.parametrize(
    "line",
    [("--fail-on", "any"), ("--month", "2026-9"), ("--month", "2027-01"), ("--as-of", "soon"), ("--format", "pdf")],
)
def test_what_cannot_be_meant_is_wrong_usage(year: Place, line: tuple[str, ...]) -> None:
    done = year.health(*line)
    assert (done.exit, done.stdout) == (2, "")
    assert "hint: " in done.stderr


def test_without_any_memdir_there_is_nothing_to_report(sandbox: Sandbox) -> None:
    done = sandbox.run("health", "--json")
    assert (done.exit, done.json["error"]["code"]) == (2, "no_memdir")


def test_a_new_memdir_has_a_report(sandbox: Sandbox) -> None:
    top = sandbox.repository(init=True)
    told = sandbox.run("health", "--json", cwd=top).json
    assert sum(told["counts"]["status"].values()) == 0
    assert told["severity"] == "info"
    assert [month["recorded"] for month in told["trend"]] == [False] * 12


def test_every_number_has_a_sentence_and_a_command(year: Place) -> None:
    told = year.health("--format", "json").json
    sections = [section for section in told.values() if isinstance(section, dict) and "figures" in section]
    figures = [figure for section in sections for figure in section["figures"]]
    assert len(figures) > 45
    assert all(figure["sentence"] and figure["command"] for figure in figures)
    assert all(section["numbers"] == {one["name"]: one["value"] for one in section["figures"]} for section in sections)


def test_the_document_is_as_its_schema_says_and_every_key_is_described(year: Place) -> None:
    schema = document("health")
    for line in ((), ("--month", "last"), ("--month", "2025-01")):
        told = year.health(*line, "--format", "json").json
        assert [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(told)] == []
        assert set(told) <= set(schema["properties"])
        section = schema["properties"]["stale"]["properties"]
        assert set(told["stale"]) == set(section)
        assert set(told["stale"]["figures"][0]) == set(section["figures"]["items"]["properties"])
        assert set(told["trend"][0]) == set(schema["properties"]["trend"]["items"]["properties"])


def test_a_terminal_gets_tables_bars_and_sparklines(year: Place) -> None:
    session = typed(year.sandbox, "health", cwd=year.top, env={**NOW, "COLUMNS": "100"})
    assert session.exit == 0
    for mark in ("█", "▂", "▇", "\x1b[", "Needs action", "what to do"):
        assert mark in session.shown
    assert "no data" not in session.shown or "·" in session.shown


def test_off_a_terminal_nothing_is_coloured_wrapped_or_cut(year: Place) -> None:
    shown = year.health(COLUMNS="40").stdout
    assert "\x1b" not in shown
    assert max(len(line) for line in shown.splitlines()) > 150
    assert year.health("--format", "markdown", LC_ALL="C", PYTHONIOENCODING="ascii").exit == 0


@pytest.mark.parametrize(
    ("numbers", "marks"),
    [((0, 1, 2, 4), "▁▂▄█"), ((None, 0, None, 5), "·▁·█"), ((0, 0), "▁▁"), ((None, None), "··"), ((7,), "█")],
)
def test_a_sparkline_is_as_high_as_its_numbers(numbers: tuple[int | None, ...], marks: str) -> None:
    assert sparkline(numbers) == marks


@pytest.mark.parametrize(("number", "most", "length"), [(0, 9, 0), (9, 9, 24), (3, 9, 8), (1, 1000, 1), (0, 0, 0)])
def test_a_bar_is_as_long_as_its_share(number: int, most: int, length: int) -> None:
    assert len(bar(number, most)) == length


def test_json_is_ascii_and_one_document(year: Place) -> None:
    shown = year.health("--json").stdout
    assert shown.isascii()
    assert json.loads(shown)["schema"] == 1
