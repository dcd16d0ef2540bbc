"""Rules for people: as a list, and one explained."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.checks.registry import family
from memdir_cli.checks.rule import Rule
from memdir_cli.cli.render import tables
from memdir_cli.domain.text import printable

HEADINGS = ("code", "severity", "name", "what is wrong")


def show(rules: Iterable[Rule]) -> None:
    """Print a row a rule."""
    tables.show(HEADINGS, [(rule.code, rule.severity, rule.name, rule.sentence) for rule in rules])


def explanation(rule: Rule) -> str:
    """One rule whole: sentence, both examples, what to do."""
    return "\n".join(
        (
            f"{rule.code} {rule.name} ({rule.severity}; {family(rule)})",
            rule.sentence,
            "",
            "fires:",
            *_example(rule.fires),
            "silent:",
            *_example(rule.silent),
            "",
            f"fix: {rule.fix}",
        )
    )


def document(rule: Rule) -> dict[str, object]:
    """One rule with the keys of the published schema."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "family": family(rule),
        "sentence": rule.sentence,
        "fires": rule.fires,
        "silent": rule.silent,
        "fixable": rule.fixable,
        "fix": rule.fix,
    }


def _example(text: str) -> list[str]:
    """The lines of an example, indented; words stand without their brackets."""
    words = text.startswith("[") and text.endswith("]") and "\n" not in text
    return [f"  {printable(line)}" for line in (text[1:-1] if words else text).split("\n")]
