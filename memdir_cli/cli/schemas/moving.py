"""What the verbs answer that move statuses and mend files."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer as _answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import STATUSES

DRY_RUN = flag("Whether nothing was written.")
CHANGE = {
    "id": text("Its id."),
    "revision": number("Its revision.", least=1),
    "key": text("Its key."),
    "scope": parts.SCOPE,
    "from": word("Its status before.", STATUSES),
    "to": word("Its status now, or that it was dropped.", (*STATUSES, "dropped")),
    "reason": text("A code and a sentence."),
    "memdir": word("In which memdir.", get_args(Layer)),
}
MOVED = ["id", "from", "to", "reason"]


def refresh() -> Schema:
    """``refresh``."""
    properties = {
        "changed": many(keys("A memory whose status moved.", CHANGE, MOVED), "What moved, or would move."),
        "removed": many(text("Absolute path."), "Other files that the settings keep for a while only."),
        "warnings": parts.WARNINGS,
        "dryRun": DRY_RUN,
    }
    return _answer("memdir refresh", properties, ["changed"])


def watch() -> Schema:
    """A line of ``watch``."""
    return _answer("memdir watch: one line, a memory whose status moved", CHANGE, MOVED)


def repair() -> Schema:
    """``repair``."""
    action = keys(
        "One thing mended.",
        {
            "path": text("File, as in a finding."),
            "action": text("What was done."),
            "code": text("Code of the finding that it answers."),
        },
        ["path", "action", "code"],
    )
    diff = text("For a dry run, the change as a unified diff.")
    properties = {"done": many(action, "What was done, or would be."), "dryRun": DRY_RUN, "diff": diff}
    return _answer("memdir repair", properties, ["done"])
