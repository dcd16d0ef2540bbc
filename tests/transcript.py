"""Transcripts in Markdown: find them, play them again, and compare what is printed there with what comes out.

A transcript is a fenced block marked ``console``. A command after ``$`` is typed by a person at a terminal; one
after ``agent$`` is run by a program, without a terminal. The lines below are what both streams show, then
``[exit N]`` where the exit status is not 0. All blocks below one heading of the second level are one story: they
share a home directory that is new at its start. ``<!-- clock: TIME -->`` before a block sets the clock.

Printed and real output are compared letter by letter, but for three things: ids are random (each must stand for
the same one throughout a story), paths below the home directory are printed with ``~``, and the colours of a
terminal are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.pseudoterminal import at_terminal
from tests.sandbox import NOW, Sandbox, isolated

PERSON, AGENT = "$ ", "agent$ "

_ID = re.compile(r"(?<![0-9A-Za-z_/-])[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{12}(?![0-9A-Za-z_-])")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_QUESTION = re.compile(r"(?:\(y/N\)|\?) ?(\w*)$", re.MULTILINE)
_CLOCK = re.compile(r"<!-- clock: (\S+) -->")

#: Runs one command in the directory where the last one ended, and tells where it ends itself.
_SHELL = 'cd "$1"; eval "$2"; status=$?; pwd >"$3"; exit $status'


@dataclass(frozen=True, slots=True)
class Step:
    """One command and what is printed below it.

    :ivar line: number of the line of the command in the document, from 1.
    :ivar until: number of the line behind the last one of the output.
    """

    story: str
    clock: str
    line: int
    until: int
    prompt: str
    command: str
    output: str


@dataclass(slots=True)
class Play:
    """A story as it is played.

    :ivar ids: the real id of each that is printed.
    """

    sandbox: Sandbox
    cwd: Path
    ids: dict[str, str] = field(default_factory=dict)


def steps(document: str) -> Iterator[Step]:
    """The commands of all transcripts of a document."""
    story, clock, inside = "", NOW, False
    lines = document.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("```"):
            inside = line == "```console"
        elif not inside and line.startswith("## "):
            story, clock = line.removeprefix("## "), NOW
        elif not inside and (match := _CLOCK.fullmatch(line)):
            clock = match[1]
        elif inside and line.startswith((PERSON, AGENT)):
            yield _step(lines, number, story, clock)


def stories(document: str) -> dict[str, list[Step]]:
    """The steps of a document by the heading they stand under."""
    found: dict[str, list[Step]] = {}
    for step in steps(document):
        found.setdefault(step.story, []).append(step)
    return found


def begin(root: Path) -> Play:
    """A person's machine below ``root``: nothing but a home directory, git and ``memdir``."""
    sandbox = isolated(root)
    programs = root / "bin"
    programs.mkdir()
    memdir = programs / "memdir"
    memdir.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memdir_cli "$@"\n', encoding="utf-8")
    memdir.chmod(0o755)
    own = {
        "PATH": f"{programs}:{sandbox.environ['PATH']}",
        "TERM": "xterm-256color",
        "COLUMNS": "120",
        "SHELL": "/bin/bash",
    }
    known = {name: value for name, value in sandbox.environ.items() if name != "MEMDIR_USER"}
    return Play(replace(sandbox, environ={**known, **own}), sandbox.home)


def play(step: Step, game: Play) -> str:
    """Carry out one step and give its real output in the form in which it would be printed, with real ids."""
    command = _ID.sub(lambda match: game.ids.get(match[0], match[0]), step.command)
    ended = game.sandbox.root / "ended"
    bash = ["bash", "-c", _SHELL, "bash", str(game.cwd), command, str(ended)]
    environ = {**game.sandbox.environ, "MEMDIR_NOW": step.clock}
    if step.prompt == PERSON:
        answer = _QUESTION.search(step.output)
        session = at_terminal(bash, cwd=game.cwd, env=environ, answers=f"{answer[1]}\n" if answer else "", timeout=60)
        status, shown = session.exit, _COLOUR.sub("", session.shown)
    else:
        bash[2] = f"exec 2>&1; {_SHELL}"
        outcome = game.sandbox.process(*bash, cwd=game.cwd, env=environ)
        status, shown = outcome.exit, outcome.stdout
    game.cwd = Path(ended.read_text(encoding="utf-8").rstrip("\n"))
    shown = "".join(f"{line.rstrip()}\n" for line in shown.replace(str(game.sandbox.home), "~").splitlines())
    return f"{shown}[exit {status}]\n" if status else shown


def same_ids(printed: str, real: str, ids: Mapping[str, str]) -> dict[str, str]:
    """``ids`` with those that appear for the first time: printed to real, in the order of appearance."""
    known = dict(ids)
    fresh = [one for one in _found(real) if one not in known.values()]
    unknown = [one for one in _found(printed) if one not in known]
    return known | dict(zip(unknown, fresh, strict=False))


def as_printed(real: str, ids: Mapping[str, str]) -> str:
    """Real output with the ids that are printed for them."""
    back = {actual: printed for printed, actual in ids.items()}
    return _ID.sub(lambda match: back.get(match[0], match[0]), real)


def refreshed(document: str) -> str:
    """``document`` with the outputs that really come out."""
    lines = document.splitlines()
    outputs: list[tuple[Step, str]] = []
    for told in stories(document).values():
        with TemporaryDirectory() as directory:
            game = begin(Path(directory).resolve())
            for step in told:
                real = play(step, game)
                game.ids = same_ids(step.output, real, game.ids)
                outputs.append((step, as_printed(real, game.ids)))
                for new in _found(real):
                    game.ids.setdefault(as_printed(new, game.ids), new)
    for step, output in reversed(outputs):
        start = step.line + step.command.count("\n")
        lines[start : step.until - 1] = output.splitlines()
    return "\n".join(lines) + "\n"


def _step(lines: list[str], number: int, story: str, clock: str) -> Step:
    prompt = PERSON if lines[number].startswith(PERSON) else AGENT
    command = [lines[number].removeprefix(prompt)]
    after = number + 1
    while command[-1].endswith("\\"):
        command.append(lines[after])
        after += 1
    end = after
    while not lines[end].startswith((PERSON, AGENT, "```")):
        end += 1
    output = "".join(f"{line}\n" for line in lines[after:end])
    return Step(story, clock, number + 1, end + 1, prompt, "\n".join(command), output)


def _found(text: str) -> list[str]:
    """The ids in ``text``, each once, in order."""
    return list(dict.fromkeys(_ID.findall(text)))
