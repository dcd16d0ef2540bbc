"""The answers about findings and rules."""

from __future__ import annotations

from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.findings import SEVERITIES


def check() -> Schema:
    """``check``."""
    finding = keys(
        "One finding.",
        {
            "code": text("Stable code."),
            "severity": word("How bad it is.", SEVERITIES),
            "path": text("File."),
            "line": number("Line in the file, from 1."),
            "column": number("Column in characters, from 1."),
            "message": text("A sentence."),
            "fixable": flag("Whether `memdir repair` mends it."),
        },
        ["code", "severity", "path", "line", "message", "fixable"],
    )
    counts: dict[str, Schema] = {one: number(f"How many of severity {one}.") for one in SEVERITIES}
    looked = {
        "files": number("How many memory files were looked at."),
        "unchecked": flag("Something was not."),
        "baselined": number("How many more the baseline lets stand."),
    }
    summary = keys("How many there are.", {**counts, **looked}, SEVERITIES)
    return answer(
        "memdir check",
        {"findings": many(finding, "By path, line and code."), "summary": summary},
        ["findings", "summary"],
    )


def rule() -> Schema:
    """``rule``."""
    one = keys(
        "One rule.",
        {
            "code": text("Stable code."),
            "name": text("Stable name."),
            "severity": word("How bad it is when it fires.", SEVERITIES),
            "family": text("What its family is about."),
            "sentence": text("What is wrong when it fires."),
            "fires": text("An example that fires: lines of a header, or words in brackets."),
            "silent": text("The same put right."),
            "fixable": flag("Whether `memdir repair` mends it."),
            "fix": text("What to do about it."),
        },
        ["code", "name", "severity", "sentence", "fires", "silent", "fixable", "fix"],
    )
    return answer("memdir rule", {"rules": many(one, "By code.")}, ["rules"])
