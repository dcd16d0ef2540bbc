"""Quarantine: what was taken out can be read by nobody who does not open it, and lies nowhere else (M3)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain import seal
from memdir_cli.domain.snapshot import Record

FOLDER = "quarantine"

#: The codes of what can be put under the seal again without anybody's word.
PLAIN, COPY = "M304", "M306"


def _isolated(examined: Examined) -> Iterator[Record]:
    return (one for one in examined.records if one.memory.status == "quarantined" and one.folder == FOLDER)


def _plain(examined: Examined) -> Iterator[Sighting]:
    for record in _isolated(examined):
        keys = seal.plain(record.memory)
        if keys:
            named = ", ".join(f"`{key}`" for key in keys)
            message = f"What is in quarantine can be read here ({named}); type `memdir repair`, which seals it"
            yield Sighting(record.path, message, key=next((key for key in keys if key != "body"), "status"))


def _unsealable(examined: Examined) -> Iterator[Sighting]:
    for record in _isolated(examined):
        fault = _fault(record)
        if fault:
            message = (
                f"The seal cannot be opened: {fault}; restore the file from git or a backup, or type "
                f"`memdir forget {record.memory.id}`"
            )
            yield Sighting(record.path, message, key="status")


def _fault(record: Record) -> str:
    if not seal.is_sealed(record.memory.body):
        return ""
    try:
        seal.opened(record.memory.body)
    except seal.UnsealableError as error:
        return str(error)
    return ""


def _copy(examined: Examined) -> Iterator[Sighting]:
    for record in examined.snapshot.copies:
        message = (
            f"`{record.memory.id}` is in quarantine, and this file is a copy of it that can be read; nothing serves "
            "it; type `memdir repair`, which puts it under the seal"
        )
        yield Sighting(record.path, message, key="id")
    for path, memory_id in sorted(examined.unsealed.items()):
        message = (
            f"`{memory_id}` is in quarantine, and this file tells something of it; type `memdir repair`, which puts "
            "it under the seal"
        )
        yield Sighting(path, message)


RULES: tuple[Rule, ...] = (
    Rule(PLAIN, "quarantine-plain", "error",
         "What is in quarantine can be read without opening a seal.",
         "[a file with `value` in `quarantine/`]", "[the same after `memdir repair`]", _plain, fixable=True),
    Rule("M305", "quarantine-unsealable", "error",
         "The seal of what is in quarantine is damaged.",
         "[a line of the seal cut by hand]", "[the file restored from git]", _unsealable),
    Rule(COPY, "quarantine-copy", "error",
         "A file of what is in quarantine lies elsewhere: by hand, by a merge, by `git revert`.",
         "[the memory restored to `memories/`]", "[the same after `memdir repair`]", _copy, fixable=True),
)  # fmt: skip
