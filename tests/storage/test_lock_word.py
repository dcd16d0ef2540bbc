"""Lock: nothing stays open behind it, and what is said to whoever does not get it."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError, LockedError
from memdir_cli.storage.layout import HOLDER, LOCK
from memdir_cli.storage.lock import holder, locked
from tests.storage.faulty import plant


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", {"MEMORY.md": b"text\n"})


def refused(root: str, timeout: float) -> LockedError:
    with pytest.raises(LockedError) as error, locked(root, timeout):
        pytest.fail("two processes hold one lock")
    return error.value


@contextmanager
def nothing_left_open() -> Iterator[None]:
    descriptors = Path("/dev/fd")
    before = len(list(descriptors.iterdir()))
    yield
    assert len(list(descriptors.iterdir())) == before


def test_a_lock_that_was_held_leaves_nothing_open(root: str) -> None:
    with nothing_left_open():
        for _ in range(3):
            with locked(root, 0):
                pass


def test_who_waits_in_vain_leaves_nothing_open(root: str) -> None:
    with locked(root, 0), nothing_left_open():
        refused(root, 0.1)


def test_a_process_that_was_started_meanwhile_keeps_no_lock(root: str) -> None:
    """It has the file open, as every program has between its start and its first step."""
    with locked(root, 0):
        child = os.fork()
        if not child:
            signal.pause()
            os._exit(0)
    try:
        with locked(root, 0):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_file_that_is_removed_before_it_is_locked_is_no_lock(
    root: str, monkeypatch: pytest.MonkeyPatch, *, replaced: bool
) -> None:
    real, file = fcntl.flock, Path(root, LOCK)
    seen: list[int] = []

    def flock(descriptor: int, operation: int) -> None:
        if not seen:
            file.unlink()
            if replaced:
                file.touch()
        seen.append(operation)
        real(descriptor, operation)

    monkeypatch.setattr("fcntl.flock", flock)
    with locked(root, 5):
        assert file.exists()
        refused(root, 0)
    assert len(seen) > 2, "it was tried again"


@pytest.mark.parametrize(("timeout", "told"), [(0.05, "waited 0.05 s"), (0, "waited 0 s"), (-5, "waited 0 s")])
def test_how_long_was_waited_is_told(root: str, timeout: float, told: str) -> None:
    with locked(root, 0):
        assert told in refused(root, timeout).message


def test_a_word_too_long_to_be_ours_names_nobody(root: str) -> None:
    with locked(root, 0):
        told = {"pid": os.getpid(), "command": "x"}
        (Path(root) / HOLDER).write_text(json.dumps(told))
        assert str(os.getpid()) in holder(root)
        (Path(root) / HOLDER).write_text(json.dumps({**told, "command": "x" * 70_000}))
        assert holder(root) == "another process"


def test_where_no_file_can_be_locked_a_local_disk_is_advised(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(_: int, __: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(FaultError) as error, locked(root, 0):
        pytest.fail("that is no lock")
    assert (error.value.code, error.value.hint) == ("no_locks", "move the memdir to a local disk")
