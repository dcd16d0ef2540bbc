"""Archive: what is put away is referred to by nobody who is still served (M3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record

#: A wiki link, or a word that may be an id or end with the name of a file.
_TOKEN = re.compile(r"\[\[[^\[\]\n]*\]\]|[^\s()\[\]<>`\"',;]+")


def _referred(examined: Examined) -> Iterator[Sighting]:
    put_away = [record for record in examined.records if record.memory.status == "archived"]
    if not put_away:
        return
    # dear to import, and most memdirs have no archive
    from memdir_cli.domain.incident import marks

    archived = {mark: record for record in put_away for mark in marks(record.memory.id, [record])}
    standing = {record.memory.predicate for record in examined.served}
    for record in examined.served:
        for other in _named(record, archived):
            memory = other.memory
            if memory.predicate in standing:
                continue  # the key is there, and means what is served now
            message = (
                f"It refers to `{memory.predicate}` ({memory.id}), which is archived; take the reference out, or type "
                f"`memdir restore {memory.id}`"
            )
            yield Sighting(record.path, message, key="description")


def _named(record: Record, archived: dict[str, Record]) -> list[Record]:
    """What of the archive a memory links to or names in its text, each once."""
    memory = record.memory
    links = (ref.partition("@")[0] for ref in (memory.supersedes, memory.superseded_by, memory.rival) if ref)
    tokens = (*links, *_tokens(memory))
    found = {archived[one].memory.id: archived[one] for one in tokens if one in archived}
    return [found[memory_id] for memory_id in sorted(found) if memory_id != memory.id]


def _tokens(memory: Memory) -> Iterator[str]:
    for text in (memory.value or "", memory.description, memory.body):
        for token in _TOKEN.findall(text):
            yield token.rpartition("/")[2].rstrip(".:!?")


RULES: tuple[Rule, ...] = (
    Rule("M331", "refers-to-archive", "warning",
         "A memory that is served refers to one that was put away.",
         "[`see [[build_command]]`, and `build_command` in the archive]", "[the same after `memdir restore`]",
         _referred),
)  # fmt: skip
