"""Places: where each tool keeps its memories, and which files there may hold some."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from memdir_cli.domain.foreign import Form, Unread
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.storage.layout import join
from memdir_cli.storage.reading import list_folder

#: From the root of a project, or of the tool's own folder: where its memories usually lie.
USUAL: Mapping[Form, tuple[str, ...]] = {
    "claude": (
        ".claude/agent-memory",
        ".claude/agent-memory-local",
        "CLAUDE.md",
        "CLAUDE.local.md",
        ".claude/CLAUDE.md",
    ),
    "serena": (".serena/memories",),
    "cline": ("memory-bank", ".clinerules"),
    "cursor": (".cursor/rules", ".cursorrules"),
    "codex": (".codex/memories", "memories", "AGENTS.md"),
    "basic-memory": (),
    "agent-memory-git": ("memories",),
    "mcp": ("memory.jsonl", "memory.json"),
    "markdown": (),
}

_PAGES = (".md", ".markdown")
SUFFIXES: Mapping[Form, tuple[str, ...]] = {"cursor": (".mdc", *_PAGES), "mcp": (".jsonl", ".json")}

#: Folders in which nobody keeps memories, however many pages lie there.
PASSED_OVER = frozenset({"node_modules", ".git", ".memdir", ".venv"})

#: Deeper folders are not looked into.
DEPTH = 16

#: A place with more files and folders is none in which a tool keeps memories, but a home or a disk.
ENTRIES = 20_000


def places(form: Form, path: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The files and folders to read: the usual places in ``path``, else ``path`` itself. Absolute real paths.

    :raises UsageError: if there is nothing at ``path``.
    """
    whole = "" if "\0" in path else os.path.realpath(path)
    if not os.path.exists(whole):
        raise UsageError(
            f"There is nothing at `{printable(path)}`.",
            code="no-such-path",
            hint="give the folder that holds the files",
        )
    usual = [os.path.join(whole, *place.split("/")) for place in USUAL[form]] if os.path.isdir(whole) else []
    if form == "claude":
        usual += [*_of_claude(whole, environ)]
    found = tuple(place for place in usual if os.path.exists(place) and not os.path.islink(place))
    return found or (whole,)


def files(form: Form, place: str) -> Iterator[tuple[str, str] | Unread]:
    """The files of a place that may hold memories, in order: folder and path in it; or why one is none."""
    if not os.path.isdir(place):
        yield os.path.dirname(place), os.path.basename(place)
        return
    suffixes = SUFFIXES.get(form, _PAGES)
    for number, path in enumerate(_below(place, "", DEPTH), start=1):
        if number > ENTRIES:
            raise UsageError(
                f"There are more than {ENTRIES} files and folders at `{printable(place)}`.",
                code="too-many-files",
                hint="give the folder in which the memories lie",
            )
        if isinstance(path, Unread):
            yield from [path] if path.path.endswith(suffixes) or path.reason not in _NO_FILE else []
        elif path.endswith(suffixes):
            yield place, path


#: What is passed over unless it is called like a file that holds memories.
_NO_FILE = frozenset({"link", "special", "folder"})


def _below(root: str, folder: str, depth: int) -> Iterator[str | Unread]:
    """All that lies in a folder and below: files by their paths, everything else with the reason."""
    try:
        entries = list_folder(root, folder)
    except FaultError as error:
        yield Unread(os.path.join(root, folder), error.code, error.message)
        return
    for entry in entries:
        path = join(folder, entry.name)
        if entry.kind == "file":
            yield path
        else:
            if entry.kind == "folder" and depth and entry.name not in PASSED_OVER:
                yield from _below(root, path, depth - 1)
            yield Unread(os.path.join(root, path), entry.kind, "It is no regular file.")


def _of_claude(top: str, environ: Mapping[str, str]) -> Iterator[str]:
    """The folder in which Claude Code keeps what it remembers of the project at ``top``."""
    home = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(environ.get("HOME", ""), ".claude")
    if os.path.isabs(home):
        yield os.path.join(home, "projects", re.sub(r"[^A-Za-z0-9]", "-", top), "memory")
