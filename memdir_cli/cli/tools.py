"""Tools: five commands as an agent calls them by protocol. Options are spelt as on the command line, with `_` for `-`.

Whoever calls is an agent, as off a terminal: nothing is asked, nobody is the user by itself, and reads are logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from memdir_cli.cli import boundary, options, reading, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.render import json
from memdir_cli.cli.request import REPEATED, Common, Reading, Said, Saying
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass, replace

Schema = dict[str, Any]
Given = Mapping[str, Any]

#: Exit statuses with which the command line answers; with any other one nothing came of the call.
ANSWERS = frozenset({0, 1, 3})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says.

    :ivar failed: nothing came of the call; the text says why.
    """

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    :ivar schema: JSON Schema of what it takes.
    :ivar reads: it changes no memory.
    """

    name: str
    description: str
    schema: Schema
    act: Callable[[Given, Common], Answer]
    reads: bool = True


def call(name: str, given: Given, common: Common) -> Answer:
    """What the tool of that name answers; errors are answers too, with code, message and hint."""
    try:
        tool = TOOLS.get(name)
        if tool is None:
            raise UsageError(f"There is no tool `{name}`.", hint=f"call one of {', '.join(TOOLS)}")
        return tool.act(_read(tool.schema, given), common)
    except Exception as error:
        return Answer(json.text(json.error_document(boundary.as_told(error))), failed=True)


def _answer(document: Mapping[str, object], status: int) -> Answer:
    return Answer(json.text(document), failed=status not in ANSWERS)


# --- the tools ----------------------------------------------------------------------------------


def _remember(given: Given, common: Common) -> Answer:
    from memdir_cli.operations.remember import remember

    # no person types here, whatever stdin is; and no command line was typed
    spoken = replace(writing.provenance(_group(Said, given), person=False), command_line="")
    stated = writing.statement(given["key"], given.get("value"), _group(Saying, given), spoken)
    answer = remember(open_here(common, ask_git=True), replace(stated, body=given.get("body")))
    return _answer(json.write(answer), answer.exit_status)


def _get(given: Given, common: Common) -> Answer:
    from memdir_cli.operations.get import get

    asked = _group(Reading, given)
    level, _ = words.scope(asked.scope)
    answer = get(open_here(common, asked), given["key"], level, ignored=reading.ignored(asked=False))
    return _answer(answer.document(), answer.exit_status)


def _explain(given: Given, common: Common) -> Answer:
    from memdir_cli.operations.explain import explain

    asked = _group(Reading, given)
    level, _ = words.scope(asked.scope)
    answer = explain(open_here(common, asked), given["key"], level, ignored=reading.ignored(asked=False))
    return _answer(answer.document(), answer.exit_status)


def _context(given: Given, common: Common) -> Answer:
    from memdir_cli.domain.briefing import BUDGET
    from memdir_cli.operations.context import context

    asked = _group(Reading, given)
    level, _ = words.scope(asked.scope)
    budget, query = given.get("budget", BUDGET), given.get("query", "")
    answer = context(open_here(common, asked), budget, query, level, ignored=reading.ignored(asked=False))
    return Answer(answer.text)


def _search(given: Given, common: Common) -> Answer:
    from memdir_cli.domain.times import ago
    from memdir_cli.operations.search import search

    scope = given.get("scope")
    workplace = open_here(common, Reading(scope=scope))
    since = ago(given["max_age"], workplace.runtime.now) if "max_age" in given else ""
    named = (given.get("all", False), given.get("status"), scope, given.get("type"))
    wanted = reading.wanted(*named, since=since, dashes="")
    answer = search(workplace, given["text"], wanted, ignored=reading.ignored(asked=False))
    return _answer(answer.document(), answer.exit_status)


# --- what they take -----------------------------------------------------------------------------

#: Fields of a group that a tool spells otherwise, ``""`` for those that it does not take.
_SPELT = {"source": "from", "body_file": "", "authority": "", "ignore_memory": ""}

#: By JSON type, the type of Python that it arrives as.
_KINDS: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "array": list}


def _read(schema: Schema, given: Given) -> Given:
    """``given`` if it is what the schema says, without what is null; lists as tuples, numbers of options as texts.

    :raises UsageError: for anything else.
    """
    known: Schema = schema["properties"]
    told = {name: value for name, value in given.items() if value is not None}
    for name, value in told.items():
        if name not in known:
            raise UsageError(f"There is no argument `{name}`.", hint=f"the arguments: {', '.join(known)}")
        kind = known[name]["type"]
        is_one = isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
        if not is_one or (kind == "array" and not all(isinstance(one, str) for one in value)):
            raise UsageError(f"The argument `{name}` is no {kind}.", hint=f"give `{name}` as JSON {kind}")
        if isinstance(value, str) and not value.strip() and name not in _MAY_BE_EMPTY:
            raise UsageError(f"The argument `{name}` is empty.", hint=f"give `{name}` a value, or leave it out")
    for name in schema["required"]:
        if name not in told:
            raise UsageError(f"The argument `{name}` is missing.", hint=f"give `{name}`")
    return told


_MAY_BE_EMPTY = frozenset({"value", "body", "query"})


def _group(kind: type[Any], given: Given) -> Any:
    """One of the groups of options, from what was given."""
    found: dict[str, Any] = {}
    for field in fields(kind):
        name = _SPELT.get(field.name, field.name)
        if name and name in given:
            value = given[name]
            found[field.name] = tuple(value) if isinstance(value, list) else value
    if "if_revision" in found:
        found["if_revision"] = str(found["if_revision"])
    return kind(**found)


def _of_group(kind: type[Any]) -> Iterable[tuple[str, Schema]]:
    """Every option of a group, by its name here, as the command line declares it."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        name = _SPELT.get(field.name, field.name)
        if name:
            help_ = options.declared(field.name, kind.__name__)[2]
            yield name, _typed(hints[field.name], name, help_)


