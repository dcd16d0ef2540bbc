"""The answer of ``check``: its exit status, and its findings as a document."""

from __future__ import annotations

import pytest

from memdir_cli.domain.findings import SEVERITIES, CheckAnswer, Finding, Severity, finding_document

ONE = Finding("memories/a.md", 3, 7, "M302", "warning", "Why?", fixable=True, key="status")


@pytest.mark.parametrize(
    ("severities", "status", "strict"),
    [
        ([], 0, 0),
        (["info"], 0, 0),
        (["warning"], 0, 1),
        (["error"], 1, 1),
        (["error", "warning", "info"], 1, 1),
    ],
)
def test_errors_end_in_1_and_warnings_only_where_they_count_as_errors(
    severities: list[Severity], status: int, strict: int
) -> None:
    found = tuple(Finding("memories/a.md", 1, 1, "M302", severity, "Why?") for severity in severities)
    assert CheckAnswer(found).exit_status == status
    assert CheckAnswer(found, strict=True).exit_status == strict
    assert CheckAnswer(found, unchecked=True).exit_status == 2, "what could not be looked at is not proven clean"
    assert CheckAnswer(found).counts == {one: severities.count(one) for one in SEVERITIES}


def test_the_document_has_every_finding_and_counts_them() -> None:
    answer = CheckAnswer((ONE,), files=4, unchecked=True, baselined=2)
    assert answer.document() == {
        "findings": [
            {
                "code": "M302", "severity": "warning", "path": "memories/a.md", "line": 3, "column": 7,
                "message": "Why?", "fixable": True,
            },
        ],
        "summary": {"error": 0, "warning": 1, "info": 0, "files": 4, "unchecked": True, "baselined": 2},
    }  # fmt: skip


def test_a_name_that_is_no_utf8_does_not_break_the_document() -> None:
    told = finding_document(Finding("memories/\udcff.md", 1, 1, "M101", "error", "No text."))
    assert told["path"] == "memories/\\udcff.md"
