"""Configured: the rules as the settings of a memdir want them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdir_cli.checks.registry import RULES
from memdir_cli.checks.rule import Rule
from memdir_cli.domain.findings import SEVERITIES, Severity
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass, replace

#: The family whose errors no project's settings can silence: settings come along with a clone.
SAFETY = "M5"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the settings of one memdir want of the rules.

    :ivar layer: a project's settings cannot silence everything.
    :ivar ignore: codes or beginnings of codes, as written.
    :ivar severity: the same, with the severity that is wanted.
    """

    layer: Layer
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] | None = None

    @property
    def severities(self) -> dict[str, str]:
        """Code to severity, as written."""
        return dict(self.severity or {})


def wrong(wishes: Wishes) -> tuple[str, ...]:
    """Sentences on what is named and does not exist."""
    names = [("ignore", code) for code in wishes.ignore] + [("severity", code) for code in wishes.severities]
    said = [f"`check.{key}` names `{printable(code)}`, which is no rule" for key, code in names if not _meant(code)]
    said += [
        f"`check.severity.{printable(code)}` is `{printable(word)}`, not {', '.join(SEVERITIES)}"
        for code, word in wishes.severities.items()
        if word not in SEVERITIES
    ]
    return tuple(said)


def silenced(wishes: Wishes) -> tuple[str, ...]:
    """What is named and has no effect on errors of safety."""
    return tuple(
        printable(code)
        for code in dict.fromkeys((*wishes.ignore, *_known(wishes)))
        if any(_held(rule, wishes) for rule in _meant(code))
        and (code in wishes.ignore or _known(wishes).get(code) != "error")
    )


def configured(rules: Iterable[Rule], wishes: Wishes, *, ignoring: bool = True) -> tuple[Rule, ...]:
    """``rules`` without the ignored ones, each with the severity that is wanted; the longest code counts.

    :param ignoring: leave the ignored ones out; not where they were asked for by name.
    """
    barred = tuple(code.upper() for code in wishes.ignore if _meant(code)) if ignoring else ()
    return tuple(
        _with_severity(rule, wishes) for rule in rules if not rule.code.startswith(barred) or _held(rule, wishes)
    )


def _with_severity(rule: Rule, wishes: Wishes) -> Rule:
    known = {code.upper(): severity for code, severity in _known(wishes).items()}
    named = [code for code in known if rule.code.startswith(code)]
    if not named or _held(rule, wishes):
        return rule
    return replace(rule, severity=known[max(named, key=len)])


def _known(wishes: Wishes) -> dict[str, Severity]:
    words: dict[str, Severity] = {severity: severity for severity in SEVERITIES}
    return {code: words[word] for code, word in wishes.severities.items() if word in words and _meant(code)}


def _meant(code: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if code and rule.code.startswith(code.upper()))


def _held(rule: Rule, wishes: Wishes) -> bool:
    """Whether the settings have no say about a rule."""
    return wishes.layer == "project" and rule.code.startswith(SAFETY) and rule.severity == "error"
