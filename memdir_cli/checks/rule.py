"""Rule: one thing that can be wrong, with a stable code; a pure function finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memdir_cli.checks.examined import Examined
from memdir_cli.domain.findings import Severity
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """One place where a rule is broken; the rule adds code and severity.

    :ivar path: POSIX path from the memdir's root.
    :ivar message: what is wrong, and what to type.
    :ivar line: 1-based, 0 if ``key`` says where, or the whole file is meant.
    :ivar key: the frontmatter key that is meant; where it stands is looked up when it is reported.
    :ivar fixable: ``repair`` can mend this one, if it can mend what the rule is about at all.
    :ivar target: where ``repair`` moves the file, ``""`` if it does not.
    """

    path: str
    message: str
    line: int = 0
    column: int = 0
    key: str = ""
    fixable: bool = True
    target: str = ""


Look = Callable[[Examined], Iterable[Sighting]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    :ivar code: stable: the letter M, the family, two digits.
    :ivar name: stable: lower case with dashes.
    :ivar sentence: what is wrong when it fires.
    :ivar fires: an example that fires: lines of a header, or words.
    :ivar silent: the same put right.
    :ivar fixable: whether ``repair`` can mend it.
    :ivar advice: what to do about it, where that is always the same.
    """

    code: str
    name: str
    severity: Severity
    sentence: str
    fires: str
    silent: str
    look: Look
    fixable: bool = False
    advice: str = ""

    @property
    def fix(self) -> str:
        """What to do about it."""
        if self.fixable:
            return "`memdir repair` mends it where nobody's word is needed; the finding says so"
        return self.advice or "by a person's decision; the finding says what to type"
