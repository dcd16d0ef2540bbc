"""Findings as SARIF 2.1.0, for code scanning: what is told of a finding does not move with its line."""

from __future__ import annotations

import json
from urllib.parse import quote

from memdir_cli import __version__
from memdir_cli.checks.registry import RULES, family
from memdir_cli.checks.rule import Rule
from memdir_cli.domain.baseline import fingerprint
from memdir_cli.domain.findings import CheckAnswer, Finding, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

#: Name of the fingerprint; its number is raised when it is made in another way.
FINGERPRINT = "memdirFinding/v1"

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def text(answer: CheckAnswer) -> str:
    """One log with one run; ASCII only."""
    return json.dumps(log(answer), indent=2)


def log(answer: CheckAnswer) -> dict[str, object]:
    """The whole log."""
    places = {rule.code: at for at, rule in enumerate(RULES)}
    seen: dict[str, int] = {}
    run = {
        "tool": {"driver": {"name": "memdir", "version": __version__, "rules": [_rule(rule) for rule in RULES]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not answer.unchecked, "exitCode": answer.exit_status}],
        "results": [_result(finding, places[finding.code], seen) for finding in answer.findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.sentence},
        "help": {"text": f"{rule.sentence} To mend it: {rule.fix}. `memdir rule {rule.code}` shows examples."},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [family(rule)]},
    }


def _result(finding: Finding, rule: int, seen: dict[str, int]) -> dict[str, object]:
    """One finding.

    :param seen: how often each fingerprint was given already; equal ones are told apart by a number.
    """
    mark = fingerprint(finding)
    seen[mark] = seen.get(mark, 0) + 1
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _artifact(finding.path),
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
        "partialFingerprints": {FINGERPRINT: f"{mark}:{seen[mark]}"},
    }


def _artifact(path: str) -> dict[str, object]:
    """A URI from the repository's root, so that it is the same in every clone."""
    uri = quote(path.encode("utf-8", "surrogateescape"))
    if path.startswith("/"):
        return {"uri": f"file://{uri}"}
    # a first segment with a colon would be taken for a scheme
    return {"uri": f"./{uri}" if ":" in uri.split("/")[0] else uri, "uriBaseId": "%SRCROOT%"}
