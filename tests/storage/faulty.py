"""A faulty operating system for the storage floor, and the memdir that every sweep changes.

:class:`FaultyOs` stands in for the module ``os`` inside ``disk`` and ``reading``: every call that a disk
can refuse is counted, and the n-th one fails.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from memdir_cli.domain.changes import Put, Remove
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.storage import disk, reading, transaction
from memdir_cli.storage.journal import pending, read_after
from memdir_cli.storage.layout import FOLDERS, is_temp_name
from memdir_cli.storage.lock import locked
from memdir_cli.storage.redo import Outcome

REFUSABLE = (
    "open", "read", "write", "pread", "fsync", "rename", "unlink", "mkdir", "ftruncate", "fchmod", "scandir",
    "listdir",
)  # fmt: skip


class SimulatedCrash(BaseException):
    """The process is gone; nothing that it does afterwards reaches the disk."""


#: What happens at call ``number`` of ``name``: ``None`` lets it through, else the result.
Plan = Callable[[int, str, Callable[..., Any], tuple[Any, ...]], Any]


class FaultyOs:
    """``os``, but each refusable call goes through ``plan``."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in REFUSABLE:
            return real

        def call(*args: Any, **keywords: Any) -> Any:
            self.calls += 1
            outcome = self.plan(self.calls, name, lambda *a: real(*a, **keywords), args)
            return real(*args, **keywords) if outcome is None else outcome

        return call


@contextmanager
def faulty(plan: Plan) -> Iterator[FaultyOs]:
    """Run the block on a faulty system."""
    system = FaultyOs(plan)
    for module in (disk, reading):
        vars(module)["os"] = system
    try:
        yield system
    finally:
        for module in (disk, reading):
            vars(module)["os"] = os


def failing(number: int, error: int, *, lasting: bool) -> Plan:
    """Call ``number``, and if ``lasting`` all later ones, fail with an errno."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if call == number or (lasting and call > number):
            raise OSError(error, os.strerror(error))

    return plan


def filling(number: int, error: int) -> Plan:
    """As a disk that fills up: from call ``number`` on, a write first takes half, then nothing more."""
    full = False

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        nonlocal full
        if call < number or name not in {"write", "mkdir"}:
            return None
        if name == "write" and not full and len(args[1]) > 1:
            full = True
            return real(args[0], args[1][: len(args[1]) // 2])
        raise OSError(error, os.strerror(error))

    return plan


def sparing(number: int, *, lasting: bool) -> Plan:
    """Writes take one byte at a time, from call ``number`` on; nothing fails."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        due = call == number or (lasting and call > number)
        return real(args[0], args[1][:1]) if due and name == "write" else None

    return plan


def crashing(number: int, *, torn: bool = False) -> Plan:
    """The process dies at call ``number``; if ``torn``, after half of what it writes there."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if call < number:
            return
        if torn and call == number and name == "write":
            real(args[0], args[1][: len(args[1]) // 2])
        raise SimulatedCrash

    return plan


TXN = "txn0000000001"
OLD = b"---\nid: a\n---\nthe old text, which is long enough to be cut in half\n"
NEW = b"---\nid: a\n---\nthe new text, which is long enough to be cut in half\n"
CANDIDATE = b"---\nid: b\n---\nwaits for somebody\n"
RECEIPTS = "receipts/2026-09.jsonl"
LINE = b'{"txn":"' + TXN.encode() + b'","events":[]}'
EARLIER = b'{"txn":"txn0000000000","events":[]}\n'

#: The memdir before, and after :func:`change`, by path.
BEFORE = {"memories/a.md": OLD, "inbox/b~b.md": CANDIDATE, "MEMORY.md": b"a: old\n", RECEIPTS: EARLIER}
AFTER = {
    "memories/a.md": NEW,
    "memories/b.md": CANDIDATE,
    "history/a~a@1.md": OLD,
    "MEMORY.md": b"a: new\nb\n",
    RECEIPTS: EARLIER + LINE + b"\n",
}


def plant(root: Path, files: dict[str, bytes]) -> str:
    """A memdir that holds ``files``; its root as the storage floor wants it."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    root.mkdir(exist_ok=True)
    return str(root)


def change(root: str) -> Outcome:
    """The change that the sweeps repeat: a revision, a confirmed candidate, index and receipt."""
    return transaction.commit(
        root,
        txn=TXN,
        puts=[
            Put("memories/a.md", NEW, digest_of(OLD)),
            Put("history/a~a@1.md", OLD),
            Put("memories/b.md", CANDIDATE),
        ],
        removes=[Remove("inbox/b~b.md", digest_of(CANDIDATE))],
        index=Put("MEMORY.md", AFTER["MEMORY.md"], digest_of(BEFORE["MEMORY.md"])),
        receipt_path=RECEIPTS,
        receipt=LINE,
        private=False,
    )


def write_once(root: str) -> None:
    """What a command does around a change, in a process of its own."""
    with locked(root, 10, "memdir remember"):
        transaction.recover(root)
        change(root)


def tree(root: str) -> dict[str, bytes]:
    """Every file of a memdir but the lock's, by path."""
    return {
        found.relative_to(root).as_posix(): found.read_bytes()
        for found in sorted(Path(root).rglob("*"))
        if found.is_file() and not found.name.startswith("lock")
    }


def seen(root: str) -> dict[str, bytes]:
    """What a reader that takes no lock sees: memories and index, a committed journal counted as done."""
    journal = pending(root)
    paths = {path for path in tree(root) if not path.startswith(("local/", "receipts/"))}
    paths |= set(journal.staged) if journal else set()
    contents = {path: read_after(root, path, journal) for path in paths if not is_temp_name(path.split("/")[-1])}
    return {path: content for path, content in contents.items() if content is not None}


def without_receipts(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files that a reader answers from."""
    return {path: content for path, content in files.items() if path != RECEIPTS}


def temporaries(root: str) -> tuple[str, ...]:
    """The temporary files that were left."""
    return disk.temporaries(root, FOLDERS)


def promised_in(folder: Path) -> str:
    """A memdir whose writer died right after the commit point: nothing is moved yet."""
    for number in range(1, 2000):
        planted = plant(folder / str(number), BEFORE)
        with faulty(crashing(number)), suppress(SimulatedCrash):
            change(planted)
        if pending(planted) is not None:
            return planted
    raise AssertionError("there is no commit point")
