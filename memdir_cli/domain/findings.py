"""Finding: what ``check`` has to say about one place in a file, and its answer as a whole."""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding; findings sort by path, line, column and code.

    :ivar path: POSIX path: from the memdir's root as rules give it, from the repository's root in an answer;
        absolute for a memdir that lies elsewhere.
    :ivar line: 1-based line in the file as an editor shows it; 1 if the whole file is meant.
    :ivar column: 1-based column in characters.
    :ivar message: what is wrong and what to type; no line break, nothing that steers a terminal.
    :ivar fixable: whether ``memdir repair`` mends it.
    :ivar key: the frontmatter key that is meant, ``""`` for none.
    """

    path: str
    line: int
    column: int
    code: str
    severity: Severity
    message: str
    fixable: bool = False
    key: str = ""

    @property
    def text(self) -> str:
        """The line for people and editors: ``path:line:col: severity CODE message``."""
        return f"{printable(self.path)}:{self.line}:{self.column}: {self.severity} {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Lasting:
    """For how long an answer stays true while nobody changes anything.

    :ivar since: the second (since 1970) for which it was given.
    :ivar until: the first second at which the clock may have changed it.
    :ivar cited: absolute paths of the files that memories depend on.
    :ivar stood: how those stood before they were looked at.
    :ivar fresh: they were changed so recently that a later change might not show.
    :ivar heard: places, top levels, questions to git and its replies.
    """

    since: int
    until: int
    cited: tuple[str, ...]
    stood: str
    fresh: bool
    heard: tuple[tuple[str, str, tuple[str, ...], tuple[int, bytes, bytes]], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What ``check`` found.

    :ivar findings: those that were asked for, sorted.
    :ivar files: how many memory files were looked at.
    :ivar unchecked: something could not be looked at, so that nothing is proven clean.
    :ivar strict: warnings count as errors.
    :ivar baselined: how many more there are that the baseline lets pass.
    :ivar gone: what the baseline names and nobody finds any more, as lines for people.
    :ivar baseline: path of the baseline that was written now, ``""`` if none was.
    :ivar lasting: ``None`` where that depends on what cannot be watched.
    """

    findings: tuple[Finding, ...] = ()
    files: int = 0
    unchecked: bool = False
    strict: bool = False
    baselined: int = 0
    gone: tuple[str, ...] = ()
    baseline: str = ""
    lasting: Lasting | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        found = [finding.severity for finding in self.findings]
        return {severity: found.count(severity) for severity in SEVERITIES}

    @property
    def exit_status(self) -> int:
        """2 if something could not be checked, 1 for errors (``strict``: or warnings), else 0."""
        if self.unchecked:
            return 2
        counts = self.counts
        return 1 if counts["error"] or (self.strict and counts["warning"]) else 0

    def document(self) -> dict[str, object]:
        """The answer as ``--json`` gives it, without ``schema``."""
        return {
            "findings": [finding_document(finding) for finding in self.findings],
            "summary": {
                **self.counts,
                "files": self.files,
                "unchecked": self.unchecked,
                "baselined": self.baselined,
            },
        }


def finding_document(finding: Finding) -> dict[str, object]:
    """One finding with the keys of the published schema."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        # a name that is not UTF-8 must not break who reads the document
        "path": finding.path.encode("utf-8", "backslashreplace").decode(),
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "fixable": finding.fixable,
    }
