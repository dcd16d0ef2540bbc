"""What the writing verbs answer."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import forgetting, isolating, parts
from memdir_cli.cli.schemas.frame import answer as _answer
from memdir_cli.cli.schemas.frame import either
from memdir_cli.cli.schemas.parts import Schema, keys, many, number, text, word
from memdir_cli.domain.answer import Decision
from memdir_cli.domain.status import STATUSES

#: The verbs that answer as ``write`` says, and in no other way.
WRITERS = ("remember", "correct", "confirm", "reject", "narrow", "settle", "expire", "restore", "release")


def write() -> Schema:
    """The write verbs."""
    previous = keys(
        "The memory as it was before, or the rival.",
        {
            "id": text("Its id."),
            "revision": number("Its revision.", least=1),
            "value": text("Its value.", nullable=True),
            "status": parts.STATUS,
            "source": parts.SOURCES,
        },
        ["id", "revision", "value", "source"],
        nullable=True,
    )
    choice = keys(
        "One way to say where it applies.",
        {"scope": parts.SCOPE, "command": text("The full command.")},
        ["scope", "command"],
    )
    return _answer(
        f"memdir {', '.join(WRITERS)}, and archive and quarantine of a single memory",
        {
            "decision": word("What was decided.", get_args(Decision)),
            "key": text("The key as it is stored."),
            "id": text("Id of the memory.", nullable=True),
            "revision": number("Its revision now.", least=1, nullable=True),
            "status": word("Its status now.", STATUSES, nullable=True),
            "value": text("Its value now.", nullable=True),
            "scope": text(parts.SCOPE["description"], nullable=True),
            "path": text("Absolute path of its file.", nullable=True),
            "reason": text("Stable code of the reason.", nullable=True),
            "warnings": parts.WARNINGS,
            "previous": previous,
            "choices": many(choice, "For `needs_scope`: the ways to answer."),
            "sides": many(parts.SIDE, "For `conflicted`: what stands against each other."),
            "message": text("One sentence for people, or empty."),
            "hint": text("What to type next, or empty."),
        },
        ["decision", "key", "id", "revision", "status", "path", "reason", "warnings", "previous"],
    )


def archive() -> Schema:
    """``archive``."""
    return either("memdir archive REF, or --cold", write(), forgetting.archive())


def quarantine() -> Schema:
    """``quarantine``."""
    return either("memdir quarantine REF, or --source", write(), isolating.quarantine())
