"""Does what was replaced stay away? Over the small pieces of public sets that lie in the repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.consolidation import facts, questions
from tests.benchmarks.semantics import by_operation, by_process, founded, main, measured, staleness, trapped
from tests.sandbox import Sandbox

PIECE = Path(__file__).parents[2] / "fixtures/semantics"
MORE = os.environ.get("MEMDIR_DATA", "")


def test_every_question_is_answered_by_the_last_fact_and_no_earlier_one_is_shown(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    (subset,) = json.loads((PIECE / "factconsolidation.json").read_text("utf-8"))
    told, asked = list(facts(subset)), list(questions(subset))
    assert len(told) == sum(line[:1].isdigit() for line in subset["context"].splitlines())
    ground = founded(tmp_path.resolve())
    for number, fact in enumerate(told):
        # the one way and the other, which end in the same files
        (by_process if number % 8 == 0 else by_operation)(ground, number, fact)
    scores = measured(ground, told, asked)
    record_property("table", str(scores))
    assert (scores.asked, scores.got, scores.found, scores.inside) == (18, 18, 18, 18)
    assert scores.replaced >= 14
    assert scores.shown == 0


def test_the_measure_sees_what_is_wrong(tmp_path: Path) -> None:
    """Facts in the wrong order, and one that somebody wrote beside memdir: both are counted."""
    (subset,) = json.loads((PIECE / "factconsolidation.json").read_text("utf-8"))
    told, asked = list(facts(subset)), list(questions(subset))
    keys = {fact.key for fact in told if [one.key for one in told].count(fact.key) > 1}
    some = [fact for fact in told if fact.key in sorted(keys)[:3]]
    ground = founded(tmp_path.resolve())
    for number, fact in enumerate(reversed(some)):
        by_operation(ground, number, fact)
    scores = measured(ground, some, [one for one in asked if one.key in {fact.key for fact in some}])
    assert scores.asked > 0
    assert scores.got == scores.found == 0
    assert scores.shown == scores.replaced > 0


def test_of_versions_the_newest_is_found_and_the_older_ones_are_not(
    record_property: Callable[[str, object], None],
) -> None:
    fresh, stale = staleness(PIECE / "ghost/staleness.jsonl"), trapped(PIECE / "ghost/recency_trap.jsonl")
    record_property("table", f"fresh wins {fresh[0]} of {fresh[1]}, the right older one {stale[0]} of {stale[1]}")
    assert fresh[0] == fresh[1] > 10
    # words alone do not tell every one of these apart
    assert (stale[0], stale[1]) >= (5, 6)


def test_without_a_folder_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "is no folder" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not Path(MORE, "semantics/run.py").is_file(), reason="MEMDIR_DATA names no folder with sequences")
def test_whole_sequences_of_commands_hold(sandbox: Sandbox) -> None:
    folder = Path(MORE, "semantics")
    command = [sys.executable, str(folder / "run.py"), str(folder / "dev.json"), sys.executable, "-m", "memdir_cli"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("13 of 13 sequences")
