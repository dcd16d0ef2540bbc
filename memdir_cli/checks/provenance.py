"""Provenance: the receipts support what a memory in service claims (M4)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

#: Code of what no receipt supports; rule, key that is meant, what the message says, sentence of the rule.
_UNSUPPORTED: tuple[tuple[str, str, str, str, str, str, str], ...] = (
    ("no-receipt", "M401", "id", "No receipt names this memory",
     "No receipt names a memory: it was not written by memdir.",
     "[a file copied from another project]", "[the same after `memdir confirm`]"),
    ("status", "M402", "status", "No receipt gave it this status",
     "A memory has a better status than any receipt gave it.",
     "[`status: stale` changed to `verified` by hand]", "[the same after `memdir confirm`]"),
    ("authority", "M403", "authority", "No receipt gave it this authority",
     "A memory has an authority that no receipt gave it.",
     "[`authority: inferred` changed to `user` by hand]", "[the same after `memdir confirm`]"),
    ("source", "M404", "source", "A source of it is in no receipt",
     "A memory names a source that no receipt knows.",
     "[a source added by hand]", "[the same after `memdir confirm`]"),
    ("content", "M405", "value", "It was changed by hand since its last receipt",
     "The content of a memory was changed by hand.",
     "[`value: npm` changed to `pnpm` by hand]", "[the same after `memdir confirm`]"),
)  # fmt: skip


def _rule(code: str, rule: str, key: str, words: str, sentence: str, fires: str, silent: str) -> Rule:
    def look(examined: Examined) -> Iterator[Sighting]:
        for record in examined.served if code in examined.unattributed.values() else ():
            if examined.unattributed.get(record.path) == code:
                message = (
                    f'{words}, so it is served with "verify first"; if it is right '
                    f"type `memdir confirm {record.memory.predicate}`"
                )
                yield Sighting(record.path, message, key=key)

    return Rule(rule, f"unattributed-{code}", "warning", sentence, fires, silent, look)


RULES: tuple[Rule, ...] = tuple(_rule(*row) for row in _UNSUPPORTED)
