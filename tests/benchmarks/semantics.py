"""``python -m tests.benchmarks.semantics DATA``: does what was replaced stay away, and what holds come back?

DATA is a folder with ``factconsolidation.json`` (two single-hop subsets of FactConsolidation of MemoryAgentBench, MIT,
https://github.com/HUST-AI-HYZ/MemoryAgentBench), ``ghost/`` (staleness and recency probes, Apache-2.0, from
https://github.com/wcatz/ghost) and, for whole sequences of commands, ``dev.json`` with its ``run.py``. A small piece of
the first two lies in ``fixtures/semantics``. What is not there is left out of the table.

Facts are written by a process each, as an agent writes them, where there are not too many; all else goes through the
operations of the commands in one process.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdir_cli.domain.statement import Provenance, Statement
from memdir_cli.operations.context import context
from memdir_cli.operations.get import get
from memdir_cli.operations.remember import remember
from memdir_cli.operations.search import search
from memdir_cli.operations.workplace import Workplace, open_workplace
from tests.benchmarks.consolidation import Asked, Fact, facts, questions
from tests.benchmarks.searching import _lines
from tests.sandbox import NOW, Sandbox, isolated

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"(<!-- semantics -->\n).*?(<!-- end -->)", re.DOTALL)

#: Between so many writes the bare interpreter runs once, so that both meet the same machine.
EVERY = 10

#: Of more facts than this nobody waits for a process each.
MANY = 1000

#: Characters of the context in which an answer is looked for; a fifth of what an agent is given.
NARROW = 2000

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Ground:
    """A repository with a memdir, whose user accepts claims."""

    sandbox: Sandbox
    top: Path

    def open(self) -> Workplace:
        """The workplace of one call."""
        return open_workplace(str(self.top), self.sandbox.environ, NOW, ask_git=True)


@dataclass(frozen=True, slots=True)
class Scores:
    """How many of the questions were answered, and how often something replaced was shown.

    :ivar inside: answered by what ``context`` gives for the question in :data:`NARROW` characters.
    :ivar replaced: how many values were replaced.
    :ivar shown: how many of them some read still gave.
    """

    asked: int
    got: int
    found: int
    inside: int
    replaced: int
    shown: int


def main(arguments: Sequence[str]) -> int:
    """Measure what is there and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.semantics", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with the sets")
    parser.add_argument("--into", type=Path, help="a document whose block of figures is to be written anew")
    given = parser.parse_args(arguments)
    data: Path = given.data.resolve()
    if not data.is_dir():
        print(f"{data} is no folder; the beginning of {__spec__.name} says what it holds", file=sys.stderr)
        return 2
    lines = ["| what | figure |", "| --- | --- |"]
    print("\n".join(lines))
    for name, figure in _rows(data):
        lines.append(f"| {name} | {figure} |")
        print(lines[-1], flush=True)
    if given.into:
        when = f"Taken on {datetime.now(UTC).date().isoformat()}."
        block = "\n".join([when, "", *lines, ""])
        text = given.into.read_text("utf-8")
        given.into.write_text(_BLOCK.sub(lambda match: match[1] + block + match[2], text), "utf-8")
    return 0