def _typed(kind: Any, name: str, help_: str) -> Schema:
    if kind == REPEATED:
        return {"type": "array", "items": {"type": "string"}, "description": help_}
    word = "integer" if name in {"if_revision", "budget"} else "boolean" if kind is bool else "string"
    return {"type": word, "description": help_}


def _schema(required: tuple[str, ...], *groups: type[Any], **own: str) -> Schema:
    properties = {name: _typed(bool if name == "all" else str, name, help_) for name, help_ in own.items()}
    for group in groups:
        properties.update(_of_group(group))
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


_KEY = "The key, such as `package_manager` or `gotcha.vite-hmr`."

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "remember",
            "Say a value for a key, with its scope and its source. The answer tells the decision: created, confirmed, "
            "superseded, conflicted, needs_decision, needs_scope, revision_conflict or refused, and what to do next.",
            _schema(
                ("key",),
                Saying,
                Said,
                key=_KEY,
                value="The value, kept character for character.",
                body="Markdown: why, details, examples.",
            ),
            _remember,
            reads=False,
        ),
        Tool(
            "get", "The one value that applies now, or why there is none.", _schema(("key",), Reading, key=_KEY), _get
        ),
        Tool(
            "explain",
            "Every contender for a key, and why it won or lost.",
            _schema(("key",), Reading, key=_KEY),
            _explain,
        ),
        Tool(
            "context",
            "What may be used here, as Markdown within a budget of characters; read it when you begin.",
            _schema(
                (),
                Reading,
                budget="At most so many characters; 10000 if left out.",
                query="What the work is about; the closest come first.",
            ),
            _context,
        ),
        Tool(
            "search",
            "Find memories by words of their text, the best first. They are candidates; only a key names a memory.",
            _schema(
                ("text",),
                text="Words to look for, in any order.",
                all="Candidates, quarantined, history, archive, other environments and versions too.",
                scope="Only user, repository, task or task:ID.",
                status="Only with this status.",
                type="Only of this type.",
                max_age="Only what was said or confirmed within this span: 1h, 30d.",
            ),
            _search,
        ),
    )
}
