"""The schemas of the answers of ``forget`` and ``archive --cold``."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.archiving import Cold
from memdir_cli.domain.snapshot import Layer


def forget() -> Schema:
    """``forget``."""
    properties = {
        "decision": word("`listed` for a dry run.", ("forgotten", "listed", "refused")),
        "id": text("Id of the memory, where it was one.", nullable=True),
        "revision": number("Its last revision.", least=1, nullable=True),
        "key": text("Its key.", nullable=True),
        "scope": text("Its level, without qualifiers.", nullable=True),
        "memories": many(_memory(), "What was forgotten, or would be."),
        "removed": many(text("Absolute path."), "The files that are gone, or would be."),
        "receipt": _receipt(),
        "remains": many(_remain(), "Where the text may still be, out of memdir's reach."),
        "dryRun": flag("Whether nothing was written."),
        "warnings": parts.WARNINGS,
    }
    required = ["decision", "id", "memories", "removed", "receipt", "remains", "dryRun", "warnings"]
    return answer("memdir forget", properties, required)


def _memory() -> Schema:
    return keys(
        "One memory, without its content.",
        {
            "id": text("The id that stood last."),
            "revision": number("Its revision.", least=1),
            "key": text("Its key."),
            "scope": text("Its level, without qualifiers."),
            "memdir": word("In which memdir it lay.", get_args(Layer)),
            "others": many(text("Id."), "Ids of candidates and sides that went with it."),
        },
        ["id", "revision", "key", "scope", "memdir", "others"],
    )


def _receipt() -> Schema:
    return keys(
        "What the receipts say; nothing where nothing was written.",
        {
            "txn": text("Id of the transaction, the same in both memdirs."),
            "at": text("When."),
            "actor": text("The kind of source that asked for it."),
            "ids": many(text("Id."), "Every id that is forgotten now."),
            "memdirs": many(word("A memdir.", get_args(Layer)), "Where receipts were written."),
        },
        ["txn", "at", "actor", "ids", "memdirs"],
        nullable=True,
    )


def _remain() -> Schema:
    kinds = ("exports", "files", "index", "commits", "clones", "originals", "backups", "transcripts")
    return keys(
        "One place.",
        {
            "kind": word("What it is; `index` is that of git.", kinds),
            "known": word("Whether it was seen there.", ("yes", "no", "unknown")),
            "message": text("A sentence."),
            "where": many(text("Path, commit, address or session."), "Where it was seen."),
            "commands": many(text("Command."), "What a person types to look further, or to remove it."),
        },
        ["kind", "known", "message", "where", "commands"],
    )


def archive() -> Schema:
    """``archive --cold``."""
    chill = keys(
        "One memory, without its content.",
        {
            "id": text("Its id."),
            "revision": number("Its revision.", least=1),
            "key": text("Its key."),
            "scope": text("Its level, without qualifiers."),
            "memdir": word("In which memdir it lies.", get_args(Layer)),
            "reason": word("Why it counts as cold.", get_args(Cold)),
            "since": text("When it was last said, confirmed, changed or shown.", nullable=True),
            "message": text("A sentence."),
        },
        ["id", "revision", "key", "scope", "memdir", "reason", "since", "message"],
    )
    properties = {
        "decision": word("`listed` where nothing was moved.", ("archived", "listed")),
        "cold": many(chill, "What lies cold."),
        "dryRun": flag("Whether nothing was written."),
        "warnings": parts.WARNINGS,
    }
    return answer("memdir archive --cold", properties, ["decision", "cold", "dryRun", "warnings"])
