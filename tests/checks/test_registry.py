"""Registry: how rules are asked for, and what a finding is made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.checks.registry import RULES, family, find, findings, select
from memdir_cli.checks.rule import Sighting
from memdir_cli.errors import UsageError
from tests.checks.test_rules_alone import OF_CODE, examined
from tests.records import project


@pytest.mark.parametrize(
    ("word", "codes"),
    [
        ("M505", ["M505"]),
        ("m505", ["M505"]),
        ("lookalike-key", ["M505"]),
        ("LOOKALIKE-KEY", ["M505"]),
        (" m505 ", ["M505"]),
        (" lookalike-key ", ["M505"]),
    ],
)
def test_a_rule_is_found_by_code_or_name_however_it_is_written(word: str, codes: list[str]) -> None:
    assert [rule.code for rule in find(word)] == codes
    assert find(None) == RULES
    family = [rule.code for rule in RULES if rule.code.startswith("M5")]
    assert [rule.code for rule in find("m5")] == family


@pytest.mark.parametrize(("word", "meant"), [("lookalike-keys", "`M505`"), ("", ""), ("zzzz", "")])
def test_a_rule_that_does_not_exist_is_answered_with_the_nearest(word: str, meant: str) -> None:
    with pytest.raises(UsageError) as refused:
        find(word)
    assert ("did you mean" in refused.value.hint) is bool(meant)
    assert meant in refused.value.hint
    assert (refused.value.code, "`M5` (safety)" in refused.value.hint) == ("unknown-rule", True)


def test_codes_are_asked_for_and_left_out_however_they_are_written() -> None:
    assert {rule.code[:2] for rule in select([" m5 ", "M6"])} == {"M5", "M6"}
    assert "M505" not in {rule.code for rule in select(["M5"], ["m505"])}
    with pytest.raises(UsageError) as refused:
        select(["M505"], ["M5"])
    assert refused.value.message == "What is selected is ignored as well; nothing would be checked."
    assert refused.value.hint == "leave out one of both"
    assert [family(OF_CODE[code]) for code in ("M505", "M101")] == ["safety", "file and frontmatter"]


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"line": 7, "column": 3}, (7, 3)),
        ({"line": 7, "column": 3, "key": "status"}, (7, 3)),
        ({"line": 7}, (7, 1)),
        # where its key stands, else where the file begins
        ({"key": "status"}, (5, 9)),
        ({}, (1, 1)),
    ],
)
@pytest.mark.parametrize("rule_mends", [True, False])
@pytest.mark.parametrize("mends", [True, False])
def test_a_finding_stands_at_its_line_or_its_key_and_is_mended_where_rule_and_place_allow(
    keys: dict[str, Any], place: tuple[int, int], *, rule_mends: bool, mends: bool
) -> None:
    sighting = Sighting("a.md", "said \x1b", fixable=mends, **keys)
    rule = replace(OF_CODE["M301"], look=lambda _: [sighting], fixable=rule_mends)
    (one,) = findings(examined(), lambda _, key: {"status": (5, 9)}[key], [rule])
    assert (one.path, one.line, one.column, one.message) == ("a.md", *place, "said \\x1b")
    assert (one.code, one.severity, one.fixable) == ("M301", "error", rule_mends and mends)


def test_findings_come_in_one_order_whatever_order_files_were_read_in() -> None:
    records = [project(id=name, status="stale") for name in "bca"]
    seen = findings(examined(*records), lambda _, key: (3, 1), [OF_CODE["M302"], OF_CODE["M301"]])
    assert [one.path[-4:] for one in seen] == ["a.md", "b.md", "c.md"]


def test_what_to_do_is_the_advice_of_the_rule_where_it_has_one() -> None:
    advised = [rule for rule in RULES if rule.advice and not rule.fixable]
    assert advised
    assert [rule.fix for rule in advised] == [rule.advice for rule in advised]
    assert OF_CODE["M505"].fix == "by a person's decision; the finding says what to type"
    assert "`memdir repair`" in OF_CODE["M301"].fix
