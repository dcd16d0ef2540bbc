"""Whole directories as they are found in the world, one situation each (fixtures/memdirs)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.operations.check import check
from memdir_cli.operations.repair import repair
from tests.checks import ground
from tests.checks.ground import tree

SITUATIONS = Path(__file__).parents[2] / "fixtures/memdirs"
NOW = "2026-09-20T10:00:00Z"


@pytest.fixture
def memdir(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of one situation."""
    return shutil.copytree(SITUATIONS / request.param / "memdir", tmp_path / "app/.memdir")


def lines(memdir: Path) -> str:
    """What check prints."""
    place = ground.workplace(memdir)
    answer = check(replace(place, runtime=replace(place.runtime, now=NOW)))
    return "".join(f"{finding.text}\n" for finding in answer.findings)


def expected(name: str, file: str) -> str:
    path = SITUATIONS / name / file
    return path.read_text() if path.exists() else ""


NAMES = sorted(path.name for path in SITUATIONS.iterdir() if path.is_dir())


@pytest.mark.parametrize(("memdir", "name"), [(name, name) for name in NAMES], indirect=["memdir"], ids=NAMES)
def test_situation(memdir: Path, name: str) -> None:
    before = tree(memdir)
    assert lines(memdir) == expected(name, "check.txt")
    assert tree(memdir) == before
    repair(ground.workplace(memdir))
    assert lines(memdir) == expected(name, "repaired.txt")
    after = tree(memdir)
    assert repair(ground.workplace(memdir)).actions == ()
    assert tree(memdir) == after
