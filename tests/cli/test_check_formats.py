"""The forms of the report: SARIF as its schema says, GitHub's lines escaped, a baseline that lets old debt pass."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from memdir_cli.checks.registry import RULES
from memdir_cli.cli.render import findings as lines
from memdir_cli.cli.schemas.documents import document
from memdir_cli.domain.findings import Finding
from tests import hooked
from tests.hooked import LINTER, Project
from tests.sandbox import Sandbox

#: As schemastore.org publishes it: the schema of the OASIS standard, errata included.
SARIF = json.loads((Path(__file__).parents[2] / "fixtures/sarif/sarif-2.1.0-rtm.5.json").read_text("utf-8"))
BASELINE = "debt.json"


@pytest.fixture
def made(sandbox: Sandbox) -> Project:
    """An error, a warning and a remark."""
    made = hooked.project(sandbox)
    made.break_linter()
    (made.top / ".memdir/.gitignore").unlink()
    made.write(".memdir/memories/a: b,c.md", "# Notes\n")
    return made


def sarif(made: Project, *args: str) -> Any:
    """The log, which is as its schema says."""
    log = made.check("--format", "sarif", *args).json
    jsonschema.Draft4Validator(SARIF).validate(log)
    return log


def results(log: Any) -> list[Any]:
    found = log["runs"][0]["results"]
    assert isinstance(found, list)
    return found


def marks(log: Any) -> list[str]:
    return [mark for result in results(log) for mark in result["partialFingerprints"].values()]


# -- SARIF


def test_sarif_says_what_json_says(made: Project) -> None:
    log, found = sarif(made), made.check("--json").json["findings"]
    levels = {"error": "error", "warning": "warning", "info": "note"}
    places = [result["locations"][0]["physicalLocation"] for result in results(log)]
    assert [
        (result["ruleId"], result["level"], result["message"]["text"], place["region"]["startLine"])
        for result, place in zip(results(log), places, strict=True)
    ] == [(one["code"], levels[one["severity"]], one["message"], one["line"]) for one in found]
    assert {place["artifactLocation"]["uri"] for place in places} == {
        ".memdir/.gitignore", ".memdir/memories/a%3A%20b%2Cc.md", LINTER, ".memdir/MEMORY.md"
    } - ({".memdir/MEMORY.md"} if all(one["path"] != ".memdir/MEMORY.md" for one in found) else set())  # fmt: skip
    for result in results(log):
        assert log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_names_every_rule_and_whether_all_could_be_looked_at(made: Project) -> None:
    run = sarif(made)["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.code for rule in RULES]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    made.write(".memdir/config.yaml", "key: [\n")
    assert sarif(made)["runs"][0]["invocations"] == [{"executionSuccessful": False, "exitCode": 2}]


def test_sarif_of_a_clean_memdir_has_no_results(sandbox: Sandbox) -> None:
    assert results(sarif(hooked.project(sandbox))) == []


def test_fingerprints_stay_while_lines_move(made: Project) -> None:
    before = marks(sarif(made))
    text = made.read(LINTER)
    made.write(LINTER, text.replace("---\n", "---\n# a comment\n", 1))
    assert made.read(LINTER) != text
    assert marks(sarif(made)) == before
    assert len(set(before)) == len(before)


def test_equal_findings_of_one_file_are_told_apart(sandbox: Sandbox) -> None:
    made = hooked.project(sandbox)
    (receipts,) = (made.top / ".memdir/receipts").iterdir()
    receipts.write_text(receipts.read_text() + "torn\ntorn\n")
    found = marks(sarif(made))
    assert [mark.partition(":")[2] for mark in found] == ["1", "2"]
    assert len({mark.partition(":")[0] for mark in found}) == 1


def test_sarif_is_the_same_in_every_clone(made: Project) -> None:
    other = made.top.parent / "elsewhere"
    os.rename(made.top, other)
    moved = Project(made.sandbox, other)
    there = sarif(moved)
    os.rename(other, made.top)
    assert sarif(made) == there


# -- GitHub


def test_github_lines_are_escaped() -> None:
    one = Finding("a,b:c%.md", 3, 7, "M131", "error", "100 % of\r\nit: a, b")
    assert lines.github([one]) == ("::error file=a%2Cb%3Ac%25.md,line=3,col=7,title=M131::100 %25 of%0D%0Ait: a, b")


def test_github_has_a_line_a_finding(made: Project) -> None:
    printed = made.check("--format", "github").stdout.splitlines()
    found = made.check("--json").json["findings"]
    assert [line.split(" ")[0] for line in printed] == [
        {"error": "::error", "warning": "::warning", "info": "::notice"}[one["severity"]] for one in found
    ]


# -- baseline


def test_old_debt_passes_and_new_debt_fails(made: Project) -> None:
    first = made.check("--baseline", BASELINE, "--strict")
    count = len(made.check("--json").json["findings"])
    assert (first.exit, first.stdout) == (0, "")
    assert f"{count} findings written to the new baseline `{BASELINE}`." in first.stderr
    again = made.check("--baseline", BASELINE, "--strict")
    assert (again.exit, again.stdout, again.stderr) == (0, "", "")
    path = ".memdir/memories/test_runner.md"
    made.write(path, made.read(path).replace("value: vitest", "value: c: d"))
    new = made.check("--baseline", BASELINE)
    assert new.exit == 1
    assert all(path in line or "MEMORY.md" in line for line in new.stdout.splitlines())
    assert "more in the baseline" in new.stderr


def test_what_is_gone_is_told_unless_only_a_part_was_looked_at(made: Project) -> None:
    made.check("--baseline", BASELINE)
    made.mend_linter()
    done = made.check("--baseline", BASELINE, "--strict")
    assert (done.exit, done.stdout) == (0, "")
    assert f"gone, though the baseline names it: {LINTER}: M131" in done.stderr
    assert "gone" not in made.check("--baseline", BASELINE, "--select", "M7").stderr
    assert "gone" not in made.check("--baseline", BASELINE, LINTER).stderr


def test_the_same_fault_in_another_line_is_old(made: Project) -> None:
    made.check("--baseline", BASELINE)
    made.write(LINTER, made.read(LINTER).replace("---\n", "---\n# a comment\n", 1))
    assert made.check("--baseline", BASELINE, "--strict").exit == 0


def test_the_file_can_be_read_and_holds_no_value(made: Project) -> None:
    made.check("--baseline", BASELINE)
    kept = json.loads(made.read(BASELINE))
    assert list(kept) == ["schema", "findings"]
    for one in kept["findings"]:
        assert list(one) == ["path", "code", "key", "fingerprint", "count"]
    assert "a: b" not in {one["key"] for one in kept["findings"]}
    before = made.read(BASELINE)
    made.check("--baseline", BASELINE)
    assert made.read(BASELINE) == before


def test_counts_of_the_document(made: Project) -> None:
    made.check("--baseline", BASELINE)
    answer = made.check("--baseline", BASELINE, "--json").json
    jsonschema.Draft202012Validator(document("check")).validate(answer)
    assert answer["findings"] == []
    assert answer["summary"]["baselined"] == len(json.loads(made.read(BASELINE))["findings"])


def test_in_ci_no_baseline_is_made(made: Project) -> None:
    done = made.sandbox.run("check", "--baseline", BASELINE, cwd=made.top, env={"CI": "true"})
    assert (done.exit, done.stdout) == (2, "")
    assert "in CI it would be lost" in done.stderr
    assert not (made.top / BASELINE).exists()


def test_nothing_that_could_not_be_checked_becomes_old_debt(made: Project) -> None:
    made.write(".memdir/config.yaml", "key: [\n")
    assert made.check("--baseline", BASELINE).exit == 2
    assert not (made.top / BASELINE).exists()
    made.write(BASELINE, '{"schema": 1, "findings": []}')
    assert made.check("--baseline", BASELINE).exit == 2


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "{}", '{"schema": 2, "findings": []}', '{"schema": 1, "findings": [1]}',
     '{"schema": 1, "findings": [{}]}', '{"schema": 1, "findings": [{"fingerprint": "a", "count": 0}]}', "\udcff",
     "[" * 100_000],
)  # fmt: skip
def test_what_is_no_baseline_is_wrong_usage(made: Project, content: str) -> None:
    (made.top / BASELINE).write_bytes(content.encode("utf-8", "surrogateescape"))
    done = made.check("--baseline", BASELINE)
    assert (done.exit, done.stdout) == (2, "")
    assert "is no baseline" in done.stderr


@pytest.mark.parametrize("path", ["nowhere/debt.json", ".memdir", "/proc/debt.json", ""])
def test_a_baseline_that_cannot_be_written_is_wrong_usage(made: Project, path: str) -> None:
    done = made.check("--baseline", path)
    assert (done.exit, done.stdout) == (2, ""), done
