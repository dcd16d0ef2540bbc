"""A review for people: a card a memory; off a terminal the commands that answer it; the rows of a check-up."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.cli.render import human
from memdir_cli.domain import view
from memdir_cli.domain.review import Entry, Sampled, statements
from memdir_cli.domain.text import printable

SAMPLED = ("key", "value", "scope", "source", "last confirmed", "deletion", "id")


def card(entry: Entry) -> str:
    """Everything that a person needs to decide, a few lines."""
    memory = entry.memory
    lines = [f"{printable(memory.predicate)} [{human.where(memory.scope)}] {memory.id}"]
    for number, (side, said) in enumerate(statements(memory), 1):
        lines.append(f"  {number}. {said} (side {side.id})" if side is not None else f"  = {said}")
    if memory.description and not memory.sides:
        lines.append(f"  {printable(memory.description)}")
    lines.append(f"  {entry.why}: {printable(entry.reason)}")
    lines += [
        f"  said by {printable(view.label(source))}{f' on {source.at[:10]}' if source.at else ''}"
        + (f": {printable(source.said)}" if source.said else "")
        for source in memory.source
    ]
    return "\n".join(lines)


def listed(entries: Iterable[Entry]) -> str:
    """The cards with the commands that answer them."""
    return "\n\n".join(
        "\n".join((card(entry), *(f"    {command}" for command in entry.commands().values()))) for entry in entries
    )


def sampled(found: Iterable[Sampled], now: str) -> list[tuple[str, ...]]:
    """A row a memory."""
    rows: list[tuple[str, ...]] = []
    for one in found:
        memory = one.judged.memory
        age = f" ({view.age(memory, now)})" if memory.verified_at else ""
        rows.append(
            (
                memory.predicate,
                human.value(memory),
                human.where(memory.scope),
                view.source_label(memory),
                f"{memory.verified_at[:10]}{age}" if memory.verified_at else "never",
                one.deletion(),
                memory.id,
            )
        )
    return rows
