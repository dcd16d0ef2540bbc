"""The schema of ``quarantine --source``; of a single memory it is that of the write verbs."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.snapshot import Layer


def quarantine() -> Schema:
    """``quarantine --source``."""
    one = keys(
        "A memory that was taken out.",
        {
            "id": text("Its id."),
            "revision": number("Its revision.", least=1),
            "key": text("Its key."),
            "scope": parts.SCOPE,
            "memdir": word("In which memdir.", get_args(Layer)),
            "path": text("Absolute path of its file."),
            "first": flag("Whether it began with this source; otherwise that joined later."),
        },
        ["id", "revision", "key", "scope", "memdir", "path", "first"],
    )
    return answer(
        "memdir quarantine --source",
        {
            "decision": {"const": "quarantined", "description": "What was decided."},
            "id": text("Id of the memory, where it is one.", nullable=True),
            "revision": number("Its revision.", least=1, nullable=True),
            "status": {"const": "quarantined", "description": "The status now."},
            "path": text("Absolute path of its file.", nullable=True),
            "reason": text("Stable code of the reason."),
            "memories": many(one, "Everything that was taken out."),
            "warnings": parts.WARNINGS,
        },
        ["decision", "memories", "warnings"],
    )