def _rows(data: Path) -> Iterator[Row]:
    if (data / "factconsolidation.json").exists():
        for subset in json.loads((data / "factconsolidation.json").read_text("utf-8")):
            yield from _consolidated(subset)
    if (data / "ghost").is_dir():
        fresh, probes = staleness(data / "ghost/staleness.jsonl")
        yield "ghost staleness: the newest version found, no older one shown", f"{fresh} of {probes}"
        right, traps = trapped(data / "ghost/recency_trap.jsonl")
        yield "ghost recency trap: the older, right one before every newer", f"{right} of {traps}"
    if (data / "run.py").exists():
        done = subprocess.run(
            [sys.executable, str(data / "run.py"), str(data / "dev.json"), sys.executable, "-m", "memdir_cli"],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        yield "sequences of commands (`run.py dev.json`)", done.stdout.splitlines()[-1]


def _consolidated(subset: dict[str, Any]) -> Iterator[Row]:
    name = f"FactConsolidation {subset['metadata']['source'].rpartition('_')[2]}"
    told = list(facts(subset))
    with TemporaryDirectory(prefix="memdir-semantics-") as directory:
        ground = founded(Path(directory).resolve())
        written = _by_processes(ground, told) if len(told) <= MANY else _in_one(ground, told)
        scores = measured(ground, told, list(questions(subset)))
    yield f"{name}: right value by `get`", f"{scores.got} of {scores.asked}"
    yield f"{name}: right one first by `search`", f"{scores.found} of {scores.asked}"
    yield f"{name}: in a context of {NARROW:,} characters", f"{scores.inside} of {scores.asked}"
    yield f"{name}: replaced values shown", f"{scores.shown} of {scores.replaced}"
    yield f"{name}: {len(told):,} writes", written


def _in_one(ground: Ground, told: Sequence[Fact]) -> str:
    """How long all writes took in this process."""
    begun = time.perf_counter()
    for number, fact in enumerate(told):
        by_operation(ground, number, fact)
    return f"{time.perf_counter() - begun:.0f} s in one process"


def _by_processes(ground: Ground, told: Sequence[Fact]) -> str:
    """How long all writes took, and one of them as a multiple of an interpreter that does nothing."""
    writing, idle, runs = 0.0, 0.0, 0
    for number, fact in enumerate(told):
        begun = time.perf_counter()
        by_process(ground, number, fact)
        writing += time.perf_counter() - begun
        if number % EVERY == 0:
            begun = time.perf_counter()
            ground.sandbox.process(sys.executable, "-c", "pass")
            idle += time.perf_counter() - begun
            runs += 1
    ratio = (writing / len(told)) / (idle / runs)
    return f"{writing:.0f} s by a process each, {ratio:.1f} times a bare interpreter"


def founded(root: Path) -> Ground:
    """A home and a repository with a memdir in ``root``."""
    sandbox = isolated(root)
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    return Ground(sandbox, sandbox.repository("app", init=True))


def by_process(ground: Ground, number: int, fact: Fact) -> None:
    """Say a fact by the command, as an agent passes a user's words on."""
    said = ("--from", "user", "--said", fact.sentence, "--session", "s1", "--message", f"m{number}")
    where = ("--scope", "repository", "--replace", "--description", fact.sentence)
    memdir = (sys.executable, "-m", "memdir_cli", "remember")
    done = ground.sandbox.process(*memdir, fact.key, *where, *said, "--", fact.value, cwd=ground.top)
    if done.exit:
        raise RuntimeError(f"`memdir remember {fact.key}` ended with {done.exit}: {done.stderr}")


def by_operation(ground: Ground, number: int, fact: Fact) -> None:
    """Say a fact in this process."""
    spoken = Provenance("user", fact.sentence, "s1", f"m{number}")
    texts = (
        {"value": fact.value, "description": fact.sentence} if fact.value else {"value": None, "body": fact.sentence}
    )
    stated = Statement(fact.key, level="repository", provenance=spoken, explicit=True, **texts)
    answer = remember(ground.open(), stated)
    if answer.exit_status:
        raise RuntimeError(f"`{fact.key}` was not remembered: {answer.message}")


def measured(ground: Ground, told: Iterable[Fact], asked: Sequence[Asked]) -> Scores:
    """How the questions are answered once every fact has been written."""
    place = ground.open()
    values: dict[str, list[Fact]] = {}
    for fact in told:
        values.setdefault(fact.key.casefold(), []).append(fact)
    old = [fact for of_key in values.values() for fact in of_key if fact.value != of_key[-1].value]
    return Scores(
        asked=len(asked),
        got=sum(bool(one.key) and one.answered_by(get(place, one.key, feeds=False).value or "") for one in asked),
        found=sum(one.answered_by(_first(place, one.text)) for one in asked),
        inside=sum(one.answered_by(context(place, NARROW, query=one.text, feeds=False).text) for one in asked),
        replaced=len(old),
        shown=sum(_is_shown(ground, place, fact) for fact in old),
    )


def _first(place: Workplace, text: str) -> str:
    results = search(place, text, feeds=False).results
    memory = results[0].listed.judged.memory if results else None
    return "" if memory is None else f"{memory.value} {memory.description} {memory.body}"


def _is_shown(ground: Ground, place: Workplace, fact: Fact) -> bool:
    """Whether any read that is asked for what was replaced gives it: get, search by its own sentence, the index."""
    got = get(place, fact.key, feeds=False).value
    results = search(place, fact.sentence, feeds=False).results
    found = any(
        memory.description == fact.sentence
        or (memory.predicate.casefold() == fact.key.casefold() and memory.value == fact.value)
        for memory in (one.listed.judged.memory for one in results)
    )
    return got == fact.value or found or f"— {fact.sentence}" in (ground.top / ".memdir/MEMORY.md").read_text("utf-8")


def staleness(file: Path) -> tuple[int, int]:
    """Probes for which the newest version is found and no older one shown, and how many there are."""
    cases = _lines(file)
    versions = [_version(case["name"], one["content"]) for case in cases for one in case["versions"]]
    old = {one["content"] for case in cases for one in case["versions"][:-1]}
    right, probes = 0, 0
    with TemporaryDirectory(prefix="memdir-semantics-") as directory:
        place = _written(Path(directory).resolve(), versions)
        for case in cases:
            for probe in case["probes"]:
                told = [one.listed.judged.memory for one in search(place, probe["text"], feeds=False).results]
                fresh = any(one.predicate == case["name"] for one in told)
                right += fresh and not any(content in one.body for one in told for content in old)
                probes += 1
    return right, probes


def trapped(file: Path) -> tuple[int, int]:
    """Probes for which the older, right memory comes before every newer one of its case, and how many there are."""
    cases = _lines(file)
    told = [_version(case["name"], case["correct"]["content"]) for case in cases]
    told += [
        _version(f"trap{number}.{case['name']}", trap["content"])
        for case in cases
        for number, trap in enumerate(case["traps"])
    ]
    right, probes = 0, 0
    with TemporaryDirectory(prefix="memdir-semantics-") as directory:
        place = _written(Path(directory).resolve(), told)
        for case in cases:
            name = case["name"]
            for probe in case["probes"]:
                results = [
                    one.listed.judged.memory.predicate for one in search(place, probe["text"], feeds=False).results
                ]
                own = [key for key in results if key == name or re.fullmatch(rf"trap\d+\.{re.escape(name)}", key)]
                right += own[:1] == [name]
                probes += 1
    return right, probes


def _version(key: str, content: str) -> Fact:
    return Fact(key, "", content)


def _written(root: Path, told: Iterable[Fact]) -> Workplace:
    ground = founded(root)
    for number, fact in enumerate(told):
        by_operation(ground, number, fact)
    return ground.open()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
