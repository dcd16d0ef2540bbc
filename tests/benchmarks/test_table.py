"""The table of measurements: its form, and that its memdirs are real. Never a timing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import validate  # type: ignore[import-untyped]

from tests.benchmarks import peers
from tests.benchmarks.memdirs import ASKED, furnished
from tests.benchmarks.table import BARE, COMMANDS, Measured, markdown

FIGURE = re.compile(r"\d+(\.\d+)?")
ROOT = Path(__file__).resolve().parents[2]


def cells(table: str) -> list[list[str]]:
    """A Markdown table as rows of cells."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


@pytest.mark.slow
def test_a_small_run_prints_a_row_for_every_command() -> None:
    run = [sys.executable, "-m", "tests.benchmarks", "--sizes", "10,20", "--rounds", "1"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    heads, ruler, *rows = cells(done.stdout)
    assert heads == ["command", "10", "20", "20 / 10", "memory"]
    assert ruler == ["---", *["---:"] * 4]
    assert [row[0].strip("`") for row in rows] == [BARE, *COMMANDS]
    assert all(FIGURE.fullmatch(cell) for row in rows for cell in row[1:])
    assert rows[0][1] == rows[0][2] == rows[0][4] == "1.00", "the bare interpreter is the measure"


def test_figures_are_ratios_to_the_bare_interpreter_of_their_own_run() -> None:
    def run(bare: float, other: float) -> dict[str, Measured]:
        return {BARE: Measured(bare, 10, 100), **{command: Measured(other, 25, 1234) for command in COMMANDS}}

    heads, _, bare, *rows = cells(markdown({10: run(1.0, 1.5), 100: run(2.0, 300.0)}))
    assert heads == ["command", "10", "100", "100 / 10", "memory", "instructions"]
    assert bare[1:] == ["1.00"] * 5
    assert {tuple(row[1:]) for row in rows} == {("1.50", "150", "100", "2.5", "12.3")}


def test_peers_have_rows_where_they_were_measured() -> None:
    run = {BARE: Measured(1.0, 10, 100), **{command: Measured(2.0, 25, 1234) for command in COMMANDS}}
    *_, last = cells(markdown({10: {**run, "yamllint": Measured(600.0, 40)}}))
    assert last == ["`yamllint`", "600", "4.0", ""]


def test_peers_are_given_the_headers_of_the_memories(tmp_path: Path) -> None:
    _, top = furnished(tmp_path, 20)
    files = peers.headers(top / ".memdir", tmp_path / "headers")
    assert len(files) == len(list((top / ".memdir/memories").iterdir()))
    assert all(yaml.safe_load(file.read_text("utf-8"))["status"] == "verified" for file in files)
    assert peers.argv("check-yaml", "p", tmp_path / "headers", files, top / ".memdir") == ["p", *map(str, files)]
    folder = peers.argv("yamllint", "p", tmp_path / "headers", files, top / ".memdir")[-1]
    assert sorted(Path(folder).iterdir()) == files
    searched = peers.argv("ripgrep", "p", tmp_path / "headers", files, top / ".memdir")[-1]
    assert len(list(Path(searched).glob("*.md"))) == len(files)
    kept = peers.argv("agent-memory-cli recall", "p", tmp_path / "headers", files, top / ".memdir")
    assert kept[:3] == ["p", "recall", "--home"]
    assert Path(kept[3]).is_relative_to(tmp_path)
    schema = peers.argv("check-jsonschema", "p", tmp_path / "headers", files, top / ".memdir")[2]
    for file in files:
        validate(yaml.safe_load(file.read_text("utf-8")), json.loads(Path(schema).read_text("utf-8")))


def test_what_is_measured_is_a_memdir_without_fault(tmp_path: Path) -> None:
    sandbox, top = furnished(tmp_path, 50)
    listed = sandbox.run("list", "--json", cwd=top)
    assert (listed.exit, len(listed.json["memories"])) == (0, 50)
    assert {memory["status"] for memory in listed.json["memories"]} == {"verified"}
    assert sandbox.run("get", ASKED, cwd=top).stdout == "npm\n"
    assert sandbox.run("get", ASKED).stdout == "pnpm\n"
    check = sandbox.run("check", "--strict", cwd=top)
    assert (check.exit, check.stdout, check.stderr) == (0, "", "")
