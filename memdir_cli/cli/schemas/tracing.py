"""The schemas of ``trace`` and ``log``."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, keys, many, number, text, word
from memdir_cli.domain.deeds import RISKS
from memdir_cli.domain.exporting import FORMS
from memdir_cli.domain.incident import Relation
from memdir_cli.domain.scope import LEVELS
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import STATUSES

_LAYERS = get_args(Layer)


def _counts(description: str) -> Schema:
    return {"type": "object", "description": description, "additionalProperties": {"type": "integer", "minimum": 0}}


_READ = keys(
    "One read that gave the memory away.",
    {
        "at": text("When."),
        "verb": text("The command."),
        "task": text("Id of the task.", nullable=True),
        "revision": number("Which revision."),
        "status": text("Its status then."),
    },
    ["at", "verb", "revision"],
)
_FOLLOWED = keys(
    "The calls of tools in the session from then on; null where no transcript of it was found.",
    {
        "calls": number("How many."),
        "tools": _counts("How many of each tool, by its name."),
        "risks": _counts(f"How many show a risk: {', '.join(RISKS)}."),
    },
    ["calls", "tools", "risks"],
    nullable=True,
)
_SESSION = keys(
    "A session that was shown the memory.",
    {
        "session": text("Its id; null for the reads of which none is known.", nullable=True),
        "tasks": many({"type": "string"}, "Ids of the tasks."),
        "verbs": _counts("How many reads by each command."),
        "revisions": many({"type": "integer"}, "The revisions that were shown."),
        "first": text("When it was first shown."),
        "last": text("When it was last shown."),
        "reads": many(_READ, "Every read."),
        "followed": _FOLLOWED,
    },
    ["session", "revisions", "first", "last", "reads"],
)
_DERIVED = keys(
    "Another memory that has to do with it.",
    {
        "relation": word("How the other one is related to it.", get_args(Relation)),
        "id": text("Its id."),
        "revision": number("Its revision.", least=1),
        "status": parts.STATUS,
        "memdir": word("In which memdir it lies.", _LAYERS),
    },
    ["relation", "id", "revision", "status", "memdir"],
)
_EXPORT = keys(
    "A file or folder outside into which it was written.",
    {
        "form": word("What kind of file it is.", FORMS),
        "path": text("Absolute path."),
        "memdir": word("From which memdir.", _LAYERS),
    },
    ["form", "path", "memdir"],
)
_EVENT = keys(
    "What happened to it, as in `memdir log`.",
    {"at": text("When."), "kind": text("What."), "id": text("Its id."), "revision": number("Its revision after it.")},
    ["at", "kind", "id", "revision"],
)


def trace() -> Schema:
    """``trace``."""
    return answer(
        "memdir trace",
        {
            "id": text("Id of the memory."),
            "revision": number("The revision that was asked about; null for all.", least=1, nullable=True),
            "status": word("Its status now; null where no file of it is left.", STATUSES, nullable=True),
            "level": word("The level of its scope.", LEVELS, nullable=True),
            "memdirs": many(word("A memdir.", _LAYERS), "Where it lies."),
            "sources": _counts("How many sources of each kind it has."),
            "counts": _counts("How many sessions, tasks, reads and related memories."),
            "lowerBound": text("What the log cannot know."),
            "since": text("When the log begins; null where there is none.", nullable=True),
            "sessions": many(_SESSION, "Who was shown it, the earliest first."),
            "derived": many(_DERIVED, "What has to do with it."),
            "exports": many(_EXPORT, "Where it was exported to, and was not taken out of since."),
            "events": many(_EVENT, "What happened to it, the oldest first."),
            "transcripts": parts.flag("Whether transcripts were looked for."),
            "warnings": parts.WARNINGS,
        },
        ["id", "status", "sessions", "derived", "exports", "lowerBound"],
    )


def log() -> Schema:
    """``log``."""
    event = keys(
        "One happening, without content.",
        {
            "at": text("When (RFC 3339, UTC)."),
            "kind": text("What happened."),
            "id": text("Id of the memory."),
            "revision": number("Its revision after it."),
            "previous": text("`id@revision` that was replaced, or empty."),
            "status": text("Its status after it."),
            "level": text("The level of its scope."),
            "actor": text("Kind of source that asked for it."),
            "transaction": text("Id of the transaction."),
            "memdir": word("In which memdir.", _LAYERS),
            "key": text("Its key as long as the memory exists, or empty."),
        },
        ["at", "kind", "id", "revision", "memdir"],
    )
    return answer("memdir log", {"events": many(event, "What happened, newest first.")}, ["events"])
