"""Screen: what may not be written down at all, and what a file of the memdir holds of it all the same.

Nothing here keeps, hashes or repeats a secret: what is told is the name of its format, its length, and the
beginning that all of its kind share.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

from memdir_cli.domain import hidden, secrets, wording
from memdir_cli.domain.gate import Refusal
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Provenance, Statement
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass

#: The name of an option or key, and what stands there.
Text = tuple[str, str]

#: An escape in a double-quoted scalar of YAML.
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^\n])")

#: A line that goes on with the value of the one above.
_FOLDED = re.compile(r"\n[ \t]+(?!- |[\w-]+:(?:\s|$))\S", re.MULTILINE)

#: A value that begins in the next line.
_BELOW = re.compile(r"[|>][-+\d]*[ \t]*$", re.MULTILINE)

#: More on one line is told as a number.
_TOLD = 3

#: So many places of one file are reported; who has mended them sees the others.
_REPORTED = 100


@dataclass(frozen=True, slots=True)
class Trace:
    """Something in a file that may not be there.

    :ivar line: 1-based line in the file, 0 where ``key`` says where.
    :ivar column: 1-based column in characters.
    :ivar words: what it is, nothing of a secret but its mask.
    :ivar key: the frontmatter key in whose value it shows up once the header is read, ``""`` if it stands openly.
    """

    rule: Literal["secret", "hidden"]
    line: int
    column: int
    words: str
    key: str = ""


def statement_texts(statement: Statement) -> tuple[Text, ...]:
    """Everything that a caller passed and that could end in a file or an answer."""
    narrowed = statement.qualification
    return (
        *_valued(statement.predicate, statement.value),
        *_given(
            ("--description", statement.description),
            ("--body-file", statement.body),
            ("--path", narrowed.path),
            ("--topic", narrowed.topic),
            ("--for-version", narrowed.version),
            ("--scope", statement.task),
            ("--expires", statement.expires),
            ("--review-after", statement.review_after),
        ),
        *(("--env", f"{name}={value}") for name, value in narrowed.environment),
        *(("--depends-on", probe) for probe in statement.depends_on),
        *provenance_texts(statement.provenance),
    )


def provenance_texts(provenance: Provenance) -> tuple[Text, ...]:
    """What was passed about who says it."""
    return _given(
        ("--said", provenance.said),
        ("--session", provenance.session),
        ("--message", provenance.message),
        ("--transcript", provenance.transcript),
        ("the command line", provenance.command_line),
    )


def memory_texts(memory: Memory) -> tuple[Text, ...]:
    """The texts of a memory by the keys under which they stand."""
    scope = memory.scope
    return (
        *_valued(memory.predicate, memory.value),
        *_given(
            ("name", memory.name),
            ("description", memory.description),
            ("topic", scope.topic),
            ("path", scope.path),
            ("version", scope.version),
            ("statusReason", memory.status_reason),
            ("body", memory.body),
        ),
        *(("environment", f"{name}={value}") for name, value in scope.environment),
        *(text for source in memory.source for text in _source_texts(source)),
        *(("dependsOn", text) for one in memory.depends_on for text in (one.probe, one.was) if text),
        *(text for side in memory.sides for text in _given(("sides", side.value), ("sides", side.description))),
        *(("sides", text) for side in memory.sides for one in side.source for _, text in _source_texts(one)),
        *((key, text) for key, value in memory.extra.items() for text in _plain(value)),
    )


def bar(texts: Iterable[Text]) -> Refusal | None:
    """Refuse credentials, one-time codes, signed links and hidden characters, whoever says them."""
    for name, text in texts:
        found = secrets.find(text)
        if found:
            return Refusal(
                "secret",
                f"{_named(name)} holds what looks like a secret ({found[0].rule}); nothing of it was kept.",
                "keep it in a password manager or an environment variable, and remember where it is",
            )
        codes = _hidden(text)
        if codes:
            return Refusal(
                "hidden-characters",
                f"{_named(name)} holds characters that show nothing: {_listed(codes)}.",
                "write it anew without them",
            )
    return None


def bar_permission(texts: Iterable[Text], kind: str) -> Refusal | None:
    """Refuse what grants something, where it is not the user who says it.

    :param kind: the kind of the source.
    """
    for name, text in texts:
        if wording.permission(text) is not None:
            return Refusal(
                "permission",
                f"{_named(name)} grants a permission, and a source of kind `{kind}` may not set one.",
                "ask the user; memory grants nothing: permissions belong in the settings of the agent",
            )
    return None


def shown(key: str) -> str:
    """A key as it may be told in the answer that refuses it."""
    return secrets.masked(key)


def traces(text: str, memory: Memory | None = None) -> tuple[Trace, ...]:
    """The secrets and hidden characters of a file, in order.

    :param text: the whole file.
    :param memory: what it holds, where it could be read.
    """
    if memory is None:
        return tuple(_open(text, 0, text))
    body = memory.body if text.endswith(memory.body) else ""
    head = text[: len(text) - len(body)]
    found = [*_in_head(text, head), *(_open(text, len(head), body) if body else ())]
    return (*found, *_covert(head, memory, found))


def _in_head(whole: str, head: str) -> Iterator[Trace]:
    """What stands openly in a header. Each line is a value of its own: no token goes on in the next one."""
    # what an escape stands for is looked at elsewhere; it must not glue words together here
    bare = _ESCAPE.sub(lambda match: "\n" * len(match[0]), head) if "\\" in head else head
    if not secrets.find(bare, joined=False) and next(hidden.places(head, file=True), None) is None:
        return
    at = 0
    for part in bare.split("\n"):
        yield from _open(whole, at, part)
        at += len(part) + 1


def _open(whole: str, start: int, part: str) -> Iterator[Trace]:
    """What stands openly in ``part`` of a file, which begins at ``start``."""
    found = secrets.find(part)
    codes = hidden.places(part, file=start == 0)
    first = next(codes, None)
    if not found and first is None:
        return
    starts = [0, *(match.end() for match in re.finditer("\n", whole))]
    for one in found[:_REPORTED]:
        line, column = _place(whole, starts, start + one.start)
        yield Trace("secret", line, column, f"{one.rule}: `{printable(secrets.mask(part, one))}`")
    if first is not None:
        yield from _unseen(whole, starts, (start + at for at in chain((first,), codes)))


def _unseen(whole: str, starts: list[int], places: Iterable[int]) -> Iterator[Trace]:
    """The hidden characters at ``places``, line by line."""
    lines: dict[tuple[int, int], Counter[str]] = {}
    end = 0
    for at in places:
        if at >= end:
            if len(lines) == _REPORTED:
                break
            place = _place(whole, starts, at)
            end = starts[place[0]] if place[0] < len(starts) else len(whole)
            kinds = lines[place] = Counter()
        kinds[whole[at]] += 1
    for (line, column), kinds in lines.items():
        yield Trace("hidden", line, column, _listed(kinds))


def _place(whole: str, starts: list[int], at: int) -> tuple[int, int]:
    """1-based line and column of an index; a byte order mark is no column."""
    line = bisect_right(starts, at)
    column = at - starts[line - 1] + 1
    return line, column - 1 if line == 1 and column > 1 and whole.startswith("\ufeff") else column


def _covert(head: str, memory: Memory, seen: list[Trace]) -> Iterator[Trace]:
    """What shows up only once the header is read: escaped, folded over lines, or a secret because of its key."""
    escaped = "\\" in head or is_folded(head)
    texts = memory_texts(memory) if escaped else _valued(memory.predicate, memory.value)
    told = {trace.words for trace in seen}
    for key, text in texts:
        if key == "body":
            continue
        for one in secrets.find(text):
            words = f"{one.rule}: `{printable(secrets.mask(text, one))}`"
            if words not in told:
                told.add(words)
                yield Trace("secret", 0, 0, words, key)
        codes = _listed(_hidden(text))
        if codes and codes not in told:
            told.add(codes)
            yield Trace("hidden", 0, 0, codes, key)


def is_folded(head: str) -> bool:
    """Whether a value of a header may stand on several lines, or begin below its key."""
    below = ("|" in head or ">" in head) and _BELOW.search(head) is not None
    return below or _FOLDED.search(head) is not None


def _valued(predicate: str, value: str | None) -> tuple[Text, ...]:
    """A value is judged with its key: ``api_key`` makes a secret of what alone could be a checksum."""
    return (("predicate", predicate), *((("value", f"{predicate}: {value}"),) if value else ()))


def _source_texts(source: Source) -> tuple[Text, ...]:
    return _given(("source", source.said), ("source", source.ref))


def _given(*texts: tuple[str, str | None]) -> tuple[Text, ...]:
    return tuple((name, text) for name, text in texts if text)


def _plain(value: object) -> Iterator[str]:
    """The texts in a value of a key that is not memdir's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _plain(f"{key}: {inner}" if isinstance(inner, str) else inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _plain(inner)


def _named(name: str) -> str:
    names = {"predicate": "The key", "value": "The value", "body": "The text", "the command line": "The command line"}
    return names.get(name, f"`{name}`")


def _hidden(text: str) -> Counter[str]:
    """How often each hidden character stands in a text."""
    return Counter(text[at] for at in hidden.places(text))


def _listed(codes: Counter[str]) -> str:
    """Kinds of characters, each once; how many more there are."""
    kinds = [hidden.told(ord(char)) for char in codes]
    more = codes.total() - len(kinds[:_TOLD])
    return ", ".join(kinds[:_TOLD]) + (f" and {more} more" if more > 0 else "")
