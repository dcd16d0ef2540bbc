"""A storm of writers on the same two memdirs, and the oracle that judges what is left of it.

``python -m tests.storm FOLDER NUMBER COUNT [--unlocked]`` is one writer: it enters the command line ``COUNT``
times, and notes each answer in a file as soon as it has it. What is noted was acknowledged.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.storage import disk, index, receipts
from memdir_cli.storage.layout import FOLDERS
from memdir_cli.storage.store import Store

KEYS = ("build", "lint", "test", "deploy")

#: Statuses that a storm may bring: done, nothing by that name, a person must decide, refused, changed meanwhile.
CALM = frozenset({0, 2, 3, 4, 5})


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """One command whose answer was heard.

    :ivar value: the value that it stated, ``None`` for a confirmation.
    """

    key: str
    value: str | None
    message: str
    exit: int
    answer: dict[str, Any]

    @property
    def wrote(self) -> bool:
        """Whether the answer says that something was written."""
        decision = self.answer.get("decision")
        # a confirmation that meets a conflict or a rival writes nothing
        undecided = self.value is not None and decision in {"conflicted", "needs_decision"}
        return undecided or decision in {"created", "confirmed", "superseded"}


def commands(writer: int, count: int) -> Iterator[tuple[str, str | None, str, list[str]]]:
    """The mixed commands of one writer: key, value, message and command line."""
    chance = random.Random(writer)
    for number in range(count):
        value, message = f"v-{writer}-{number}", f"m-{writer}-{number}"
        scope = ["--scope", chance.choice(["repository", "user"])]
        user = ["--from", "user", "--said", f"say {value}", "--session", f"s{writer}", "--message", message]
        agent = ["--session", f"s{writer}", "--message", message]
        key = chance.choice(KEYS)
        draw = chance.random()
        if draw < 0.35:
            line = ["correct", key, value, *scope, *user]
        elif draw < 0.5:
            line = ["remember", key, value, *scope, *user]
        elif draw < 0.65:
            key = f"own-{writer}-{number}"
            line = ["remember", key, value, *scope, *user]
        elif draw < 0.8:
            line = ["remember", key, value, "--scope", "repository", *agent]
        else:
            line, value = ["confirm", key, *scope, *user], ""
        yield key, value or None, message, [*line, "--json", "--lock-timeout", "120"]


def write(log: Path, writer: int, count: int) -> None:
    """Be one writer: enter the command line ``count`` times, note every answer."""
    from memdir_cli.cli.entry import enter

    with log.open("a", encoding="utf-8") as notes:
        for key, value, message, line in commands(writer, count):
            heard = io.StringIO()
            with redirect_stdout(heard), redirect_stderr(io.StringIO()):
                status = enter(line)
            notes.write(note(key, value, message, status, heard.getvalue()))
            notes.flush()


def note(key: str, value: str | None, message: str, status: int, heard: str) -> str:
    """One line of a writer's notes."""
    return json.dumps([key, value, message, status, json.loads(heard) if heard else {}]) + "\n"


def notes(folder: Path) -> list[Acknowledged]:
    """What all writers heard; the last line of a killed one may be cut."""
    found = []
    for log in sorted(folder.glob("writer-*.jsonl")):
        for line in log.read_text("utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                found.append(Acknowledged(*json.loads(line)))
    return found


def faults(stores: Sequence[Store], acknowledged: Sequence[Acknowledged]) -> list[str]:
    """Everything that must not be after a storm, as sentences; none is what a storm should leave."""
    found: list[str] = []
    everything: list[tuple[Store, Record]] = []
    for store in stores:
        snapshot = store.snapshot()
        everything += [(store, record) for record in snapshot.records]
        found += [f"{one.path} cannot be read: {one.message}" for one in snapshot.unreadable]
        found += _of_files(store, snapshot.records)
    found += _of_answers([record.memory for _, record in everything], acknowledged)
    found += _of_receipts(stores, acknowledged)
    return found


def _of_files(store: Store, records: Sequence[Record]) -> Iterator[str]:
    for ref, times in Counter(record.memory.ref for record in records).items():
        if times > 1:
            yield f"{ref} is there {times} times"
    for key, times in Counter(record.memory.identity.key for record in records if record.current).items():
        if times > 1:
            yield f"{times} current memories of {key}"
    alive = Counter(record.memory.id for record in records if record.folder != "history")
    yield from (f"id {memory_id} belongs to {times} memories" for memory_id, times in alive.items() if times > 1)
    written = Path(store.root, "MEMORY.md").read_bytes()
    if index.render(written, records) != written:
        yield f"the index of {store.layer} is not that of its files"
    yield from (f"{path} is left" for path in disk.temporaries(store.root, FOLDERS))
    if Path(store.root, "local/journal.json").exists():
        yield "a journal is left"


def _of_answers(memories: Sequence[Memory], acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    said = {value for memory in memories for value in (memory.value, *(side.value for side in memory.sides))}
    made: Counter[str] = Counter()
    for one in acknowledged:
        if one.exit not in CALM:
            yield f"exit {one.exit} of a command: {one.answer}"
        if one.wrote and one.value is not None and one.value not in said:
            yield f"{one.value} was acknowledged as {one.answer['decision']} and is gone"
        # each of these is a revision of its own; a conflict that is heard again keeps its revision
        if one.answer.get("decision") in {"superseded", "created"} and one.answer.get("status") == "verified":
            made[f"{one.answer['id']}@{one.answer['revision']}"] += 1
    yield from (f"{ref} was acknowledged {times} times" for ref, times in made.items() if times > 1)


def _of_receipts(stores: Sequence[Store], acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    heard: Counter[object] = Counter()
    transactions: Counter[object] = Counter()
    for store in stores:
        for receipt in store.receipts():
            heard[receipt["message"]] += 1
            transactions[receipt["txn"]] += 1
        torn = [
            line
            for file in sorted(Path(store.root, "receipts").glob("*.jsonl"))
            for line in file.read_bytes().splitlines()
            if receipts.parse(line) is None
        ]
        yield from (f"a receipt is torn: {line[:60]!r}" for line in torn)
    yield from (f"transaction {txn} has {times} receipts" for txn, times in transactions.items() if times > 1)
    for one in acknowledged:
        digests = {receipts.digest(store.config.key, one.message) for store in stores}
        times = sum(heard[digest] for digest in digests)
        if one.wrote and times != 1:
            yield f"{one.message} ({one.answer['decision']}) has {times} receipts"


@contextmanager
def without_lock() -> Iterator[None]:
    """A build in which writers do not wait for each other."""
    from memdir_cli.storage import lock

    @contextmanager
    def nothing(*_: object, **__: object) -> Iterator[None]:
        yield

    locked = lock.locked
    lock.locked = nothing
    try:
        yield
    finally:
        lock.locked = locked


def main(folder: str, writer: str, count: str, *options: str) -> None:
    """Be one writer in the working directory."""
    log = Path(folder, f"writer-{writer}.jsonl")
    # so that the parent knows when all are ready, and can let them loose at once
    print("ready", flush=True)
    sys.stdin.readline()
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if "--unlocked" in options:
        with without_lock():
            write(log, int(writer), int(count))
    else:
        write(log, int(writer), int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
