"""The table of schemas, by name."""

from __future__ import annotations

from collections.abc import Callable

from memdir_cli.cli.schemas import (
    carrying,
    checking,
    forgetting,
    moving,
    parts,
    reading,
    reporting,
    reviewing,
    sharing,
    tracing,
    writing,
)
from memdir_cli.cli.schemas.frame import answer as _answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, text
from memdir_cli.cli.schemas.writing import WRITERS as WRITERS

DRAFT = "https://json-schema.org/draft/2020-12/schema"


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


def schema() -> Schema:
    """``schema`` without a name."""
    one = keys("A schema.", {"name": text("Its name."), "title": text("What it describes.")}, ["name", "title"])
    return _answer("memdir schema", {"schemas": many(one, "The schemas.")}, ["schemas"])


#: By the name that ``memdir schema`` takes.
SCHEMAS: dict[str, Callable[[], Schema]] = {
    "memory": memory,
    "error": error,
    "init": init,
    "write": writing.write,
    "archive": writing.archive,
    "forget": forgetting.forget,
    "quarantine": writing.quarantine,
    "get": reading.get,
    "explain": reading.explain,
    "list": reading.list_,
    "search": reading.search,
    "show": reading.show,
    "history": reading.history,
    "log": tracing.log,
    "context": reading.context,
    "whoami": reading.whoami,
    "check": checking.check,
    "rule": checking.rule,
    "refresh": moving.refresh,
    "watch": moving.watch,
    "review": reviewing.review,
    "trace": tracing.trace,
    "health": reporting.health,
    "repair": moving.repair,
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
