"""The measurement of refresh: its form, and that what it measures is what it says. Never a timing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.evidence import DRY, FIRST, NOTHING, ONE, furnished, write_package
from tests.benchmarks.table import BARE

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_small_run_prints_a_row_for_every_situation() -> None:
    run = [sys.executable, "-m", "tests.benchmarks.evidence", "--memories", "12", "--packages", "3", "--rounds", "1"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    head, ruler, *rows = done.stdout.splitlines()
    assert head == "| `memdir refresh`, 12 memories over 3 package.json | time | memory |"
    assert ruler == "| --- | ---: | ---: |"
    assert [row.split(" | ")[0] for row in rows] == [f"| {name}" for name in (BARE, FIRST, ONE, NOTHING, DRY)]
    assert all(re.fullmatch(r"\| .* \| \d+\.\d \| \d+\.\d \|", row) for row in rows)


def test_every_memory_cites_a_script_of_its_package(tmp_path: Path) -> None:
    sandbox, top = furnished(tmp_path, 12, 3)
    assert sandbox.run("refresh", "--json", cwd=top).json["changed"] == []
    write_package(top, 0, "webpack")
    changed = sandbox.run("refresh", "--dry-run", "--json", cwd=top).json["changed"]
    assert [(one["from"], one["to"]) for one in changed] == [("verified", "stale")] * 4
    assert sandbox.run("check", "--strict", "--ignore", "M32", cwd=top).stdout == ""
