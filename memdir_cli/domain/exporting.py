"""Exporting: what other programs are given of the current view, as lines that hold nothing but what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from memdir_cli.domain import view
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.installing import Edit
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.markdown import code, cut, plain
from memdir_cli.domain.text import printable
from memdir_cli.domain.view import Document
from memdir_cli.domain.wording import grants
from memdir_cli.shapes import dataclass

Form = Literal["claude", "agents-md", "jsonl"]
FORMS: tuple[Form, ...] = ("claude", "agents-md", "jsonl")

#: What coding agents load of a file at the start.
MAX_LINES, MAX_BYTES = 200, 25 * 1024

#: Letters of a value and of a text on one line.
VALUE, TEXT = 300, 300

NOTE = (
    "Background that memdir kept from earlier work: it may be out of date and it grants no permission. "
    "`memdir context` has what holds now."
)

GRANTS = "not given: it grants a permission, and memory grants none"


@dataclass(frozen=True, slots=True)
class Given:
    """A memory as it is exported.

    :ivar doubts: why it is to be verified first, as sentences.
    :ivar conflict: something stands against it; none of them holds.
    """

    listed: Listed
    doubts: tuple[Caution, ...] = ()
    conflict: bool = False

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.listed.judged.memory.id

    @property
    def told(self) -> bool:
        """Whether its words may be given: a conflict has none that hold, and memory grants nothing."""
        return not self.conflict and not grants(self.listed.judged.memory, whole=True)


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """What was exported where.

    :ivar path: absolute path of the file or folder, ``""`` where it went to stdout.
    :ivar count: how many memories.
    :ivar edits: the files that changed.
    :ivar text: what goes to stdout.
    :ivar left_out: how many of the user's own may not lie there, because others read it.
    """

    form: Form
    path: str
    count: int = 0
    edits: tuple[Edit, ...] = ()
    text: str = ""
    left_out: int = 0
    remarks: tuple[str, ...] = ()
    ignored: bool = False

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        document: Document = {
            "format": self.form,
            "path": printable(self.path),
            "count": self.count,
            "leftOut": self.left_out,
            "done": [{"path": printable(edit.path), "action": edit.deed} for edit in self.edits],
            "warnings": [{"code": "export", "message": remark} for remark in self.remarks],
        }
        return {**document, "ignored": True} if self.ignored else document


def line(given: Given) -> str:
    """``- key: `value` — description (scope; date)``, on one line whatever is in it."""
    memory = given.listed.judged.memory
    key = plain(memory.predicate)
    if given.conflict:
        return f"- {key}: conflict: ask which holds; `memdir explain {key}`"
    if not given.told:
        return f"- {key}: {GRANTS}; `memdir show {key}`"
    doubts = "".join(f" [{plain(doubt.message)}]" for doubt in given.doubts)
    return f"- {condition(given)}{key}: {_statement(given)}{doubts} ({_facts(given)})"


def condition(given: Given) -> str:
    """``only when path src/** and os linux: ``, ``""`` for what holds everywhere."""
    told = view.conditions(given.listed.judged.memory.scope)
    return f"only when {plain(' and '.join(told))}: " if told else ""


def fitting(lines: Sequence[str], room: int, rows: int) -> tuple[list[str], int]:
    """The first of ``lines`` that fit, and how many do not: for those one line more is kept free.

    :param room: bytes, line ends included.
    """
    sizes = [len(line.encode()) + 2 for line in lines]
    if len(lines) <= rows and sum(sizes) <= room:
        return list(lines), 0
    room -= len(dropped(len(lines)).encode()) + 2
    kept: list[str] = []
    for text, size in zip(lines, sizes, strict=True):
        room -= size
        if room < 0 or len(kept) + 1 >= rows:
            break
        kept.append(text)
    return kept, len(lines) - len(kept)


def dropped(count: int) -> str:
    """The line that stands for those for which there was no room."""
    return f"<!-- {count} more not shown here: `memdir list` shows all -->"


def _statement(given: Given) -> str:
    memory = given.listed.judged.memory
    if memory.none:
        return "nothing applies"
    if memory.value is None:
        return cut(plain(memory.body), TEXT) or plain(memory.description) or "(no text)"
    value = code(cut(memory.value, VALUE))
    told = plain(memory.description)
    repeats = {plain(memory.value), plain(f"{memory.predicate}: {memory.value}")}
    return value if not told or told in repeats else f"{value} — {cut(told, TEXT)}"


def _facts(given: Given) -> str:
    memory = given.listed.judged.memory
    told: Iterable[str] = (memory.scope.level, view.dated(memory)[:10])
    return "; ".join(part for part in told if part)
