"""Remarked: the look of every rule that a write tells of as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Sighting
from memdir_cli.domain.snapshot import Record

INDEX = "MEMORY.md"
_BESIDE = "if you did not write it take it out by hand, then type `memdir check`"


def remarked(code: str, advice: str) -> Callable[[Examined], Iterator[Sighting]]:
    """The look for remarks of one rule: every memory that is served or waits, and the text beside the index.

    :param advice: what to type, with ``{key}`` and ``{id}`` of the memory.
    """

    def look(examined: Examined) -> Iterator[Sighting]:
        for record in examined.records if examined.remarks else ():
            memory = record.memory
            for remark in examined.remarks.get(record.path, ()):
                if remark.code != code:
                    continue
                said = f"{remark.message.rstrip('.')}; {advice.format(key=memory.predicate, id=memory.id)}"
                if remark.key == "body":
                    yield _in_body(examined, record, remark.at, said)
                else:
                    yield Sighting(record.path, said, key=remark.key)
        for remark in examined.index.remarks:
            if remark.code == code:
                above = examined.index.beside[: remark.at]
                said = f"{remark.message.rstrip('.')}, and it stands beside what memdir wrote; {_BESIDE}"
                yield Sighting(INDEX, said, above.count("\n") + 1, len(above) - (above.rfind("\n") + 1) + 1)

    return look


def _in_body(examined: Examined, record: Record, at: int, message: str) -> Sighting:
    above = record.memory.body[:at]
    line = examined.lines_above.get(record.path, 0) + above.count("\n") + 1
    return Sighting(record.path, message, line, len(above) - (above.rfind("\n") + 1) + 1)
