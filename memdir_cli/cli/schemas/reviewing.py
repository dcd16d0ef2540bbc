"""The schema of ``review``."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, keys, many, text, word
from memdir_cli.domain.review import Why

_COMMAND = keys(
    "One way to answer it; each needs a user's word.",
    {"action": text("What it does."), "command": text("What to type; words in capitals are to be filled in.")},
    ["action", "command"],
)


def review() -> Schema:
    """``review``."""
    entry = parts.memory(
        "A memory that waits for a person.",
        more={
            "why": word("Why it waits.", get_args(Why)),
            "reason": text("The same as a sentence."),
            "commands": many(_COMMAND, "How it may be answered."),
        },
    )
    sampled = parts.memory(
        "A memory of a check-up.",
        more={
            "conditions": many({"type": "string"}, "The qualifiers for people."),
            "sourceLabel": text("Who stands behind it, for people."),
            "confirmed": text("When a user last said or confirmed it; null for never.", nullable=True),
            "age": text("Coarse age since then.", nullable=True),
            "deletion": text("How it would be deleted."),
        },
    )
    return answer(
        "memdir review",
        {"entries": many(entry, "What waits, in the order of a review."), "sample": many(sampled, "With --sample.")},
        [],
    )
