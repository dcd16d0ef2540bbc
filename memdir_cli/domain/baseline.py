"""Fingerprints of findings, and the baseline: a list of old ones that may stand while new ones may not.

A fingerprint is made of rule, file and key (of the sentence where no key is meant), never of the line: what moves
within its file stays the same. Equal ones are counted.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from memdir_cli.domain.findings import Finding
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass

SCHEMA = 1


@dataclass(frozen=True, slots=True, order=True)
class Old:
    """Findings that may stand.

    :ivar path: as in a finding, printable.
    :ivar count: how many of the same fingerprint.
    """

    path: str
    code: str
    key: str
    fingerprint: str
    count: int = 1

    @property
    def text(self) -> str:
        """The line for people."""
        about = f" `{printable(self.key)}`" if self.key else ""
        return f"{printable(self.path)}: {self.code}{about}" + (f" ({self.count} times)" if self.count > 1 else "")


def fingerprint(finding: Finding) -> str:
    """32 hexadecimal digits that stay the same while rule, file and key do."""
    meant = f"key {finding.key}" if finding.key else f"text {finding.message}"
    text = f"{finding.code}\0{finding.path}\0{meant}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def of(findings: Iterable[Finding]) -> tuple[Old, ...]:
    """The baseline under which exactly these findings may stand."""
    named = [Old(printable(one.path), one.code, one.key, fingerprint(one)) for one in findings]
    counted = Counter(named)
    return tuple(sorted(Old(one.path, one.code, one.key, one.fingerprint, many) for one, many in counted.items()))


def compare(findings: Iterable[Finding], old: Iterable[Old]) -> tuple[tuple[Finding, ...], tuple[Old, ...]]:
    """The findings that are new, and the old ones that nobody finds any more.

    Of several with one fingerprint the first ones count as the old ones.
    """
    left = {one.fingerprint: one.count for one in old}
    new = []
    for finding in findings:
        mark = fingerprint(finding)
        if left.get(mark, 0):
            left[mark] -= 1
        else:
            new.append(finding)
    gone = [Old(one.path, one.code, one.key, one.fingerprint, left[one.fingerprint]) for one in old]
    return tuple(new), tuple(one for one in gone if one.count)


def written(old: Iterable[Old]) -> bytes:
    """The file of a baseline: a line a finding, so that its diffs can be read."""
    lines = [
        json.dumps(
            {"path": one.path, "code": one.code, "key": one.key, "fingerprint": one.fingerprint, "count": one.count}
        )
        for one in sorted(old)
    ]
    body = "\n    " + ",\n    ".join(lines) + "\n  " if lines else ""
    return f'{{\n  "schema": {SCHEMA},\n  "findings": [{body}]\n}}\n'.encode()


def read(content: bytes) -> tuple[Old, ...]:
    """What the file of a baseline says.

    :raises ValueError: if it is none.
    """
    try:
        whole = json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(whole, dict) or whole.get("schema") != SCHEMA or not isinstance(whole.get("findings"), list):
        raise ValueError(f'it has no `"schema": {SCHEMA}` with `findings`')
    return tuple(_read_one(entry) for entry in whole["findings"])


def _read_one(entry: object) -> Old:
    if not isinstance(entry, dict):
        raise ValueError("an entry is no object")
    mark, count = entry.get("fingerprint"), entry.get("count", 1)
    if not isinstance(mark, str) or not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ValueError("an entry has no `fingerprint`, or a `count` below 1")
    return Old(str(entry.get("path", "")), str(entry.get("code", "")), str(entry.get("key", "")), mark, count)
