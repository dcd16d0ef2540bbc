"""What every verb takes, read from its declaration, and command lines made from it.

Nothing here knows a verb that it was not told of by the table of commands; but what a verb takes must be said to be
harmless, or a file that is read or made, before anything hostile is tried for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from memdir_cli.cli.app import load

#: Verbs that never end by themselves, and where they are tried instead.
ENDLESS = {"watch": "tests/cli/test_watch.py", "mcp": "tests/cli/test_mcp.py"}

#: Parameters that are words for memdir alone: no file is opened by such a name.
WORDS = frozenset(
    {
        "agent", "as_of", "authority", "budget", "code", "cold", "depends_on", "description", "env", "event", "expires",
        "export_form", "check_format", "context_format", "health_format", "isolated_ref", "released_ref",
        "optional_ref", "shell",
        "fail_on", "for_version", "forgotten_ref", "form", "if_revision", "ignore", "keep", "key",
        "lock_timeout", "max_age", "message", "month", "name", "origin", "path", "paths", "query", "reason", "ref",
        "repository_id", "review_after", "said", "scope", "select", "session", "source", "status", "subject",
        "superseded_by", "target",
        "text", "topic", "type", "value",
    }
)  # fmt: skip

#: Parameters that name a file or a folder to be read, wherever it lies.
READ = frozenset({"body_file", "dir", "source_path", "transcript", "transcripts"})

#: Parameters that name a file or a folder which is made, because it was asked for.
MADE = frozenset({"baseline", "output", "target_path", "init.dir"})

#: By parameter, what it is given where it is not the one that is tried; ``verb.parameter`` goes first.
PLAIN: Mapping[str, str] = {
    "key": "lint", "ref": "lint", "forgotten_ref": "lint", "value": "v", "keep": "k", "source": "user",
    "said": "keep it", "session": "s1", "message": "m1", "remember.scope": "repository", "correct.scope": "repository",
    "narrow.topic": "css", "event": "prompt", "agent": "claude", "form": "markdown", "source_path": "notes",
    "target": "git", "text": "eslint", "optional_ref": "lint", "isolated_ref": "lint", "released_ref": "lint",
    "shell": "zsh", "reason": "why",
    "export_form": "jsonl", "target_path": "-",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a verb takes a text for.

    :ivar spelt: the option, ``""`` for an argument.
    """

    verb: str
    name: str
    spelt: str
    required: bool

    @property
    def id(self) -> str:
        return f"{self.verb}.{self.name}"

    @property
    def makes(self) -> bool:
        """Whether a file is made by that name."""
        return self.id in MADE or self.name in MADE

    @property
    def reads(self) -> bool:
        """Whether a file of that name is read, whatever it holds."""
        return self.name in READ and not self.makes

    @property
    def known(self) -> bool:
        """Whether it is said what the text means."""
        return self.makes or self.reads or self.name in WORDS


@cache
def parameters(verb: str) -> tuple[Parameter, ...]:
    """All that ``verb`` takes a text for, arguments first; read from its declaration."""
    declared: list[Any] = [one for one in load(verb).params if not getattr(one, "is_flag", False)]
    found = [
        Parameter(verb, one.name, "" if one.param_type_name == "argument" else one.opts[0], bool(one.required))
        for one in declared
    ]
    return tuple(sorted(found, key=lambda one: bool(one.spelt)))


def line(verb: str, tried: str = "", text: str = "") -> list[str]:
    """A command line of ``verb`` that does something, with ``text`` for the parameter ``tried``."""
    words, arguments = [verb], []
    for one in parameters(verb):
        plain = PLAIN.get(one.id, PLAIN.get(one.name, "k" if one.required else None))
        given = text if one.name == tried else plain
        if given is None:
            continue
        if one.spelt:
            words += [one.spelt, given]
        else:
            arguments.append(given)
    return [*words, "--", *arguments] if arguments else words


def stays_below(root: Path, cwd: Path, name: str) -> bool:
    """Whether a file of this name, seen from ``cwd``, lies below ``root``: elsewhere a test makes none."""
    return os.path.normpath(os.path.join(cwd, name)).startswith(f"{root}{os.sep}")
