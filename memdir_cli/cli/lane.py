"""A short way for the verbs that agents and git call all the time: no parser has to be imported for them.

It knows the plain spelling of each option, as :mod:`options` declares it, and nothing else. Whatever is spelt in
another way is left to the parser, which says the same of what both know. Imports next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: What a verb takes: arguments, one that may be left out (or ``""``), options of its own, groups of options.
Takes = tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]

_FILTERS = ("all", "status", "scope", "type")

#: All that `check` takes but paths, which may be any number.
_CHECKING = (
    "select", "ignore", "check_format", "baseline", "staged", "fix", "dry_run", "strict", "statistics",
)  # fmt: skip

#: The verbs of this way.
TAKES: dict[str, Takes] = {
    "get": (("key",), "", (), ("Reading", "Common")),
    "context": ((), "", ("budget", "query", "context_format"), ("Reading", "Common")),
    "list": ((), "", (*_FILTERS, "ignore_memory"), ("Common",)),
    "search": (("text",), "", (*_FILTERS, "max_age", "ignore_memory"), ("Common",)),
    "remember": (("key",), "value", (), ("Saying", "Said", "Common")),
    "correct": (("key",), "value", (), ("Saying", "Said", "Common")),
    "check": ((), "", _CHECKING, ("Common",)),
    "hook": (("event",), "", ("agent",), ("Common",)),
    "merge-driver": (("base", "ours", "theirs", "merged_path"), "", (), ("Common",)),
}

#: The fields of the groups of :mod:`request`, which is dear to import.
GROUPS: dict[str, tuple[str, ...]] = {
    "Common": ("json", "quiet", "dir", "lock_timeout"),
    "Reading": ("path", "topic", "env", "for_version", "scope", "ignore_memory"),
    "Saying": (
        "scope", "path", "topic", "env", "for_version", "private", "none", "type", "authority", "description",
        "body_file", "depends_on", "expires", "review_after", "replace", "if_revision", "after_forget",
    ),
    "Said": ("source", "said", "session", "message", "transcript"),
}  # fmt: skip

#: The parameter of a command that takes a group.
HOLDS = {"Common": "common", "Reading": "narrowed", "Saying": "saying", "Said": "said"}

#: Verbs of which the answer is kept, so that it can be given again.
REPEATING = frozenset({"get", "context", "list", "search"})

#: What may be given several times.
REPEATED = frozenset({"env", "depends_on"})


def run(words: Sequence[str]) -> int | None:
    """Run the command line and give its exit status, ``None`` if it is one for the parser."""
    if list(words) == ["--version"]:
        from memdir_cli import __version__
        from memdir_cli.cli import streams

        streams.say(f"memdir {__version__}")
        return 0
    given = parse(words)
    if given is None:
        return None
    if words[0] in REPEATING:
        from memdir_cli.cli import again

        status = again.repeated(words[0], given)
        if status is not None:
            return status
    from importlib import import_module

    command = import_module(f"memdir_cli.cli.commands.{words[0].replace('-', '_')}").command
    return int(command(**grouped(words[0], given)))


def parse(words: Sequence[str]) -> dict[str, Any] | None:
    """What is given, by parameter, and by the fields of groups; ``None`` if this is a command line for the parser."""
    if not words or words[0] not in TAKES:
        return None
    arguments, last, own, groups = TAKES[words[0]]
    given: dict[str, Any] = {}
    left = [*arguments, *([last] if last else [])]
    spelt = _spelt(own, groups)
    rest = list(words[:0:-1])
    while rest:
        word = rest.pop()
        if not word.startswith("-"):
            if not left:
                return None
            given[left.pop(0)] = word
            continue
        name, takes = spelt.get(word, ("", False))
        # what is empty is refused, which the parser does
        if not name or (takes and not (rest and rest[-1].strip())):
            return None
        if name in REPEATED:
            given[name] = (*given.get(name, ()), rest.pop())
        else:
            given[name] = rest.pop() if takes else True
    return given if left in ([], [last]) else None


def grouped(verb: str, given: dict[str, Any]) -> dict[str, Any]:
    """What the command of ``verb`` is called with."""
    from memdir_cli.cli import request

    alone, groups = dict(given), TAKES[verb][3]
    fields = {group: {name: alone.pop(name) for name in GROUPS[group] if name in alone} for group in groups}
    return {**alone, **{HOLDS[group]: getattr(request, group)(**fields[group]) for group in groups}}


def _spelt(own: Sequence[str], groups: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """By its spelling, the parameter that an option fills, and whether it takes a value."""
    from memdir_cli.cli.options import declared

    wanted = [("", name) for name in own] + [(group, name) for group in groups for name in GROUPS[group]]
    found: dict[str, tuple[str, bool]] = {}
    for group, name in wanted:
        spellings, takes, _, _ = declared(name, group)
        found |= dict.fromkeys(spellings, (name, bool(takes)))
    return found
