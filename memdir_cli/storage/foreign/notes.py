"""Notes: one memory a file, with a header or without one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir_cli.domain import memory
from memdir_cli.domain.foreign import TYPES, Entry, Reach, Unread
from memdir_cli.domain.glob import parse_glob
from memdir_cli.domain.memory import Type
from memdir_cli.errors import UsageError
from memdir_cli.shapes import replace
from memdir_cli.storage import codec
from memdir_cli.storage.codec.fences import parted
from memdir_cli.storage.codec.scalars import Value
from memdir_cli.storage.foreign.sheet import Parts, Sheet, moment, without_ours, word
from memdir_cli.storage.signed_block import is_own_page

#: Reasons for which a file is left alone: it is memdir's own, holds nothing, or is an index.
LEFT = frozenset({"own", "empty", "index"})

#: Keys that only a memory file of memdir's has together.
_OWN = frozenset({"id", "subject", "predicate", "status"})

#: The key that memdir leaves in what it exports.
EXPORTED = "memdir"

_LINE = re.compile(r"(\w+):[ \t]*(.*?)[ \t\r]*$")
_BRACES = re.compile(r"\{([^{}]*)\}")


def note(sheet: Sheet) -> Iterator[Entry | Unread]:
    """A file whose header may name it; otherwise its path does."""
    yield _entry(sheet, *sheet.parts())


def page(sheet: Sheet) -> Iterator[Entry | Unread]:
    """A file that its path names, whatever its header says."""
    found = _entry(sheet, *sheet.parts())
    yield replace(found, name=sheet.names) if isinstance(found, Entry) else found


def rule(sheet: Sheet) -> Iterator[Entry | Unread]:
    """A rule of Cursor. Its header is no YAML (``globs: *.ts``), so that lines are taken as they stand."""
    try:
        parts = sheet.parts()
    except codec.Malformed as error:
        lines = _by_lines(sheet)
        if lines is None or error.reason == "conflict-markers":
            raise
        parts = lines
    found = _entry(sheet, *parts)
    if isinstance(found, Unread):
        yield found
        return
    values = parts[0]
    globs = [] if word(values, "alwaysApply").lower() == "true" else _globs(values.get("globs", ""))
    bound = _bound(globs)
    description = found.description
    if globs and not bound:
        description = f"Only for {', '.join(globs)}: {description}".removesuffix(": ")
    yield replace(found, name=sheet.names, type="project-rule", glob=bound, description=description)


def _entry(
    sheet: Sheet, values: dict[str, Value], body: str, line: int = 1, remarks: tuple[str, ...] = ()
) -> Entry | Unread:
    if values.keys() >= _OWN or EXPORTED in values or is_own_page(sheet.content):
        return Unread(sheet.whole, "own", "It is memdir's own.")
    text = without_ours(body).strip("\n")
    if body.strip() and not text:
        return Unread(sheet.whole, "own", "It is a list of memdir's.")
    description = word(values, "description")
    if not text.strip() and not description:
        return Unread(sheet.whole, "empty", "It holds no text.")
    title = word(values, "name", "title")
    kind = word(values, "type").lower()
    return Entry(
        path=sheet.whole,
        line=line,
        original=without_ours(sheet.text),
        name=(title,) if title else sheet.names,
        value=None if text.strip() else description,
        description=description or _first_line(text),
        body=f"{text}\n" if text.strip() else "",
        type=_type(kind),
        reach=_reach(kind, word(values, "scope").lower()),
        at=moment(values),
        session=word(values, "originSessionId"),
        id=word(values, "id"),
        remarks=remarks,
        supersedes=_listed(values.get("supersedes", "")),
    )


def _type(kind: str) -> Type | None:
    own: dict[str, Type] = {one: one for one in memory.TYPES}
    return TYPES.get(kind) or own.get(kind)


def _reach(kind: str, scope: str) -> Reach:
    if scope == "global":
        return "everywhere"
    return "personal" if kind == "user" else "project"


def _first_line(text: str) -> str:
    line = next((line for line in text.split("\n") if line.strip(" #-*>")), "")
    return " ".join(line.strip(" #").split())


def _by_lines(sheet: Sheet) -> Parts | None:
    """Header and text of a file whose header is lines of ``key: anything``, ``None`` if it has no header."""
    head, body = (part.decode() for part in parted(sheet.text.encode()))
    if not head:
        return None
    values: dict[str, Value] = {}
    for line in head.split("\n"):
        told = _LINE.match(line)
        if told:
            values[told[1]] = told[2].strip("\"'")
    return values, body, 1 + head.count("\n"), ()


def _globs(value: Value) -> list[str]:
    """The patterns of a rule, as globs of ours: a name alone is meant at any depth."""
    texts = value if isinstance(value, list) else str(value).strip("[]").split(",") if isinstance(value, str) else []
    found: list[str] = []
    for text in _joined([str(text) for text in texts]):
        plain = text.strip(" \"'").removeprefix("./").removeprefix("/")
        found += [glob if "/" in glob else f"**/{glob}" for glob in _expanded(plain)]
    whole = {"**/*", "**/**", "**/"}
    return [] if any(glob in whole for glob in found) else [*dict.fromkeys(found)]


def _joined(parts: list[str]) -> list[str]:
    """``parts`` of a text that was cut at its commas, without cuts inside of braces."""
    found: list[str] = []
    for part in parts:
        if found and found[-1].count("{") > found[-1].count("}"):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return [part for part in found if part.strip(" \"'")]


def _expanded(glob: str) -> list[str]:
    """``glob`` without braces: one for each word in the first of them."""
    match = _BRACES.search(glob)
    if match is None:
        return [glob]
    return [glob[: match.start()] + word.strip() + glob[match.end() :] for word in match[1].split(",")]


def _bound(globs: list[str]) -> str:
    """The one glob that can be a scope, ``""`` if there are several or it is none."""
    if len(globs) != 1:
        return ""
    try:
        return parse_glob(globs[0])
    except UsageError:
        return ""


def _listed(value: Value) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else str(value).split(",") if isinstance(value, str) else []
    return tuple(text.strip() for text in map(str, texts) if text.strip())
