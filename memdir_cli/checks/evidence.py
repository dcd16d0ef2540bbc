"""Evidence: what clock and workspace say of the memories in service, as `refresh` would write it down (M3)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

#: Code of the reason; rule, key that is meant, sentence of the rule, examples.
_MOVED: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("evidence-changed", "M321", "dependsOn",
     "What a memory depends on is not what it was when it was verified.",
     "[`vite build` became the script `build` since]", "[the same after `memdir confirm`]"),
    ("evidence-removed", "M322", "dependsOn",
     "What a memory depends on is gone.",
     "[the script `build` removed]", "[the same after `memdir correct`]"),
    ("evidence-moved", "M323", "dependsOn",
     "The file on which a memory depends lies elsewhere now.",
     "[package.json moved to packages/web/]", "[the same after `memdir confirm`]"),
    ("source-unavailable", "M324", "source",
     "The file from which a memory was taken changed or is gone.",
     "[docs/rules.md removed]", "[docs/rules.md as it was]"),
    ("age-limit", "M325", "verifiedAt",
     "Nobody confirmed a memory for longer than `ageLimits` in config.yaml allows.",
     "[`ageLimits: {fact: 30d}`, verified in January]", "[the same after `memdir confirm`]"),
)  # fmt: skip


def _rule(reason: str, code: str, key: str, sentence: str, fires: str, silent: str) -> Rule:
    def look(examined: Examined) -> Iterator[Sighting]:
        for record in examined.served if examined.moved else ():
            found, _, why = examined.moved.get(record.path, "").partition(": ")
            if found == reason:
                message = f"{why[:1].upper()}{why[1:]}; {_advice(record.memory.predicate)}"
                yield Sighting(record.path, message, key=key)

    return Rule(code, reason, "warning", sentence, fires, silent, look)


def _advice(key: str) -> str:
    return f"look, then type `memdir confirm {key}`, `memdir correct {key} VALUE` or `memdir expire {key}`"


def _unreadable(examined: Examined) -> Iterator[Sighting]:
    for record in examined.served if examined.unreadable_evidence else ():
        for sentence in examined.unreadable_evidence.get(record.path, ()):
            message = f"{sentence}, so that this memory cannot be judged; mend that file"
            yield Sighting(record.path, message, key="dependsOn")


RULES: tuple[Rule, ...] = (
    *(_rule(*row) for row in _MOVED),
    Rule("M326", "evidence-unreadable", "warning",
         "The file on which a memory depends is there and cannot be read.",
         "[package.json with a comma too many]", "[package.json that is JSON]", _unreadable),
)  # fmt: skip
