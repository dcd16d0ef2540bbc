"""What a shell may put in the place of a word that is being typed.

Only words that no shell gives a meaning to: a name in a file that somebody else wrote is never run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

Candidates = Callable[[str], Iterable[str]]

#: The variable in which a shell says that it wants candidates, and in which of its forms.
VARIABLE = "_MEMDIR_COMPLETE"

_PLAIN = re.compile(r"[\w.-]+")


def candidates(parameter: str) -> Candidates | None:
    """What stands for a parameter of :data:`memdir_cli.cli.options.DECLARED`, told for the beginning of a word."""
    named = BY_PARAMETER.get(parameter)
    if named is None:
        return None

    # typer looks at the names of what it calls
    def beginning_with(incomplete: str) -> list[str]:
        try:
            found = sorted(set(named()))
        except Exception:  # a shell that waits for candidates has no place for errors
            return []
        return [word for word in found if word.startswith(incomplete) and _PLAIN.fullmatch(word)]

    return beginning_with


def answer(group: Any, environ: Mapping[str, str]) -> int:
    """Print what the shell asks for in the environment, in its form."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return int(shell_complete(group, {}, "memdir", VARIABLE, environ[VARIABLE]))


def _keys() -> Iterator[str]:
    yield from (memory.predicate for memory in _memories(everything=False))


def _refs() -> Iterator[str]:
    for memory in _memories(everything=True):
        yield from (memory.predicate, memory.id)


def _isolated() -> Iterator[str]:
    yield from (memory.id for memory in _memories(everything=True, isolated=True))


def _memories(*, everything: bool, isolated: bool = False) -> Iterator[Any]:
    """What the memdirs of this place hold. Nothing in quarantine, but where that alone is asked for."""
    from memdir_cli.cli import reading
    from memdir_cli.cli.opening import open_here
    from memdir_cli.cli.request import Common
    from memdir_cli.domain.listing import Filter
    from memdir_cli.operations.list_memories import list_memories

    if reading.ignored(asked=False):
        return
    listed = list_memories(open_here(Common(quiet=True)), Filter(everything=everything)).memories
    for one in listed:
        if (one.judged.record.folder == "quarantine") == isolated:
            yield one.judged.memory


def _words(module: str, *names: str) -> Callable[[], Iterator[str]]:
    """The words of tables in a module, which is imported when they are asked for."""

    def listed() -> Iterator[str]:
        found = import_module(f"memdir_cli.{module}")
        for name in names:
            yield from getattr(found, name)

    return listed


def _rules() -> Iterator[str]:
    from memdir_cli.checks.registry import FAMILIES, RULES

    yield from (*FAMILIES, *(rule.code for rule in RULES))


#: By parameter; what is not here is for the shell, such as a path, or for the person.
BY_PARAMETER: dict[str, Callable[[], Iterator[str]]] = {
    "key": _keys, "ref": _refs, "optional_ref": _refs, "forgotten_ref": _refs, "isolated_ref": _refs,
    "released_ref": _isolated, "superseded_by": _refs, "code": _rules, "select": _rules, "ignore": _rules,
    "name": _words("cli.schemas.documents", "SCHEMAS", "WRITERS"),
    "target": _words("operations.targets", "TARGETS"),
    "form": _words("domain.foreign", "FORMS"),
    "type": _words("domain.memory", "TYPES"),
    "status": _words("domain.status", "STATUSES"),
    "source": _words("domain.source", "KINDS"),
    "scope": _words("domain.scope", "LEVELS"),
    "agent": _words("domain.hook", "AGENTS"),
    "event": _words("domain.hook", "EVENTS"),
}  # fmt: skip
