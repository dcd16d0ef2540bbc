"""Findings that may stand: counted one by one, told when nobody finds them any more, and read with suspicion."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from memdir_cli.domain.baseline import Old, compare, fingerprint, of, read, written
from memdir_cli.domain.findings import Finding

ONE = Finding("memories/a.md", 3, 1, "M302", "warning", "Why?", key="status")
OTHER = Finding("memories/b.md", 1, 1, "M115", "info", "Unmanaged.")


def test_a_finding_stays_the_same_while_rule_file_and_key_do() -> None:
    moved = replace(ONE, line=9, column=4, message="Why so?", severity="error", fixable=True)
    assert fingerprint(moved) == fingerprint(ONE)
    assert re.fullmatch("[0-9a-f]{32}", fingerprint(ONE))
    assert fingerprint(ONE) == "57e0c4e8cc86f12e1d54a425af18f7c8", "a baseline that was written once stays valid"
    odd = replace(ONE, path="memories/\udcff.md")
    assert fingerprint(odd) == "4eebe5d93e0ef269cbaee1f2ebf23f2a", "a name that is no UTF-8 has one too"
    for changed in (replace(ONE, path="memories/c.md"), replace(ONE, code="M303"), replace(ONE, key="value")):
        assert fingerprint(changed) != fingerprint(ONE)
    assert fingerprint(replace(OTHER, message="Else.")) != fingerprint(OTHER), "without a key the words tell"


def test_of_several_the_first_are_old_and_the_rest_new() -> None:
    old = of([ONE, OTHER, ONE])
    assert [(one.code, one.count) for one in old] == [("M302", 2), ("M115", 1)]
    assert compare([ONE, OTHER, ONE], old) == ((), ())
    later = replace(ONE, line=20)
    assert compare([ONE, ONE, later, OTHER], old) == ((later,), ())
    new, gone = compare([ONE, replace(OTHER, code="M116")], old)
    assert [one.code for one in new] == ["M116"]
    assert [(one.code, one.count) for one in gone] == [("M302", 1), ("M115", 1)]


def test_what_is_old_is_told_with_how_often() -> None:
    (one,) = of([replace(ONE, path="memories/\x1b.md")] * 2)
    assert one.text == "memories/\\x1b.md: M302 `status` (2 times)"
    assert of([OTHER])[0].text == "memories/b.md: M115"


def test_a_baseline_is_written_a_line_a_finding_and_read_again() -> None:
    old = of([OTHER, ONE, ONE])
    data = written(old[::-1])
    assert read(data) == old
    assert data.count(b"\n") == 5 + len(old)
    assert written([]) == b'{\n  "schema": 1,\n  "findings": []\n}\n'
    assert read(written([])) == ()


@pytest.mark.parametrize(
    "whole",
    [
        [], 7, {}, {"schema": 2, "findings": []}, {"schema": 1}, {"schema": 1, "findings": {}},
        {"schema": 1, "findings": ["x"]}, {"schema": 1, "findings": [{}]},
        {"schema": 1, "findings": [{"fingerprint": 7}]}, {"schema": 1, "findings": [{"fingerprint": "a", "count": 0}]},
        {"schema": 1, "findings": [{"fingerprint": "a", "count": True}]},
        {"schema": 1, "findings": [{"fingerprint": "a", "count": "1"}]},
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_refused(whole: object) -> None:
    with pytest.raises(ValueError):
        read(json.dumps(whole).encode())
    for content in (b"", b"nonsense", b"[" * 100_000):
        with pytest.raises(ValueError):
            read(content)


def test_a_bare_fingerprint_is_one_finding() -> None:
    assert read(b'{"schema": 1, "findings": [{"fingerprint": "a"}]}') == (Old("", "", "", "a", 1),)
