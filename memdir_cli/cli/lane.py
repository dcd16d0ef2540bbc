"""A short way for the verbs that agents and git call all the time: no parser has to be imported for them.

Whatever is not spelt in the plainest way is left to the parser, which says the same of what both know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from importlib import import_module
from typing import Any

from memdir_cli.cli.request import Common, Reading

#: The verbs, and the arguments that each takes.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "get": ("key",),
    "context": (),
    "search": ("text",),
    "hook": ("event",),
    "merge-driver": ("base", "ours", "theirs", "merged_path"),
}

#: Every option, and the parameter that it fills.
FLAGS = {"--json": "json", "--quiet": "quiet", "-q": "quiet", "--ignore-memory": "ignore_memory", "--all": "all"}
VALUES = {
    "--path": "path",
    "--topic": "topic",
    "--for-version": "for_version",
    "--scope": "scope",
    "--status": "status",
    "--type": "type",
    "--max-age": "max_age",
    "--agent": "agent",
    "--dir": "dir",
    "--lock-timeout": "lock_timeout",
}
REPEATED = {"--env": "env"}

_COMMON = frozenset(field.name for field in fields(Common))
_READING = frozenset(field.name for field in fields(Reading))

#: What a verb takes that does not narrow as the group of reading options does.
_OWN = {
    "search": frozenset({"all", "status", "scope", "type", "max_age", "ignore_memory"}),
    "hook": frozenset({"agent"}),
    "merge-driver": frozenset(),
}


def run(words: Sequence[str]) -> int | None:
    """Run the command line and give its exit status, ``None`` if it is one for the parser."""
    request = parse(words)
    if request is None:
        return None
    command = import_module(f"memdir_cli.cli.commands.{words[0].replace('-', '_')}").command
    status: int = command(**request)
    return status


def parse(words: Sequence[str]) -> dict[str, Any] | None:
    """What the command of ``words[0]`` is called with, ``None`` if this is one for the parser."""
    if not words or words[0] not in ARGUMENTS:
        return None
    verb = words[0]
    typed = _typed(list(words[1:]), _COMMON | _OWN.get(verb, _READING))
    if typed is None:
        return None
    arguments, options = typed
    names = ARGUMENTS[verb]
    if len(arguments) != len(names):
        return None
    common = Common(**{name: options.pop(name) for name in _COMMON & options.keys()})
    own = options if verb in _OWN else {"narrowed": Reading(**options)}
    return {**dict(zip(names, arguments, strict=True)), **own, "common": common}


def _typed(words: list[str], known: frozenset[str]) -> tuple[list[str], dict[str, Any]] | None:
    """Arguments and options, ``None`` at the first word that is none of the ``known`` ones."""
    arguments: list[str] = []
    options: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            arguments.append(word)
        elif word in FLAGS:
            options[FLAGS[word]] = True
        elif word in VALUES and words and words[0].strip():
            options[VALUES[word]] = words.pop(0)
        elif word in REPEATED and words and words[0].strip():
            name = REPEATED[word]
            options[name] = (*options.get(name, ()), words.pop(0))
        else:
            return None
    return (arguments, options) if options.keys() <= known else None
