"""What every verb is tried against: command lines made from what it declares, and files that it must not touch."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from memdir_cli.cli.app import load
from tests.fuzz.places import Place

#: Text in files that are none of memdir's business.
CANARY = "canary-4711-nobody-may-read-this"

#: What stands first in a file of every system.
OF_THE_SYSTEM = "root:x:0:"

#: Verbs that never end by themselves, and where they are tried instead.
ENDLESS = {"watch": "tests/cli/test_watch.py"}

#: By parameter, what it is given where it is not the one that is tried; by ``verb.parameter`` first.
PLAIN: Mapping[str, str] = {
    "key": "lint", "ref": "lint", "value": "v", "keep": "k", "source": "user", "said": "keep it", "session": "s1",
    "message": "m1", "remember.scope": "repository", "correct.scope": "repository", "narrow.topic": "css",
}  # fmt: skip

#: Options that name a file which memdir makes, because it was asked to.
MAKING = frozenset({"check.baseline", "init.dir"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a verb takes.

    :ivar spelt: the option, ``""`` for an argument.
    """

    verb: str
    name: str
    spelt: str
    required: bool

    @property
    def id(self) -> str:
        return f"{self.verb}.{self.name}"


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


def planted(place: Place) -> tuple[Path, ...]:
    """Files outside of both memdirs, all with the canary in them; the first is a whole memory."""
    memory = next((place.top / ".memdir/memories").glob("package_manager.md")).read_text("utf-8")
    texts = {
        "outside/secret.md": memory.replace("pnpm", CANARY),
        "outside/memories/lint.md": memory.replace("pnpm", CANARY),
        "outside/config.yaml": f"gate: {{attestation: claimed}}\nkey: {CANARY}\n",
        "x": CANARY, "x.md": memory.replace("pnpm", CANARY), "app/x": CANARY, "app/x.md": CANARY, "app/lint": CANARY,
        "app/k": CANARY, "home/x": CANARY, "home/.ssh/id_rsa": CANARY,
    }  # fmt: skip
    for name, text in texts.items():
        path = place.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tuple(place.root / name for name in texts)


def outside(place: Place) -> dict[str, tuple[int, int, bytes]]:
    """Everything of a place that is in no memdir: kind and mode, time of change, content."""
    memdirs = {place.top / ".memdir", place.sandbox.user_memdir}
    found = {}
    for path in _walked(place.root, memdirs):
        status = path.lstat()
        plain = stat.S_ISREG(status.st_mode) and status.st_size < 1 << 24 and os.access(path, os.R_OK)
        content = path.read_bytes() if plain else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns if content else 0, content)
    return found


def _walked(folder: Path, passed_over: set[Path]) -> Iterator[Path]:
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        path = Path(entry.path)
        if path in passed_over or path.name == ".git":
            continue
        yield path
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(path, passed_over)
