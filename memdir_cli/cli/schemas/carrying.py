"""The answers about what comes from other tools and goes to them."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.event import Decided
from memdir_cli.domain.exporting import FORMS as OUT
from memdir_cli.domain.foreign import FORMS
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.snapshot import Layer

EDIT = keys(
    "A file that changed.",
    {"path": text("Its absolute path."), "action": word("What was done.", ("created", "changed", "removed"))},
    ["path", "action"],
)
FROM = text("The file that it came from: from the root of the project, elsewhere its name and folder.")


def import_() -> Schema:
    """``import``."""
    one = keys(
        "An entry that was taken in.",
        {
            "id": text("Id of the candidate; null where it was only shown.", nullable=True),
            "key": text("Its key."),
            "value": text("Its value.", nullable=True),
            "description": text("One line."),
            "type": word("What kind of memory it is.", TYPES),
            "scope": parts.SCOPE,
            "path": text("The files to which it is bound.", nullable=True),
            "status": parts.STATUS,
            "decision": word("What was decided.", get_args(Decided)),
            "memdir": word("In which memdir.", get_args(Layer)),
            "file": text("Its file, from the memdir's root.", nullable=True),
            "from": FROM,
            "line": number("Line in that file, from 1.", least=1),
            "warnings": many({"type": "string"}, "Remarks for people."),
        },
        ["id", "key", "status", "decision", "from", "line"],
    )
    refused = {
        "from": FROM,
        "line": number("Line in that file, from 1."),
        "reason": text("Stable code of the reason."),
        "message": text("A sentence; nothing of the text."),
    }
    place = {
        "path": FROM,
        "line": number("Line in the file, 0 for the whole file."),
        "column": number("Column in characters, 0 for the whole line."),
        "reason": text("Stable code of the reason."),
        "message": text("A sentence."),
    }
    return answer(
        "memdir import",
        {
            "format": word("The format.", FORMS),
            "imported": many(one, "What was taken in, or would be."),
            "known": number("How many had been imported before, whatever became of them."),
            "refused": many(keys("An entry that may not be taken in.", refused, [*refused]), "What was refused."),
            "unreadable": many(keys("A file or line.", place, [*place]), "What could not be read."),
            "left": many(keys("A file.", place, [*place]), "What is no memory of that tool."),
            "dryRun": flag("Whether nothing was written."),
        },
        ["format", "imported", "known", "refused", "unreadable"],
    )


def export() -> Schema:
    """``export``."""
    return answer(
        "memdir export",
        {
            "format": word("The format.", OUT),
            "path": text("Absolute path of the file or folder."),
            "count": number("How many memories lie there now."),
            "leftOut": number("How many of the user's own may not lie there, because others read it."),
            "done": many(EDIT, "What was written."),
            "warnings": parts.WARNINGS,
        },
        ["format", "path", "count", "done", "warnings"],
    )
