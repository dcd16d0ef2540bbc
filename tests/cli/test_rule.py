"""`memdir rule`: every rule is listed, each is explained, and a wrong word names the nearest."""

from __future__ import annotations

import jsonschema  # type: ignore[import-untyped]
import pytest

from memdir_cli.checks.registry import FAMILIES, RULES
from memdir_cli.cli.schemas.documents import document
from tests.sandbox import Sandbox


def test_every_rule_is_one_line_with_its_sentence(sandbox: Sandbox) -> None:
    done = sandbox.run("rule")
    assert (done.exit, done.stderr) == (0, "")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows == [[rule.code, rule.severity, rule.name, rule.sentence] for rule in RULES]


def test_one_rule_is_explained(sandbox: Sandbox) -> None:
    assert sandbox.run("rule", "m131").stdout == (
        "M131 unquoted-colon (error; file and frontmatter)\n"
        "A value holds `: ` and is not quoted.\n"
        "\n"
        "fires:\n"
        "  description: fix: retry\n"
        "silent:\n"
        '  description: "fix: retry"\n'
        "\n"
        "fix: mend it by hand, then type `memdir repair`\n"
    )
    assert sandbox.run("rule", "unquoted-colon").stdout == sandbox.run("rule", "M131").stdout


def test_what_steers_a_terminal_is_shown_escaped(sandbox: Sandbox) -> None:
    done = sandbox.run("rule", "control-character")
    assert "\x1b" not in done.stdout
    assert "description: \\x1b[31mred" in done.stdout


def test_a_family_is_listed(sandbox: Sandbox) -> None:
    codes = [line.split("\t")[0] for line in sandbox.run("rule", "M2").stdout.splitlines()]
    assert codes == [rule.code for rule in RULES if rule.code.startswith("M2")]


def test_document_is_as_its_schema_says(sandbox: Sandbox) -> None:
    whole, one = sandbox.run("rule", "--json").json, sandbox.run("rule", "M201", "--json").json
    for answer in (whole, one):
        jsonschema.Draft202012Validator(document("rule")).validate(answer)
    assert [rule["code"] for rule in whole["rules"]] == [rule.code for rule in RULES]
    assert [(rule["code"], rule["fixable"]) for rule in one["rules"]] == [("M201", True)]


@pytest.mark.parametrize(
    ("word", "near"), [("M132x", "M132"), ("unquoted-coln", "M131"), ("E501", ""), ("x y", ""), ("M9", "")]
)
def test_a_word_that_no_rule_has_names_the_nearest(sandbox: Sandbox, word: str, near: str) -> None:
    done = sandbox.run("rule", word)
    assert (done.exit, done.stdout) == (2, "")
    assert f"error: `{word}` is no rule." in done.stderr
    assert "the families are `M1`" in done.stderr
    assert not near or f"did you mean `{near}`?" in done.stderr


def test_every_rule_says_what_to_do() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.fix, rule.code
        assert rule.code[:2] in FAMILIES
