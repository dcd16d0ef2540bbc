"""Reading: every file of a place by the reader that its tool and its name call for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from memdir_cli.domain.foreign import Entry, Form, Found, Unread
from memdir_cli.errors import FaultError
from memdir_cli.storage.codec import Malformed
from memdir_cli.storage.codec.fences import FILE_LIMIT
from memdir_cli.storage.foreign import instructions, notes, structured
from memdir_cli.storage.foreign.places import files, places
from memdir_cli.storage.foreign.sheet import Sheet
from memdir_cli.storage.reading import read_file

Part = Entry | Unread

Reader = Callable[[Sheet], Iterable[Part]]

#: By form, the readers of files with certain names, ``""`` that of all others.
READERS: Mapping[Form, Mapping[str, Reader]] = {
    "claude": {"MEMORY.md": instructions.index, "": notes.note},
    "serena": {"": notes.page},
    "cline": {"": notes.page},
    "cursor": {"": notes.rule},
    "codex": {"MEMORY.md": instructions.handbook, "memory_summary.md": instructions.instructions, "": notes.note},
    "basic-memory": {"": structured.vault},
    "agent-memory-git": {"": notes.note},
    "mcp": {"": structured.graph},
    "markdown": {"": notes.page},
}

#: Files of instructions to an agent, whatever the form: each of their bullets is one.
INSTRUCTIONS = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md"})

#: What Codex keeps to make its memories from.
RAW = ("raw_memories.md", "rollout_summaries/")


def read(form: Form, path: str, environ: Mapping[str, str]) -> Found:
    """What lies at ``path``, or in the usual places there.

    :raises UsageError: if nothing is there.
    """
    parts: list[Part] = []
    left: list[Unread] = []
    for place in places(form, path, environ):
        for file in files(form, place):
            if isinstance(file, Unread):
                parts.append(file)
                continue
            whole = os.path.join(*file)
            if form == "codex" and file[1].startswith(RAW):
                left.append(Unread(whole, "raw", "It is material from which Codex makes its memories."))
                continue
            parts += _read(form, *file)
    left += [part for part in parts if isinstance(part, Unread) and part.reason in notes.LEFT]
    unread = [part for part in parts if isinstance(part, Unread) and part.reason not in notes.LEFT]
    entries = _current([part for part in parts if isinstance(part, Entry)])
    return Found(tuple(entries), tuple(unread), tuple(left))


def _read(form: Form, root: str, path: str) -> list[Part]:
    whole = os.path.join(root, path)
    try:
        content = read_file(root, path, limit=FILE_LIMIT)
        if content is None:
            return []
        sheet = Sheet(whole, path, content)
        name = os.path.basename(path)
        by_name = READERS[form]
        reader = instructions.instructions if name in INSTRUCTIONS else by_name.get(name, by_name[""])
        return list(reader(sheet))
    except Malformed as error:
        return [Unread(whole, error.reason, error.message, error.line, error.column)]
    except FaultError as error:
        return [Unread(whole, error.code, error.message)]


def _current(entries: list[Entry]) -> list[Entry]:
    """``entries`` without those that another one of them says it replaces."""
    replaced = {old for entry in entries for old in entry.supersedes}
    return [entry for entry in entries if entry.id not in replaced]
