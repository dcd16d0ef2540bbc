"""What the reading verbs answer."""

from __future__ import annotations

from typing import get_args

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.frame import answer as _answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.resolve import Outcome, Verdict
from memdir_cli.domain.search import FIELDS, How
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.source import AUTHORITIES
from memdir_cli.domain.status import STATUSES

LAYERS = get_args(Layer)
REASONS = ("none", "not_found", "not_applicable", "conflict", "ignored")
CONDITIONS = many({"type": "string"}, "The qualifiers for people, such as `path src/**`.")
PLACE = {
    "memdir": word("In which memdir it lies.", LAYERS),
    "file": text("Its file, from the memdir's root."),
    "storedStatus": text("The status in the file, where clock or evidence say worse."),
    "unattributed": text("What no receipt supports, as a code."),
}


def get() -> Schema:
    """``get``."""
    opponent = keys(
        "A memory in conflict; no value is told.",
        {
            "id": text("Its id."),
            "revision": number("Its revision.", least=1),
            "scope": parts.SCOPE,
            "status": parts.STATUS,
            "sides": many({"type": "string"}, "Ids of its sides."),
        },
        ["id", "scope", "status"],
    )
    return _answer(
        "memdir get",
        {
            "key": text("The key."),
            "value": text("The value that applies now; null where none does.", nullable=True),
            "id": text("Id of the winner.", nullable=True),
            "revision": number("Its revision.", least=1, nullable=True),
            "status": word("Its status now.", STATUSES, nullable=True),
            "statusReason": text("A code and a sentence, where it is not verified.", nullable=True),
            "scope": text(parts.SCOPE["description"], nullable=True),
            "conditions": CONDITIONS,
            "type": word("What kind of memory it is.", TYPES),
            "authority": word("What it is worth against others.", AUTHORITIES),
            "source": parts.SOURCES,
            "sourceLabel": text("Who stands behind it, for people."),
            "date": text("When it was last known to hold.", nullable=True),
            "age": text("Coarse age since then, such as `3 weeks`.", nullable=True),
            "reason": word("Why there is no value.", REASONS, nullable=True),
            "conflict": many(opponent, "Those between which a person must decide."),
            "nearest": text("The key that was probably meant."),
            "warnings": parts.WARNINGS,
            "message": text("One sentence for people, or empty."),
            "hint": text("What to type next, or empty."),
        },
        ["key", "value", "id", "revision", "status", "scope", "source", "age", "warnings"],
    )


def explain() -> Schema:
    """``explain``."""
    properties = {
        "id": text("Its id."),
        "revision": number("Its revision.", least=1),
        "scope": parts.SCOPE,
        "conditions": CONDITIONS,
        "status": parts.STATUS,
        "outcome": word("How it fared.", get_args(Outcome)),
        "rule": text("What decided, as a stable word."),
        "reason": text("The same as a sentence."),
        "by": many({"type": "string"}, "Ids of those that beat it or stand against it."),
        "value": text("Its value.", nullable=True),
        "memdir": word("In which memdir it lies.", LAYERS),
        "file": text("Its file, from the memdir's root."),
    }
    required = ["id", "scope", "status", "outcome", "reason"]
    return _answer(
        "memdir explain",
        {
            "key": text("The key."),
            "verdict": word("What came of it.", get_args(Verdict)),
            "winner": keys("The memory that applies now.", properties, required, nullable=True),
            "contenders": many(
                keys("A memory of this key.", properties, required),
                "Winner or opponents first, then losers, then the excluded.",
            ),
            "nearest": text("The key that was probably meant."),
            "warnings": parts.WARNINGS,
        },
        ["key", "winner", "contenders"],
    )


def list_() -> Schema:
    """``list``."""
    one = parts.memory("A memory of the view.", more=PLACE)
    return _answer("memdir list", {"memories": many(one, "The memories.")}, ["memories"])


def search() -> Schema:
    """``search``."""
    reason = keys(
        "A word that was found.",
        {
            "word": text("What was asked for."),
            "term": text("What stands in the memory, without the endings that do not count."),
            "how": word("How the two fit.", get_args(How)),
            "in": many(word("A part of the memory.", FIELDS), "Where it stands."),
        },
        ["word", "term", "how", "in"],
    )
    more = {
        **PLACE,
        "score": {"type": "number", "description": "How well it fits; only the order means something."},
        "reasons": many(reason, "Why it was found."),
        "warnings": parts.WARNINGS,
    }
    one = parts.memory("A memory that may be meant; of a conflict no value.", more=more)
    return _answer("memdir search", {"results": many(one, "What was found, the best first.")}, ["results"])


def show() -> Schema:
    """``show``."""
    aside = {"body": text("The Markdown below the header."), "warnings": parts.WARNINGS}
    properties = {**parts.memory_keys(numbers=True), **PLACE, **aside}
    return _answer("memdir show", properties, ["body", *parts.ALWAYS])


def history() -> Schema:
    """``history``."""
    older = many(parts.SOURCE, "Sources for which its header has no room any more, the oldest first.")
    one = parts.memory("One revision.", more={**PLACE, "body": text("Its text."), "olderSources": older})
    return _answer(
        "memdir history",
        {
            "key": text("The key."),
            "revisions": many(one, "Everything that the key ever was here, oldest first."),
            "nearest": text("The key that was probably meant."),
        },
        ["key", "revisions"],
    )


def context() -> Schema:
    """``context --format json``."""
    given = keys(
        "A memory as an agent is given it.",
        {
            "id": text("Its id."),
            "predicate": text("The key."),
            "scope": parts.SCOPE,
            "status": parts.STATUS,
            "value": text("The value, or the text; null in conflict and where nothing applies.", nullable=True),
            "date": text("When it was last known to hold."),
            "age": text("Coarse age since then."),
            "when": many({"type": "string"}, "What would have to hold for it to apply."),
            "sourceLabel": text("Who stands behind it."),
        },
        ["id", "predicate", "scope", "status", "value"],
    )
    return _answer(
        "memdir context",
        {
            "note": text("What memory is, and that it grants no permission."),
            "budget": number("Characters that the whole output may have."),
            "tokens": number("About how many tokens the output is: a quarter of its bytes."),
            "count": number("How many memories there are for this place."),
            "left_out": number("How many of them did not fit."),
            "command": text("The command that shows what was left out."),
            "memories": many(given, "The most binding first."),
        },
        ["left_out", "command"],
    )


def whoami() -> Schema:
    """``whoami``."""
    fact = keys(
        "A fact and where it came from.",
        {"value": text("The fact; null if it is not known.", nullable=True), "from": text("Where it came from.")},
        ["value", "from"],
    )
    names = ("user", "repository", "project", "task", "session", "message", "path", "topic", "version", "agent")
    environment = {"type": "object", "additionalProperties": fact, "description": "Facts of the machine."}
    place = keys(
        "A memdir.",
        {"path": text("Where it is, or would be made.", nullable=True), "exists": flag("Whether it is there.")},
        ["path", "exists"],
    )
    memdirs = keys("The memdirs of this call.", {"project": place, "user": place}, ["project", "user"])
    return _answer(
        "memdir whoami",
        {
            **dict.fromkeys(names, fact),
            "environment": environment,
            "now": text("The time of this run."),
            "memdirs": memdirs,
        },
        ["user", "repository", "task", "session", "environment"],
    )
