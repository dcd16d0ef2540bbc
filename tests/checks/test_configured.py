"""`check` in config.yaml: rules left out, severities changed, wrong names told, errors of safety out of reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.checks import configured as configuring
from memdir_cli.checks.configured import Wishes, configured
from memdir_cli.checks.registry import RULES, select
from memdir_cli.operations.check import check
from tests.checks import ground
from tests.checks.ground import checked, header, seen, workplace

SAFETY = [rule for rule in RULES if rule.code.startswith("M5") and rule.severity == "error"]


@pytest.fixture
def memdir(tmp_path: Path) -> Path:
    """A project memdir without `.gitignore` (a warning), with a broken file (an error)."""
    root = ground.project(tmp_path)
    (root / ".gitignore").unlink()
    (root / "memories/bad.md").write_text(header("description: fix: retry"))
    return root


def wish(root: Path, lines: str) -> None:
    with (root / "config.yaml").open("a") as file:
        file.write(lines)


def found(root: Path) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in checked(root).findings]


def test_without_settings_all_is_as_the_rules_say(memdir: Path) -> None:
    assert found(memdir) == [("M723", "warning"), ("M131", "error")]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("check: {ignore: [M723]}\n", [("M131", "error")]),
        ("check:\n  ignore:\n    - M7\n    - m131\n", []),
        ("check: {ignore: M7}\n", [("M131", "error")]),
        ("check: {severity: {M723: error}}\n", [("M723", "error"), ("M131", "error")]),
        ("check: {severity: {M1: info, m7: info}}\n", [("M723", "info"), ("M131", "info")]),
        ("check: {severity: {M1: info, M131: warning}}\n", [("M723", "warning"), ("M131", "warning")]),
        ("check: {severity: {M131: info}, ignore: [M131]}\n", [("M723", "warning")]),
        ("check: {}\n", [("M723", "warning"), ("M131", "error")]),
    ],
)
def test_what_the_settings_want_is_done(memdir: Path, lines: str, left: list[tuple[str, str]]) -> None:
    wish(memdir, lines)
    assert found(memdir) == left


def test_what_is_asked_for_by_name_is_not_ignored(memdir: Path) -> None:
    wish(memdir, "check: {ignore: [M131], severity: {M131: warning}}\n")
    answer = check(workplace(memdir), select=["M1"])
    assert [(one.code, one.severity) for one in answer.findings] == [("M131", "warning")]


def test_exit_status_follows_the_severity(memdir: Path) -> None:
    wish(memdir, "check: {severity: {M131: warning, M723: error}}\n")
    assert checked(memdir).exit_status == 1
    wish(memdir, "")
    (memdir / ".gitignore").write_text("/local/\n")
    assert checked(memdir).exit_status == 0


def test_what_could_not_be_checked_stays_so_however_it_is_silenced(memdir: Path) -> None:
    wish(memdir, "check: {ignore: [M1, M2, M7]}\n")
    (memdir / "inbox").write_text("no folder")
    assert checked(memdir).exit_status == 2


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("check: {ignore: [M999]}\n", "`check.ignore` names `M999`, which is no rule"),
        ('check: {ignore: [""]}\n', "`check.ignore` names ``, which is no rule"),
        ("check: {severity: {E501: error}}\n", "`check.severity` names `E501`, which is no rule"),
        ("check: {severity: {M302: fatal}}\n", "`check.severity.M302` is `fatal`, not error, warning, info"),
    ],
)
def test_names_of_nothing_are_told_where_they_stand(tmp_path: Path, lines: str, words: str) -> None:
    root = ground.project(tmp_path)
    wish(root, lines)
    answer = checked(root)
    assert seen(answer) == (("M725", "config.yaml", (root / "config.yaml").read_text().count("\n")),)
    assert words in answer.findings[0].message


@pytest.mark.parametrize("wanted", ["ignore: [M5]", "ignore: [M]", "severity: {M5: info}"])
def test_no_project_silences_errors_of_safety(tmp_path: Path, wanted: str) -> None:
    root = ground.project(tmp_path)
    wish(root, f"check: {{{wanted}}}\n")
    answer = check(workplace(root), select=["M726"])
    assert [one.code for one in answer.findings] == ["M726"]
    assert "no project's settings can" in answer.findings[0].message
    wishes = Wishes("project", ("M5", "M"), {"M5": "info"})
    kept = {rule.code: rule.severity for rule in configured(RULES, wishes)}
    assert kept == {rule.code: "error" for rule in SAFETY}


def test_people_may_silence_what_they_like_of_their_own() -> None:
    wishes = Wishes("user", ("M5",))
    assert configuring.silenced(wishes) == ()
    assert not any(rule.code.startswith("M5") for rule in configured(RULES, wishes))


def test_errors_of_safety_may_be_asked_to_be_errors() -> None:
    assert configuring.silenced(Wishes("project", (), {"M5": "error"})) == ()
    assert configuring.silenced(Wishes("project", ("M5",), {"M5": "error"})) == ("M5",), "but not to be ignored"


@pytest.mark.parametrize("code", ["", "M999", "E501"])
def test_a_severity_for_what_is_no_rule_changes_none(code: str) -> None:
    assert configured(RULES, Wishes("user", (), {code: "info"})) == RULES


def test_rules_that_are_not_named_are_the_same_objects() -> None:
    assert configured(select(), Wishes("project")) == RULES
