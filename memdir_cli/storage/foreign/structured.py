"""Structured: notes of basic-memory with observations and relations, and the graph of the MCP memory server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from memdir_cli.domain.foreign import VALUE_LETTERS, Entry, Unread
from memdir_cli.shapes import replace
from memdir_cli.storage.foreign import notes
from memdir_cli.storage.foreign.sheet import Sheet, lines_of_others, moment, tells, word

_OBSERVATION = re.compile(r"\s*[-*][ \t]+\[([^\[\]()xX\s-][^\[\]()]*)\][ \t]+(\S.*)$")
_RELATION = re.compile(r"\s*[-*][ \t]+(\S[^\[\]]*?)[ \t]*\[\[([^\[\]]+)\]\](.*)$")


def vault(sheet: Sheet) -> Iterator[Entry | Unread]:
    """A note of basic-memory: each observation and relation for itself, then the text around them."""
    found = next(notes.note(sheet))
    if isinstance(found, Unread):
        yield found
        return
    values, body, first, _ = sheet.parts()
    title = word(values, "title") or sheet.names[-1]
    rest: list[str] = []
    taken = False
    for number, line in lines_of_others(body, first):
        told = _OBSERVATION.match(line) or _RELATION.match(line)
        if told is None:
            rest.append(line)
            continue
        taken = True
        yield _said(sheet, number, line, (title, told[1]), told[2].strip(), moment(values))
    text = "\n".join(rest)
    if any(map(tells, rest)):
        yield replace(found, body=f"{text.strip()}\n", original=text)
    elif not taken:
        # headings over what was taken out say nothing more; those of a note that has nothing else are what it says
        yield found


def graph(sheet: Sheet) -> Iterator[Entry | Unread]:
    """The lines of a ``memory.jsonl``: an entity with what was observed of it, or how two entities are related."""
    for number, line in enumerate(sheet.text.split("\n"), start=1):
        if line.strip():
            yield _node(sheet, number, line)


def _node(sheet: Sheet, number: int, line: str) -> Entry | Unread:
    try:
        told: Any = json.loads(line)
    except (ValueError, RecursionError):
        return Unread(sheet.whole, "bad-json", "The line is no JSON.", number, 1)
    kind = told.get("type") if isinstance(told, dict) else None
    if kind == "relation" and all(_is_word(told.get(key)) for key in ("from", "to", "relationType")):
        return _said(sheet, number, line, (told["from"], told["relationType"]), told["to"], "")
    if kind == "entity" and _is_word(told.get("name")):
        observed = told.get("observations")
        seen = [one.strip() for one in observed if _is_word(one)] if isinstance(observed, list) else []
        about = told["entityType"] if _is_word(told.get("entityType")) else "entity"
        if not seen:
            return Unread(sheet.whole, "empty", f"`{told['name']}` has no observations.", number, 1)
        value = seen[0] if len(seen) == 1 and len(seen[0]) <= VALUE_LETTERS else None
        return Entry(
            path=sheet.whole,
            line=number,
            original=line,
            name=(told["name"],),
            value=value,
            description=f"{told['name']} ({about})",
            body="" if value else "".join(f"- {one}\n" for one in seen),
            type="fact",
        )
    return Unread(sheet.whole, "bad-entry", "The line is neither an entity nor a relation.", number, 1)


def _said(sheet: Sheet, line: int, original: str, name: tuple[str, ...], text: str, at: str) -> Entry:
    short = len(text) <= VALUE_LETTERS
    return Entry(
        path=sheet.whole,
        line=line,
        original=original.strip(),
        name=name,
        value=text if short else None,
        description=f"{name[0]}: {text}",
        body="" if short else f"{text}\n",
        type="fact",
        at=at,
    )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
