"""What people really wrote is let alone: the alarms that real memories set off, counted by rule against a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from memdir_cli.domain import remarks, screen
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from tests.domain.memory_texts import real_texts

#: Of a hundred real memories so many may be named for nothing.
BUDGET = {
    "secret": 0.0, "hidden": 0.0, "injection-like": 0.0, "permission-like": 1.0, "keyword-stuffed": 1.0,
    "too-wide": 0.0, "temporary": 2.0,
}  # fmt: skip

HERE = Scope("repository", repository="github.com/acme/web")


def alarms(text: str) -> Iterator[str]:
    """The rules that would name a memory with this text and, as agents describe theirs, with its first line."""
    first = next((line.strip("#* ") for line in text.splitlines() if line.strip("#* -")), "")
    memory = Memory(
        id="k0000000000aa", subject="project:github.com/acme/web", predicate="notes", scope=HERE,
        status="verified", description=first[:200], body=text,
    )  # fmt: skip
    yield from {remark.code for remark in remarks.of_memory(memory)}
    yield from {trace.rule for trace in screen.traces(text)}


def test_real_memories_set_off_no_more_alarms_than_their_budget(record_property: Callable[[str, object], None]) -> None:
    texts = dict(real_texts())
    counted = Counter(code for text in texts.values() for code in alarms(text))
    rows = ", ".join(f"{code} {counted[code]}" for code in BUDGET)
    record_property("table", f"check: false alarms in {len(texts)} real memories: {rows}")
    assert counted.keys() <= BUDGET.keys(), "a rule without a budget"
    for code, percent in BUDGET.items():
        assert counted[code] * 100 <= percent * len(texts), code
