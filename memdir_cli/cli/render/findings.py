"""Findings as lines: for people and editors, for GitHub's annotations, as a count by code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from memdir_cli.domain.findings import CheckAnswer, Finding, Severity
from memdir_cli.domain.text import printable

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def text(findings: Iterable[Finding]) -> str:
    """``path:line:col: severity CODE message``, one line a finding."""
    return "\n".join(finding.text for finding in findings)


def github(findings: Iterable[Finding]) -> str:
    """Workflow commands, which GitHub shows beside the lines they are about."""
    return "\n".join(_annotation(finding) for finding in findings)


def statistics(findings: Iterable[Finding]) -> str:
    """How often each code was found, the most frequent first."""
    counted = Counter((finding.code, finding.severity) for finding in findings)
    rows = sorted(counted.items(), key=lambda row: (-row[1], row[0]))
    return "\n".join(f"{count}\t{code}\t{severity}" for (code, severity), count in rows)


def summary(answer: CheckAnswer) -> str:
    """What was found, in one line; ``""`` if that is nothing."""
    named = [f"{count} {severity}{'s' if count != 1 and severity != 'info' else ''}"
             for severity, count in answer.counts.items() if count]  # fmt: skip
    if answer.baselined:
        named.append(f"{answer.baselined} more in the baseline")
    return ", ".join(named)


def counted(number: int) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} finding{'' if number == 1 else 's'}"


#: By the word that ``--format`` takes.
FORMS: dict[str, Callable[[Iterable[Finding]], str]] = {"text": text, "github": github}


def _annotation(finding: Finding) -> str:
    place = f"file={_property(printable(finding.path))},line={finding.line},col={finding.column}"
    return f"::{_COMMANDS[finding.severity]} {place},title={_property(finding.code)}::{_data(finding.message)}"


def _data(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
