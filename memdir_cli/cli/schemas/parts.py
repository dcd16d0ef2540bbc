"""Parts from which the schemas are put together. Unknown keys are always allowed: documents only grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.source import ATTESTATIONS, AUTHORITIES, KINDS
from memdir_cli.domain.status import STATUSES

Schema = dict[str, Any]


def text(description: str, *, nullable: bool = False) -> Schema:
    """A string."""
    return {"type": ["string", "null"] if nullable else "string", "description": description}


def word(description: str, allowed: Iterable[str], *, nullable: bool = False) -> Schema:
    """One of some strings."""
    words: list[str | None] = [*allowed, *([None] if nullable else [])]
    return {"enum": words, "description": description}


def number(description: str, *, least: int = 0, nullable: bool = False) -> Schema:
    """A whole number."""
    kind = ["integer", "null"] if nullable else "integer"
    return {"type": kind, "minimum": least, "description": description}


def flag(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def many(of: Mapping[str, Any], description: str) -> Schema:
    """A list."""
    return {"type": "array", "items": dict(of), "description": description}


def keys(
    description: str, properties: Mapping[str, Any], required: Iterable[str] = (), *, nullable: bool = False
) -> Schema:
    """An object; ``required`` names the keys that are always there."""
    return {
        "type": ["object", "null"] if nullable else "object",
        "description": description,
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": True,
    }


SOURCE = keys(
    "Provenance: who said it.",
    {
        "kind": word("Kind of source.", KINDS),
        "ref": text("Short label of session and message, a path, or an address."),
        "said": text("The original words, at most 280 characters in a project memdir and 1,000 in the user's."),
        "at": text("When it was said (RFC 3339, UTC)."),
        "attested": word("What proves the words; only tty, hook and transcript are proof.", ATTESTATIONS),
    },
    ["kind"],
)
SOURCES = many(SOURCE, "Provenance entries, oldest first.")

SIDE = keys(
    "One of the values that stand against each other.",
    {
        "id": text("Id of the side, for `memdir settle --keep`."),
        "value": text("The value of this side.", nullable=True),
        "description": text("One line."),
        "type": word("What kind of memory it is, where the sides disagree about that.", TYPES),
        "authority": word("What the side is worth.", AUTHORITIES),
        "source": SOURCES,
    },
    ["id"],
)

WARNING = keys(
    "A remark that does not change the answer.",
    {"code": text("Stable code."), "message": text("A sentence for people.")},
    ["code", "message"],
)
WARNINGS = many(WARNING, "Remarks; empty when there is none.")

ERROR = keys(
    "Why the command did not do what was asked.",
    {
        "code": text("Stable code."),
        "message": text("One sentence for people; may change."),
        "hint": text("What to type next, or empty."),
    },
    ["code", "message", "hint"],
)

SCOPE = text("`user`, `repository:<id>` or `task:<id>`; qualifiers stand in keys of their own.")
STATUS = word("What may be done with the memory now.", STATUSES)

NONE = "Says that nothing applies here."
REVISION = "Moves with value, description, body, type or evidence."


def memory_keys(*, numbers: bool) -> Schema:
    """The keys of a memory.

    :param numbers: as in JSON answers, where ``revision`` is a number and ``none`` a boolean; in a file
        every scalar is text.
    """
    evidence = keys(
        "Something in the workspace on which the memory depends.",
        {
            "probe": text("What is looked at, such as `package.json#scripts.build`."),
            "hash": text("Its hash then."),
            "was": text("What was seen then, such as the command, in one short line."),
        },
        ["probe"],
    )
    # a reader that types scalars itself makes a number of it
    written = {"type": ["string", "integer"], "pattern": "^[0-9]+$"}
    return {
        "id": text("Stable for the life of an identity; any unique prefix addresses it."),
        "name": text("Name for other readers of memory files; the key."),
        "description": text("One line, as in the index."),
        "type": word("What kind of memory it is.", TYPES),
        "subject": text("Whose memory it is: `user:<id>` or `project:<repository id>`."),
        "predicate": text("The key."),
        "scope": SCOPE,
        "repository": text("Repository in which a task memory was made."),
        "path": text("Glob from the repository root: applies to these files only."),
        "topic": text("Applies to this topic only."),
        "environment": {
            "type": "object",
            "description": "Applies in this environment only: os, container, shell and free keys.",
            "additionalProperties": {"type": "string"},
        },
        "version": text("npm range of the project's version: applies to these only."),
        "status": STATUS,
        "statusReason": text("A code and a sentence, whenever the status is not verified."),
        "value": text("The value, character for character; without one the body speaks.", nullable=numbers),
        "none": flag(NONE) if numbers else {"enum": ["true", True], "description": NONE},
        "sides": many(SIDE, "The values of a conflicted memory."),
        "revision": number(REVISION, least=1) if numbers else {**written, "description": REVISION},
        "authority": word("What the memory is worth against others.", AUTHORITIES),
        "source": SOURCES,
        "dependsOn": many(evidence, "Evidence in the workspace."),
        "supersedes": text("`id@revision` that this one replaced."),
        "supersededBy": text("`id@revision` that replaced this one."),
        "rival": text("`id@revision` of the record that a candidate contradicts."),
        "createdAt": text("When the identity was first written (RFC 3339, UTC)."),
        "updatedAt": text("When this revision was written."),
        "verifiedAt": text("When a user last said or confirmed it."),
        "reviewAfter": text("Stale from then on until it is confirmed."),
        "expiresAt": text("Over from then on."),
    }


#: Keys that every memory in an answer has.
ALWAYS = ("id", "predicate", "subject", "scope", "status", "revision", "value")


def memory(description: str, *, more: Mapping[str, Any] | None = None) -> Schema:
    """A memory as it stands in an answer."""
    return keys(description, {**memory_keys(numbers=True), **(more or {})}, ALWAYS)
