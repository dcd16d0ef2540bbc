"""Scope: words that claim more, or less, than the scope under which they stand (M6)."""

from __future__ import annotations

from memdir_cli.checks.remarked import remarked
from memdir_cli.checks.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule("M601", "too-wide", "warning",
         "A memory of the user claims to hold always or everywhere, and nothing narrows it.",
         "[`scope: user` and `value: always answer in English`]", "[the same with `topic: reviews`]",
         remarked("too-wide", "then end the wide one with `memdir expire {id}`")),
    Rule("M602", "temporary-words", "warning",
         "A memory says that it holds for now, and nothing ends it.",
         "value: use yarn this time", "value: use yarn this time\nexpiresAt: \"2030-01-01\"",
         remarked("temporary", "then end this one with `memdir expire {id}`")),
)  # fmt: skip
