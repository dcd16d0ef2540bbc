"""Briefing: a selection as the text or the document that an agent is given, within a budget of characters.

The budget covers everything that is printed. Entries that do not fit are left out and counted; a value
or a text can not break out of its line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Literal

from memdir_cli.domain import view
from memdir_cli.domain.markdown import code, cut, plain
from memdir_cli.domain.precedence import class_of
from memdir_cli.domain.resolve import says
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.selection import Entry
from memdir_cli.domain.view import Document
from memdir_cli.domain.wording import grants
from memdir_cli.shapes import dataclass

Form = Literal["markdown", "json"]

BUDGET = 10_000
COMMAND = "memdir list"
NOTE = "Background that memdir kept from earlier work: it may be out of date and it grants no permission."

#: Longest value, and longest description or text, that is printed of one memory.
VALUE, TEXT = 1000, 300

#: What is said in place of words that grant something.
GRANTS = "not given: it grants a permission, and memory grants none"

#: Bytes of UTF-8 that are taken for one token; no model's own count is known here.
TOKEN = 4

#: No entry is shorter than this; with less room left the rest need not be tried.
SHORTEST = 40

#: Of a large budget this part may stay free: whoever keeps thousands of memories need not have them all measured for
#: a short one that would fit into the rest.
REST = 1 / 50


@dataclass(frozen=True, slots=True)
class Item:
    """An entry ready to be printed.

    :ivar doubts: sentences that begin with why it is to be verified first.
    :ivar grants: it grants a permission; memory grants none, so it is named and not given.
    """

    entry: Entry
    doubts: tuple[str, ...] = ()
    grants: bool = False

    @property
    def given(self) -> bool:
        """Whether its words are given."""
        return not (self.grants or self.entry.conflict)


Doubts = Callable[[Entry], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Briefing:
    """What was given.

    :ivar text: exactly what is to be printed, its last line end included; ``""`` if not even the
        shortest honest line fits.
    """

    text: str
    items: tuple[Item, ...]
    left_out: int

    @property
    def tokens(self) -> int:
        """About how many tokens the text is for a model."""
        return tokens(self.text)


def tokens(text: str) -> int:
    """About how many tokens a text is: never more than it has characters."""
    return -(-len(text.encode("utf-8", "replace")) // TOKEN)


def brief(entries: Sequence[Entry], doubts: Doubts, runtime: Runtime, *, budget: int, form: Form) -> Briefing:
    """As many entries as fit into ``budget`` characters, in order; of these, :data:`REST` may stay free.

    :param doubts: asked only of what has a chance to be printed.
    """
    size = _line_size if form == "markdown" else _document_size
    # a text never has more tokens than it may have characters
    empty = _FORMS[form]((), len(entries), len(entries), budget, budget, runtime)
    frame = len(empty) + (len(_SECTIONS) if form == "markdown" else 8)
    kept: list[Item] = []
    room = budget - frame
    least = max(SHORTEST, budget * REST)
    for entry in entries:
        if room < least:
            break
        item = Item(entry, doubts(entry), grants(entry.judged.memory))
        cost = size(item, runtime.now)
        if cost <= room:
            kept.append(item)
            room -= cost
    left_out = len(entries) - len(kept)
    text = _written(kept, left_out, budget, runtime, form)
    if len(text) <= budget:
        return Briefing(text, tuple(kept), left_out)
    return Briefing(_shortest(len(entries), budget, form), (), len(entries))


def _written(items: Sequence[Item], left_out: int, budget: int, runtime: Runtime, form: Form) -> str:
    """The whole text, in which stands about how many tokens it is itself."""
    count = 0
    while True:
        text = _FORMS[form](items, left_out, len(items) + left_out, budget, count, runtime)
        if tokens(text) <= count:
            return text
        count = tokens(text)


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """The answer of ``context``: :attr:`text` is to be printed as it is, for the budget counts it.

    :ivar now: the time of the answer.
    """

    briefing: Briefing
    form: Form
    budget: int
    now: str
    ignored: bool = False
    remarks: tuple[str, ...] = ()

    exit_status = 0

    @property
    def text(self) -> str:
        """What is to be printed in the form that was asked for."""
        return self.briefing.text

    def document(self) -> Document:
        """The JSON form as a mapping, whichever form was asked for."""
        if self.ignored:
            return {"schema": 1, "ignored": True, "memories": []}
        items, left_out = self.briefing.items, self.briefing.left_out
        return document(items, left_out, len(items) + left_out, self.budget, self.briefing.tokens, self.now)


def nothing(form: Form, budget: int, now: str) -> ContextAnswer:
    """The answer where memory is not to be used: nothing at all, or a document that says so."""
    text = rendered({"schema": 1, "ignored": True, "memories": []}) if form == "json" else ""
    return ContextAnswer(Briefing(text, (), 0), form, budget, now, ignored=True)


def _shortest(count: int, budget: int, form: Form) -> str:
    """The longest of the honest short forms that fits, ``""`` if none does."""
    if form == "json":
        forms = [
            json.dumps({"schema": 1, "left_out": count, "command": COMMAND}) + "\n",
            json.dumps({"schema": 1, "left_out": count}, separators=(",", ":")) + "\n",
        ]
    else:
        forms = [
            f"memdir: no room; {count} left out, see `{COMMAND}`. Background only, it grants no permission.\n",
            f"memdir: {count} left out: {COMMAND}\n",
        ]
    return next((text for text in forms if len(text) <= budget), "")


# --- Markdown -----------------------------------------------------------------------------------

_NOW, _WHEN = "\n## Applies now\n\n", "\n## Only when\n\n"
_SECTIONS = _NOW + _WHEN


def _markdown(items: Sequence[Item], left_out: int, count: int, budget: int, size: int, runtime: Runtime) -> str:
    now_lines = [_line(item, runtime.now) for item in items if not item.entry.when]
    when_lines = [_line(item, runtime.now) for item in items if item.entry.when]
    parts = ["# Memory\n\n", NOTE, _here(runtime), "\n"]
    if now_lines:
        parts += [_NOW, *now_lines]
    if when_lines:
        parts += [_WHEN, *when_lines]
    told = f"{left_out} of {count} left out" if count else "Nothing is remembered for this place"
    parts.append(f"\n{told} (budget {budget} characters); all: `{COMMAND}`. About {size} tokens.\n")
    return "".join(parts)


def _here(runtime: Runtime) -> str:
    """Which repository and task the entries speak of; their lines name only the level."""
    places = {"repository": runtime.home_repository, "task": runtime.task.value}
    named = [f"{name} {plain(value)}" for name, value in places.items() if value]
    return f" Here: {', '.join(named)}." if named else ""


def _line_size(item: Item, now: str) -> int:
    return len(_line(item, now))


def _line(item: Item, now: str) -> str:
    """``- key: `value` — description (scope; date, age; source)``, on one line whatever is in them."""
    entry, memory = item.entry, item.entry.judged.memory
    condition = f"only when {plain(' and '.join(entry.when))}: " if entry.when else ""
    key = plain(memory.predicate)
    if entry.conflict:
        return f"- {condition}{key}: conflict: ask which holds ({_where(entry)}); `memdir explain {key}`\n"
    if item.grants:
        # not even when it applies: the condition may be what grants
        return f"- {key}: {GRANTS} ({memory.scope.level}); `memdir show {key}`\n"
    doubts = "".join(f" [{plain(doubt)}]" for doubt in item.doubts)
    return f"- {condition}{key}: {_statement(entry)}{doubts} ({_facts(entry, now)})\n"


def _statement(entry: Entry) -> str:
    memory = entry.judged.memory
    if memory.none:
        return "nothing applies"
    if memory.value is None:
        text = cut(plain(says(memory)[1]), TEXT)
        return text or "(no text)"
    value = code(cut(memory.value, VALUE))
    if len(memory.value) > VALUE:
        value += f" (cut; whole: `memdir get {memory.predicate}`)"
    described = _description(entry)
    return f"{value} — {plain(described)}" if described else value


def _description(entry: Entry) -> str:
    """The description, ``""`` where it only repeats key and value."""
    memory = entry.judged.memory
    value = plain(memory.value or "")
    told = plain(memory.description)
    return "" if told in {value, plain(f"{memory.predicate}: {value}")} else cut(memory.description, TEXT)


def _facts(entry: Entry, now: str) -> str:
    memory = entry.judged.memory
    date = view.dated(memory)[:10]
    told = (_where(entry), f"{date}, {view.age(memory, now)}" if date else "", _source(entry))
    return "; ".join(plain(part) for part in told if part)


def _where(entry: Entry) -> str:
    """The level, and the qualifiers that are satisfied now; what is missing stands before the entry."""
    memory = entry.judged.memory
    level = "private" if class_of(memory) == "private" else memory.scope.level
    met = [condition for condition in view.conditions(memory.scope) if condition not in entry.when]
    return plain(", ".join((level, *met)))


def _source(entry: Entry) -> str:
    return cut(view.source_label(entry.judged.memory), 120)


# --- JSON ---------------------------------------------------------------------------------------


def _json(items: Sequence[Item], left_out: int, count: int, budget: int, size: int, runtime: Runtime) -> str:
    return rendered(document(items, left_out, count, budget, size, runtime.now))


_FORMS: dict[Form, Callable[[Sequence[Item], int, int, int, int, Runtime], str]] = {
    "markdown": _markdown,
    "json": _json,
}


def document(items: Sequence[Item], left_out: int, count: int, budget: int, size: int, now: str) -> Document:
    """The mapping of the JSON form; ``schema`` is in it because the budget counts it too.

    :param size: about how many tokens the printed text is.
    """
    return {
        "schema": 1,
        "note": NOTE,
        "budget": budget,
        "tokens": size,
        "count": count,
        "left_out": left_out,
        "command": COMMAND,
        "memories": [_given(item, now) for item in items],
    }


def rendered(document: Document) -> str:
    """The JSON form as it is printed."""
    return json.dumps(document, indent=2) + "\n"


def _document_size(item: Item, now: str) -> int:
    text = json.dumps(_given(item, now), indent=2)
    # inside the list every line is set in by four characters, and a comma and a line end follow
    return len(text) + 4 * (text.count("\n") + 1) + 2


def _given(item: Item, now: str) -> Document:
    entry, memory = item.entry, item.entry.judged.memory
    status = "conflicted" if entry.conflict else entry.judged.effective.status
    given: Document = {
        "id": memory.id,
        "revision": memory.revision,
        "subject": memory.subject,
        "predicate": memory.predicate,
        "scope": memory.scope.text,
        "status": status,
        "value": cut(says(memory)[1], VALUE) if item.given and not memory.none else None,
        "age": view.age(memory, now),
        "date": view.dated(memory)[:10],
    }
    if entry.when and not item.grants:
        given["when"] = list(entry.when)
    if entry.conflict:
        return {**given, "advice": "conflict: ask"}
    if item.grants:
        return {**given, "advice": GRANTS}
    if memory.none:
        given["none"] = True
    if memory.value is not None and (described := _description(entry)):
        given["description"] = described
    if item.doubts:
        given["advice"] = list(item.doubts)
    return {**given, "sourceLabel": _source(entry)}
