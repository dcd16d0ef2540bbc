"""The answers about other programs and other machines."""

from __future__ import annotations

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word


def sync() -> Schema:
    """``sync``."""
    conflict = keys(
        "A memory that is in conflict since then.", {"id": text("Its id."), "key": text("Its key.")}, ["id", "key"]
    )
    properties = {
        "memdir": word("Which memdir.", ("project", "user")),
        "remote": text("Name of the remote."),
        "branch": text("Its branch."),
        "committed": number("How many files of the memdir had changed here."),
        "received": number("How many files changed by what others had pushed."),
        "sent": flag("Something was pushed."),
        "conflicts": many(conflict, "What a person has to settle."),
        "warnings": parts.WARNINGS,
    }
    return answer("memdir sync", properties, ["memdir", "committed", "received", "sent"])


def install() -> Schema:
    """``install``."""
    edit = keys(
        "One file.",
        {"path": text("Absolute path."), "action": word("What was done.", ("created", "changed", "removed"))},
        ["path", "action"],
    )
    properties = {
        "target": text("What memdir is fitted into."),
        "done": many(edit, "The files that were changed, or would be."),
        "removed": flag("It was taken out."),
        "dryRun": flag("Nothing was written."),
        "diff": text("The change as a unified diff."),
        "warnings": parts.WARNINGS,
    }
    return answer("memdir install", properties, ["target", "done"])


def completion() -> Schema:
    """``completion``."""
    properties = {"shell": text("The shell."), "script": text("What its start file is to hold.")}
    return answer("memdir completion", properties, ["shell", "script"])
