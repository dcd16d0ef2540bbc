"""Registry: every rule, by its code. A new rule is one entry in the tuple of its family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memdir_cli.checks import (
    archived,
    evidence,
    files,
    forgotten,
    index,
    leftovers,
    lifecycle,
    merges,
    paths,
    provenance,
    quarantined,
    safety,
    scope,
    settings,
)
from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.findings import Finding
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

#: The words that follow the code's letter and first digit.
FAMILIES: dict[str, str] = {
    "M1": "file and frontmatter",
    "M2": "identity, path and index",
    "M3": "lifecycle",
    "M4": "provenance",
    "M5": "safety",
    "M6": "scope",
    "M7": "receipts, leftovers, tombstones and settings",
}

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (
            *files.RULES,
            *paths.RULES,
            *merges.RULES,
            *index.RULES,
            *lifecycle.RULES,
            *evidence.RULES,
            *archived.RULES,
            *provenance.RULES,
            *quarantined.RULES,
            *safety.RULES,
            *scope.RULES,
            *leftovers.RULES,
            *forgotten.RULES,
            *settings.RULES,
        ),
        key=lambda rule: rule.code,
    )
)

#: Where a key stands in a file: path and key to line and column.
Place = Callable[[str, str], tuple[int, int]]


def select(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules that are asked for.

    :param select: codes or beginnings of codes (``M2``, ``M101``); left out, all.
    :param ignore: the same, taken away again.
    :raises UsageError: for a code that no rule has, or if no rule is left.
    """
    wanted = [_known(code) for code in select]
    barred = [_known(code) for code in ignore]
    left = tuple(
        rule
        for rule in RULES
        if (not wanted or rule.code.startswith(tuple(wanted))) and not rule.code.startswith(tuple(barred))
    )
    if not left:
        raise UsageError("What is selected is ignored as well; nothing would be checked.", hint="leave out one of both")
    return left


def sightings(examined: Examined, rules: Iterable[Rule] = RULES) -> Iterator[tuple[Rule, Sighting]]:
    """Everything that the rules see."""
    for rule in rules:
        for sighting in rule.look(examined):
            yield rule, sighting


def findings(examined: Examined, place: Place, rules: Iterable[Rule] = RULES) -> tuple[Finding, ...]:
    """Everything that the rules see, with its place, sorted; paths count from the memdir's root."""
    return tuple(sorted(_finding(rule, sighting, place) for rule, sighting in sightings(examined, rules)))


def find(code: str | None) -> tuple[Rule, ...]:
    """The rule of that code or name, or all whose code begins so; ``None`` for every rule.

    :raises UsageError: for a code that no rule has; its hint names the nearest.
    """
    if code is None:
        return RULES
    word = code.strip()
    named = tuple(rule for rule in RULES if rule.name == word.lower())
    return named or select([_known(word)])


def family(rule: Rule) -> str:
    """What the family of a rule is about."""
    return FAMILIES.get(rule.code[:2], "")


def _finding(rule: Rule, sighting: Sighting, place: Place) -> Finding:
    line, column = sighting.line, sighting.column
    if not line and sighting.key:
        line, column = place(sighting.path, sighting.key)
    return Finding(
        sighting.path,
        line or 1,
        column or 1,
        rule.code,
        rule.severity,
        printable(sighting.message),
        rule.fixable and sighting.fixable,
        sighting.key,
    )


def _known(text: str) -> str:
    code = text.strip().upper()
    if code and any(rule.code.startswith(code) for rule in RULES):
        return code
    raise UsageError(f"`{printable(text)}` is no rule.", code="unknown-rule", hint=_nearest(code))


def _nearest(word: str) -> str:
    """What was probably meant, or what there is."""
    from difflib import get_close_matches

    names = {name.casefold(): rule.code for rule in RULES for name in (rule.code, rule.name)}
    close = get_close_matches(word.casefold(), names)
    families = ", ".join(f"`{code}` ({words})" for code, words in FAMILIES.items())
    meant = f"did you mean `{names[close[0]]}`? " if close else ""
    return f"{meant}the families are {families}"
