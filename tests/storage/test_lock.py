"""Lock: one writer at a time, waiting that ends, and no victim of a holder that died or stopped."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError, LockedError
from memdir_cli.storage import disk
from memdir_cli.storage.layout import FOLDERS, HOLDER, LOCK
from memdir_cli.storage.lock import holder, locked
from tests.storage.faulty import failing, faulty, plant, tree

HOLD = """
import sys, time
from memdir_cli.storage.lock import locked
with locked(sys.argv[1], 10, "memdir remember"):
    print("held", flush=True)
    time.sleep(60)
"""

COUNT = """
import sys
from memdir_cli.domain.changes import Put
from memdir_cli.storage import disk
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.storage.lock import locked
from memdir_cli.storage.transaction import commit, recover
root = sys.argv[1]
for _ in range(int(sys.argv[2])):
    with locked(root, 60, "count"):
        recover(root)
        old = disk.read_file(root, "memories/n.md")
        txn = new_transaction_id()
        commit(root, txn=txn, puts=[Put("memories/n.md", b"%d" % (int(old) + 1), digest_of(old))],
               receipt_path="receipts/2026-09.jsonl", receipt=b'{"txn":"%s"}' % txn.encode(), private=False)
"""


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", {"MEMORY.md": b"text\n"})


@pytest.fixture
def hold(root: str) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock."""
    with subprocess.Popen([sys.executable, "-c", HOLD, root], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def seconds(operation: Callable[[], object]) -> float:
    begun = time.monotonic()
    operation()
    return time.monotonic() - begun


def refused(root: str, timeout: float) -> LockedError:
    with pytest.raises(LockedError) as error, locked(root, timeout):
        pytest.fail("two processes hold one lock")
    return error.value


def test_a_lock_is_held_and_let_go(root: str) -> None:
    for _ in range(3):
        with locked(root, 0, "memdir remember"):
            assert holder(root).startswith(f"process {os.getpid()} (`memdir remember`, since 20")
            assert refused(root, 0).code == "locked"
    assert disk.temporaries(root, FOLDERS) == ()


def test_a_holder_that_says_not_what_it_does_is_a_memdir(root: str) -> None:
    with locked(root, 0):
        who = holder(root)
        assert who.startswith(f"process {os.getpid()} (`memdir`, since 20")
        assert refused(root, 0).facts["holder"] == who


def test_to_ask_who_holds_the_lock_does_nothing_to_the_holder(root: str) -> None:
    reached: list[int] = []
    before = {number: signal.signal(number, lambda got, _: reached.append(got)) for number in (1, 2, 15)}
    try:
        with locked(root, 0):
            holder(root)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert reached == []


def test_an_error_inside_lets_the_lock_go(root: str) -> None:
    with pytest.raises(ZeroDivisionError), locked(root, 0):
        raise ZeroDivisionError
    with locked(root, 0):
        pass


def test_who_waits_gives_up_in_time_and_names_the_holder(root: str, hold: subprocess.Popen[str]) -> None:
    errors: list[LockedError] = []
    waited = seconds(lambda: errors.append(refused(root, 0.6)))
    assert 0.6 <= waited < 1.6
    assert errors[0].exit_status == 75
    assert f"process {hold.pid} (`memdir remember`, since 20" in errors[0].message
    assert "--lock-timeout" in errors[0].hint


def test_a_stopped_holder_makes_others_give_up_in_time(root: str, hold: subprocess.Popen[str]) -> None:
    hold.send_signal(signal.SIGSTOP)
    errors: list[LockedError] = []
    waited = seconds(lambda: errors.append(refused(root, 1)))
    hold.send_signal(signal.SIGCONT)
    assert 1 <= waited < 2
    assert str(hold.pid) in errors[0].message


def test_a_killed_holder_blocks_nobody(root: str, hold: subprocess.Popen[str]) -> None:
    hold.kill()
    hold.wait()

    def take() -> None:
        with locked(root, 5):
            pass

    assert seconds(take) < 1


def test_a_waiter_gets_the_lock_as_soon_as_the_holder_dies(root: str, hold: subprocess.Popen[str]) -> None:
    wait = [sys.executable, "-c", HOLD.replace("time.sleep(60)", ""), root]
    with subprocess.Popen(wait, stdout=subprocess.PIPE, text=True) as waiter:
        assert waiter.stdout is not None
        time.sleep(0.5)
        assert waiter.poll() is None
        hold.kill()
        assert waiter.stdout.readline() == "held\n"
        assert waiter.wait(10) == 0


@pytest.mark.parametrize(
    "told",
    [None, b"", b"{", b"null", b"[]", b'{"pid": "x", "command": ""}', b'{"pid": 1e400, "command": ""}', b"\xff",
     b'{"pid": 99999999999999999999, "command": "x"}', b'{"pid": 4194304, "command": "x"}', b"[" * 50_000],
)  # fmt: skip
def test_what_is_told_of_the_holder_blocks_nobody(root: str, told: bytes | None) -> None:
    with locked(root, 0):
        (Path(root) / HOLDER).unlink()
        if told is not None:
            (Path(root) / HOLDER).write_bytes(told)
        assert "another process" in refused(root, 0).message
    with locked(root, 0):
        assert str(os.getpid()) in holder(root)


def test_a_command_cannot_steer_the_terminal(root: str) -> None:
    with locked(root, 0, "memdir \x1b[31m\u202e" + "x" * 1000):
        told = holder(root)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert len(told) < 400


@pytest.mark.parametrize("call", ["write", "rename", "open"])
def test_a_full_disk_does_not_keep_anybody_from_the_lock(root: str, call: str) -> None:
    """Only the word who holds it is missing then."""
    with locked(root, 0, "before"):
        pass

    def plan(number: int, name: str, real: object, args: tuple[object, ...]) -> None:
        if name == call and (name != "open" or str(args[0]).startswith(".memdir-")):
            raise OSError(errno.ENOSPC, "full")

    with faulty(plan), locked(root, 0, "after"):
        assert refused(root, 0).code == "locked"
    assert disk.temporaries(root, FOLDERS) == ()


def test_a_disk_too_full_for_a_lock_file_is_a_fault(root: str) -> None:
    with faulty(failing(1, errno.ENOSPC, lasting=True)):
        at_once(root, "disk_full")


# lock paths that cannot be used: a fault at once, never a wait


def at_once(root: str, code: str) -> None:
    def take() -> None:
        with pytest.raises(FaultError) as refused, locked(root, 30):
            pytest.fail("that is no lock")
        assert refused.value.code == code
        assert refused.value.exit_status == 6

    assert seconds(take) < 2


def test_a_lock_that_is_a_link_is_refused_and_its_target_left_alone(root: str, tmp_path: Path) -> None:
    (tmp_path / "canary").write_bytes(b"canary\n")
    plant(Path(root), {"local/.keep": b""})
    for target in (tmp_path / "canary", tmp_path / "none"):
        (Path(root) / LOCK).symlink_to(target)
        at_once(root, "symlink")
        (Path(root) / LOCK).unlink()
    assert (tmp_path / "canary").read_bytes() == b"canary\n"
    assert not (tmp_path / "none").exists()


def test_a_lock_folder_that_is_a_link_is_refused(root: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (Path(root) / "local").symlink_to(tmp_path / "elsewhere")
    at_once(root, "not_a_folder")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_lock_that_is_no_file_is_refused(root: str, make: Callable[[Path], None]) -> None:
    plant(Path(root), {"local/.keep": b""})
    make(Path(root) / LOCK)
    at_once(root, "special_file")


def test_whatever_stands_in_the_lock_file_does_not_matter(root: str) -> None:
    plant(Path(root), {LOCK: b"4711\ngarbage\n"})
    with locked(root, 0):
        pass


def test_a_memdir_that_is_not_there_cannot_be_locked(tmp_path: Path) -> None:
    at_once(str(tmp_path / "nowhere"), "missing")


@contextmanager
def powerless(path: Path) -> Iterator[None]:
    """Run the block as an account that may not write below ``path``."""
    if os.geteuid() != 0:
        folders = [path, *(found for found in path.rglob("*") if found.is_dir())]
        files = [found for found in path.rglob("*") if found.is_file()]
        for found in (*folders, *files):
            found.chmod(0o555 if found.is_dir() else 0o444)
        try:
            yield
        finally:
            for found in (*folders, *files):
                found.chmod(0o755 if found.is_dir() else 0o644)
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("used", [False, True], ids=["never locked", "locked before"])
def test_a_memdir_that_may_not_be_written_is_refused(used: bool) -> None:
    # not below tmp_path, which other accounts cannot enter
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        root = plant(Path(place) / ".memdir", {"MEMORY.md": b"text\n"})
        if used:
            with locked(root, 0):
                pass
        with powerless(Path(root)):
            assert disk.read_file(root, "MEMORY.md") == b"text\n"
            with pytest.raises(FaultError) as refused, locked(root, 30):
                pytest.fail("a lock without the right to write")
        assert refused.value.code in {"no_permission", "read_only"}


def test_a_private_lock_is_private(root: str) -> None:
    with locked(root, 0, private=True):
        pass
    for path in (LOCK, HOLDER):
        assert stat.S_IMODE((Path(root) / path).stat().st_mode) == 0o600


# what it is for


def storm(root: str, count: str) -> list[int]:
    processes = [subprocess.Popen([sys.executable, "-c", count, root, "10"]) for _ in range(6)]
    return [process.wait(120) for process in processes]


@pytest.mark.slow
def test_no_update_is_lost_between_processes(root: str) -> None:
    plant(Path(root), {"memories/n.md": b"0"})
    assert storm(root, COUNT) == [0] * 6
    assert disk.read_file(root, "memories/n.md") == b"60"
    receipts = (disk.read_file(root, "receipts/2026-09.jsonl") or b"").splitlines()
    assert len(receipts) == len(set(receipts)) == 60


@pytest.mark.slow
def test_without_the_lock_the_same_storm_fails(root: str) -> None:
    """The test above would notice a lock that locks nothing."""
    plant(Path(root), {"memories/n.md": b"0"})
    unlocked = COUNT.replace('with locked(root, 60, "count"):', "if True:")
    assert unlocked != COUNT
    statuses = storm(root, unlocked)
    assert any(statuses) or disk.read_file(root, "memories/n.md") != b"60"


def test_a_holder_of_another_account_is_named(root: str) -> None:
    with locked(root, 0, "memdir remember"):
        Path(root).parent.chmod(0o755)
        told = disk.read_file(root, HOLDER)
    (Path(root) / HOLDER).write_bytes((told or b"").replace(str(os.getpid()).encode(), b"1"))
    if os.geteuid() != 0:
        assert holder(root).startswith("process 1 (`memdir remember`")
        return
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        elsewhere = plant(Path(place) / ".memdir", tree(root) | {HOLDER: (Path(root) / HOLDER).read_bytes()})
        with powerless(Path(elsewhere)):
            assert holder(elsewhere).startswith("process 1 (`memdir remember`")


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EIO, "disk_error"), (errno.ENOSYS, "no_locks"), (errno.ENOTSUP, "no_locks"), (errno.ENOLCK, "no_locks")],
)
def test_a_file_system_that_cannot_lock_is_a_fault(
    root: str, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def flock(_: int, __: int) -> None:
        raise OSError(number, os.strerror(number))

    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    monkeypatch.setattr("fcntl.flock", flock)
    at_once(root, code)
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_who_removes_the_lock_file_does_not_let_two_write_at_once(root: str, hold: subprocess.Popen[str]) -> None:
    """Whoever waited for the file that is gone waits for the one that took its place."""
    wait = [sys.executable, "-c", HOLD, root]
    with subprocess.Popen(wait, stdout=subprocess.PIPE, text=True) as waiter:
        assert waiter.stdout is not None
        time.sleep(0.5)
        (Path(root) / LOCK).unlink()
        with locked(root, 5):
            hold.kill()
            time.sleep(0.5)
            assert not select.select([waiter.stdout], [], [], 0)[0]
        assert waiter.stdout.readline() == "held\n"
        waiter.kill()


def test_the_lock_of_earlier_versions_is_the_same(root: str) -> None:
    """It was taken by a library, which locks the same file in the same way."""
    with locked(root, 0):
        pass
    with (Path(root) / LOCK).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert refused(root, 0).code == "locked"
    with locked(root, 0):
        pass
