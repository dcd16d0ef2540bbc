"""Every corruption has a name: exactly its code, file and line; repair heals what is called fixable."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memdir_cli.checks.registry import RULES
from tests.checks import ground
from tests.checks.grave_plants import GRAVES
from tests.checks.ground import checked, repaired, seen, tree
from tests.checks.plants import PLANTS as CORRUPTIONS
from tests.checks.plants import Plant, renamed_twice
from tests.checks.quarantine_plants import QUARANTINED
from tests.checks.wary_plants import PASSWORD, TOKEN, WARY

PLANTS = (*CORRUPTIONS, *WARY, *GRAVES, *QUARANTINED)

FIXABLE = {rule.code for rule in RULES if rule.fixable}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean memdir, to be copied."""
    return ground.project(tmp_path_factory.mktemp("good"))


@pytest.fixture
def memdir(good: Path, tmp_path: Path) -> Path:
    """A clean memdir of three memories."""
    return shutil.copytree(good, tmp_path / "app/.memdir")


def test_clean_memdir_is_silent(memdir: Path) -> None:
    answer = checked(memdir)
    assert seen(answer) == ()
    assert (answer.files, answer.exit_status) == (3, 0)


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_corruption_has_its_name(memdir: Path, plant: Plant) -> None:
    plant.plant(memdir)
    before = tree(memdir.parent)
    assert seen(checked(memdir)) == plant.seen
    assert tree(memdir.parent) == before, "check writes nothing"


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_repair_heals_what_is_fixable_and_nothing_else(memdir: Path, plant: Plant) -> None:
    plant.plant(memdir)
    fixable = [finding for finding in checked(memdir).findings if finding.fixable]
    before = tree(memdir.parent)
    planned = repaired(memdir, dry_run=True)
    assert tree(memdir.parent) == before, "a dry run writes nothing"
    done = repaired(memdir)
    if plant.plant is renamed_twice:
        assert set(planned.actions) < set(done.actions), "what is freed by a move is used"
    else:
        assert done.actions == planned.actions
    assert {one.code for one in done.actions} == {finding.code for finding in fixable}
    assert bool(done.actions) == (plant.left is not None)
    if not fixable:
        assert tree(memdir.parent) == before, "what cannot be mended is left alone"


@pytest.mark.parametrize("plant", [plant for plant in PLANTS if plant.code != "M712"], ids=str)
def test_repair_leaves_what_needs_a_person(memdir: Path, plant: Plant) -> None:
    plant.plant(memdir)
    repaired(memdir)
    before = tree(memdir.parent)
    assert repaired(memdir).actions == ()
    assert tree(memdir.parent) == before, "the second repair writes nothing"
    assert seen(checked(memdir)) == (plant.seen if plant.left is None else plant.left)


def test_unreadable_journal_is_set_aside_with_all_that_was_staged(memdir: Path) -> None:
    plant = next(plant for plant in PLANTS if plant.code == "M712")
    plant.plant(memdir)
    repaired(memdir)
    answer = checked(memdir)
    assert [finding.code for finding in answer.findings] == ["M714"] * 3
    assert repaired(memdir).actions == ()


def test_every_other_rule_is_planted() -> None:
    planted = {plant.code for plant in PLANTS} | {"M722", "M724", "M601", "M733"}  # these need git, and a user memdir
    planted |= {f"M32{number}" for number in range(1, 7)}  # these need a project: test_evidence_rules
    planted |= {"M209", "M727"}  # these need git: tests/sharing
    planted |= {"M725", "M726"}  # these are wishes of the settings: test_configured
    assert {rule.code for rule in RULES if not rule.code.startswith("M1")} <= planted


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_rule_tells_what_to_type(memdir: Path) -> None:
    for rule in RULES:
        assert rule.sentence.endswith(".")
        assert rule.fires
        assert rule.silent
    for plant in PLANTS:
        root = shutil.copytree(memdir, memdir.parent.parent / plant.plant.__name__ / ".memdir")
        plant.plant(root)
        for finding in checked(root).findings:
            assert "`memdir " in finding.message, finding.message
            assert finding.message.isprintable()


def test_no_finding_repeats_a_secret(memdir: Path) -> None:
    for plant in WARY:
        root = shutil.copytree(memdir, memdir.parent.parent / plant.plant.__name__ / ".memdir")
        plant.plant(root)
        for finding in checked(root).findings:
            for secret in (TOKEN, PASSWORD):
                assert secret not in finding.text
                assert secret[4:12] not in finding.text
