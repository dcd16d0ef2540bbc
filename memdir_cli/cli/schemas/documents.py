"""The table of schemas, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from memdir_cli.cli.schemas import (
    carrying,
    checking,
    forgetting,
    isolating,
    parts,
    reporting,
    reviewing,
    sharing,
    tracing,
)
from memdir_cli.cli.schemas.frame import answer as _answer
from memdir_cli.cli.schemas.frame import either
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.answer import Decision
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.resolve import Outcome, Verdict
from memdir_cli.domain.search import FIELDS, How
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.source import AUTHORITIES
from memdir_cli.domain.status import STATUSES

DRAFT = "https://json-schema.org/draft/2020-12/schema"
LAYERS = get_args(Layer)
REASONS = ("none", "not_found", "not_applicable", "conflict", "ignored")
CONDITIONS = many({"type": "string"}, "The qualifiers for people, such as `path src/**`.")
PLACE = {
    "memdir": word("In which memdir it lies.", LAYERS),
    "file": text("Its file, from the memdir's root."),
    "storedStatus": text("The status in the file, where clock or evidence say worse."),
    "unattributed": text("What no receipt supports, as a code."),
}
#: The verbs that answer as ``write`` says, and in no other way.
WRITERS = ("remember", "correct", "confirm", "reject", "narrow", "settle", "expire", "restore", "release")
DRY_RUN = flag("Whether nothing was written.")


def memory() -> Schema:
    """Frontmatter of a memory file."""
    required = ["id", "subject", "predicate", "scope", "status"]
    body = keys("Frontmatter of a memory file; every scalar is text.", parts.memory_keys(numbers=False), required)
    return {**body, "title": "memdir memory"}


def error() -> Schema:
    """An error."""
    return _answer("Any command that failed", {}, ["error"])


def init() -> Schema:
    """``init``."""
    return _answer(
        "memdir init",
        {
            "path": text("Absolute path of the memdir."),
            "repository": text("The repository id that it carries."),
            "origin": text("Where that id came from."),
            "replaced": text("The id that it carried before.", nullable=True),
            "user": text("The user's id.", nullable=True),
            "created": flag("Whether it was made now."),
            "warnings": parts.WARNINGS,
        },
        ["path", "repository", "created", "warnings"],
    )


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


CHANGE = {
    "id": text("Its id."),
    "revision": number("Its revision.", least=1),
    "key": text("Its key."),
    "scope": parts.SCOPE,
    "from": word("Its status before.", STATUSES),
    "to": word("Its status now, or that it was dropped.", (*STATUSES, "dropped")),
    "reason": text("A code and a sentence."),
    "memdir": word("In which memdir.", LAYERS),
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


def schema() -> Schema:
    """``schema`` without a name."""
    one = keys("A schema.", {"name": text("Its name."), "title": text("What it describes.")}, ["name", "title"])
    return _answer("memdir schema", {"schemas": many(one, "The schemas.")}, ["schemas"])


#: By the name that ``memdir schema`` takes.
SCHEMAS: dict[str, Callable[[], Schema]] = {
    "memory": memory,
    "error": error,
    "init": init,
    "write": write,
    "archive": archive,
    "forget": forgetting.forget,
    "quarantine": quarantine,
    "get": get,
    "explain": explain,
    "list": list_,
    "search": search,
    "show": show,
    "history": history,
    "log": tracing.log,
    "context": context,
    "whoami": whoami,
    "check": checking.check,
    "rule": checking.rule,
    "refresh": refresh,
    "watch": watch,
    "review": reviewing.review,
    "trace": tracing.trace,
    "health": reporting.health,
    "repair": repair,
    "export": carrying.export,
    "import": carrying.import_,
    "sync": sharing.sync,
    "install": sharing.install,
    "schema": schema,
    "completion": sharing.completion,
}


def document(name: str) -> Schema:
    """The schema of that name, whole; ``write`` for a verb that answers as that says."""
    name = "write" if name in WRITERS else name
    return {"$schema": DRAFT, "$id": f"memdir:{name}", **SCHEMAS[name]()}
