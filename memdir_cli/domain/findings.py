"""Finding: what ``check`` has to say about one place in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding; findings sort by path, line, column and code.

    :ivar path: POSIX path from the memdir's root.
    :ivar line: 1-based line in the file as an editor shows it; 1 if the whole file is meant.
    :ivar fixable: whether ``memdir repair`` mends it.
    """

    path: str
    line: int
    column: int
    code: str
    severity: Severity
    message: str
    fixable: bool = False
