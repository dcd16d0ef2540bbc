"""Exported: the bytes that go into files of other programs, and those files without some of the memories.

A page of Claude's memory directory names its memory in the header key ``memdir``; a line of a block ends with the
id in a comment; a line of JSON has the key ``id``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence

from memdir_cli.domain import view
from memdir_cli.domain.exporting import MAX_BYTES, MAX_LINES, NOTE, Given, condition, dropped, fitting, line
from memdir_cli.domain.identity import stem
from memdir_cli.domain.markdown import cut, plain
from memdir_cli.domain.memory import Type
from memdir_cli.domain.rows import row, text_of
from memdir_cli.storage.codec.fences import parted
from memdir_cli.storage.codec.scalars import quote
from memdir_cli.storage.managed_block import Markers, inside, with_block, without_block

#: The index of Claude's memory directory.
INDEX = "MEMORY.md"

#: Between these lines stands what memdir wrote into a file of somebody else's.
BLOCK = Markers("<!-- memdir:export:begin -->", "<!-- memdir:export:end -->")

#: What Claude Code calls the types of its memories.
TYPES: dict[Type, str] = {
    "preference": "user",
    "project-rule": "feedback",
    "decision": "project",
    "fact": "project",
    "temporary": "project",
}

#: Letters of a description in the index.
HOOK = 160

_LINK = re.compile(r"\]\((memdir-[^()\s]+\.md)\) — ")
_ID = re.compile(r"<!-- ([0-9A-Za-z_-]+) -->$")


def page_name(given: Given) -> str:
    """The name of a memory's file in Claude's memory directory; ``~`` stands in no key."""
    record = given.listed.judged.record
    own = record.layer == "user"
    return f"memdir-{stem(record.memory.identity, repository=own)}{'~own' if own else ''}.md"


def page(given: Given) -> bytes:
    """The file of a memory in Claude's memory directory."""
    memory = given.listed.judged.memory
    header = {
        "name": memory.predicate,
        "description": plain(memory.description),
        "type": TYPES[memory.type],
        "memdir": memory.ref,
    }
    value = "Nothing applies here." if memory.none else memory.value
    only = condition(given).removesuffix(": ")
    facts = "; ".join(part for part in (memory.scope.level, view.dated(memory)[:10], view.source_label(memory)) if part)
    end = f"This file is written anew: `memdir correct {memory.predicate}` changes it."
    parts = [
        f"{only[0].upper()}{only[1:]}." if only else "",
        value,
        memory.body.strip("\n"),
        *(f"**{plain(doubt.message)}**" for doubt in given.doubts),
        f"Kept by memdir ({plain(facts)}). {NOTE} {end}",
    ]
    lines = "".join(f"{key}: {quote(text)}\n" for key, text in header.items())
    text = "\n\n".join(part for part in parts if part)
    return f"---\n{lines}---\n\n{text}\n".encode()


def index(standing: bytes | None, given: Sequence[Given]) -> bytes | None:
    """Claude's index with a line for every memory; ``None`` where nothing is left to stand there.

    What somebody else wrote there stays, and has the room that it takes.
    """
    lines = [_hook(one) for one in given]
    return _with_lines(standing, lines, () if standing is not None else ("# Memory", ""))


def block(standing: bytes | None, given: Sequence[Given]) -> bytes | None:
    """A file of instructions with a block of memories; ``None`` where nothing is left to stand there."""
    lines = [_line(one) for one in given]
    return _with_lines(standing, [NOTE, "", *lines] if lines else [], ())


def records(documents: Iterable[object]) -> bytes:
    """Lines of JSON."""
    texts = (json.dumps({"schema": 1, **document}, separators=(",", ":")) for document in documents)  # type: ignore[dict-item]
    return "".join(f"{text}\n" for text in texts).encode()


def are_records(content: bytes) -> bool:
    """Whether a file holds nothing but what :func:`records` writes."""
    return all(one.startswith(b'{"schema":1,') for one in content.splitlines())


def without_lines(
    content: bytes, ids: Collection[str], names: Collection[str] = (), texts: Collection[str] = ()
) -> bytes | None:
    """A file without the lines of some memories in our block; ``None`` if nothing at all is left of it.

    :param names: files to which those lines may lead.
    :param texts: what a line says that does not show any more of which memory it is.
    """
    head, rest = parted(content)
    lines = inside(rest, BLOCK)
    gone = {*ids, *names}
    kept = [text for text in lines if not ((name := _names(text)) in gone or (not name and _says(text, texts)))]
    if kept == lines:
        return content
    if any(text.startswith("- ") for text in kept):
        return head + with_block(rest, kept, BLOCK)
    return (head + without_block(rest, BLOCK)) or None


def without_records(content: bytes, ids: Collection[str]) -> bytes:
    """Lines of JSON without those of some memories."""
    return b"".join(one for one in content.splitlines(keepends=True) if text_of(row(one) or {}, "id") not in ids)


def _hook(given: Given) -> str:
    """The line of the index for a memory: where it leads, and what makes one follow it."""
    memory = given.listed.judged.memory
    if not given.told:
        return _line(given)
    hook = cut(plain(memory.description), HOOK)
    told = (hook, "verify first" if given.doubts else "", condition(given).removesuffix(": "))
    return f"- [{_escaped(memory.predicate)}]({page_name(given)}) — {'; '.join(part for part in told if part)}"


def _line(given: Given) -> str:
    return f"{line(given)} <!-- {given.id} -->"


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]<`])", r"\\\1", plain(text))


def _with_lines(standing: bytes | None, lines: Sequence[str], heading: Sequence[str]) -> bytes | None:
    head, rest = parted(standing or b"")
    own = head + without_block(rest, BLOCK)
    if not lines:
        return own or None
    room = MAX_BYTES - len(own) - len(BLOCK.begin) - len(BLOCK.end) - 4
    kept, more = fitting(lines, room, MAX_LINES - own.count(b"\n") - 2 - len(heading))
    if more:
        kept = [*kept, dropped(more)]
    whole = "".join(f"{text}\n" for text in heading).encode()
    return head + whole + with_block(rest, kept, BLOCK)


def speaks(content: bytes, ids: Collection[str], texts: Collection[str]) -> bool:
    """Whether a file has lines of some memories, or lines of no memory at all that say the same."""
    for one in content.splitlines():
        text = one.decode("utf-8", "replace")
        name = _names(text) or text_of(row(one) or {}, "id")
        if name in ids or _says(text, ids) or (not name and _says(text, texts)):
            return True
    return False


def _says(text: str, texts: Iterable[str]) -> bool:
    return any(one in text for one in texts)


def _names(text: str) -> str:
    """What a line of a block is about: the id at its end, or the file to which it leads."""
    found = _ID.search(text) or _LINK.search(text)
    return found[1] if found else ""
