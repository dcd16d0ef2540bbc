"""Disk: what an operation leaves when it fails, when others watch it, and when it is done."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage import disk, faults
from tests.storage.faulty import Plan, faulty, plant

FILE = "memories/a.md"


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", {FILE: b"old\n"})


def refusing(refused: str, error: int = errno.EPERM) -> Plan:
    """Every call of one name fails."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == refused:
            raise OSError(error, os.strerror(error))

    return plan


def called(root: str, act: Callable[[str], object]) -> list[str]:
    """The calls that ``act`` makes."""
    calls: list[str] = []

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        calls.append(name)

    with faulty(plan):
        act(root)
    return calls


def test_a_file_that_cannot_take_its_place_is_told_and_leaves_nothing(root: str) -> None:
    with faulty(refusing("rename", errno.EIO)), pytest.raises(FaultError) as refused:
        disk.write_file(root, FILE, b"new\n", "txn", private=False)
    assert refused.value.code == "disk_error"
    assert disk.read_file(root, FILE) == b"old\n"
    assert os.listdir(Path(root) / "memories") == ["a.md"]


@pytest.mark.parametrize("durable", [True, False])
def test_a_file_is_synced_only_where_it_is_to_outlive_the_machine(root: str, *, durable: bool) -> None:
    calls = called(root, lambda at: disk.write_file(at, FILE, b"new\n", "txn", private=False, durable=durable))
    assert ("fsync" in calls) is durable


def synced(root: str, act: Callable[[str], object]) -> list[str]:
    """The paths that ``act`` syncs, a new version by the name that it gets."""
    paths: list[str] = []

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "fsync":
            path = os.path.relpath(os.readlink(f"/proc/self/fd/{args[0]}"), os.path.realpath(root))
            paths.append(re.sub(r"\.memdir-.*", "*", path))

    with faulty(plan):
        act(root)
    return paths


@pytest.mark.parametrize(
    ("act", "paths"),
    [
        (lambda root: disk.write_file(root, FILE, b"new\n", "txn", private=False), ["memories/*", "memories"]),
        (
            lambda root: disk.write_file(root, "new/deep/b.md", b"new\n", "txn", private=False),
            [".", "new", "new/deep/*", "new/deep"],
        ),
        (lambda root: disk.append_line(root, "memories/b", b"line", private=False), ["memories/b", "memories"]),
        (lambda root: disk.append_line(root, FILE, b"line", private=False), [FILE]),
        (lambda root: disk.create_root(os.path.join(root, "sub"), private=False), ["."]),
        (lambda root: disk.create_root(os.path.join(root, "a/b/c"), private=False), [".", "a", "a/b"]),
        (lambda root: disk.remove_empty_folders(root, "empty/deep"), ["empty", "."]),
    ],
    ids=["file", "file in new folders", "first line", "line", "root", "root in new folders", "folders removed"],
)
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc tells what is synced")
def test_what_is_written_is_synced_and_so_is_every_folder_in_which_a_name_changed(
    root: str, act: Callable[[str], object], paths: list[str]
) -> None:
    (Path(root) / "empty/deep").mkdir(parents=True)
    assert synced(root, act) == paths


def a_line(root: str) -> None:
    disk.append_line(root, FILE, b"line", private=False)


def a_log_line(root: str) -> None:
    disk.append_unlocked(root, FILE, b"line", private=False)


def a_pipe_for_a_lock(root: str) -> None:
    """A pipe takes the place of the lock after it was looked at."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "open" and args[0] == "lock":
            os.mkfifo(Path(root) / "local/lock")

    with faulty(plan), pytest.raises(FaultError):
        disk.open_lock(root, "local/lock", private=False)


def a_file(root: str) -> None:
    disk.write_file(root, FILE, b"new\n", "txn", private=False)


@pytest.mark.parametrize("act", [a_file, a_line, a_log_line, a_pipe_for_a_lock])
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc tells what is open")
def test_nothing_stays_open(root: str, act: Callable[[str], None]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    act(root)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("act", [a_line, a_log_line, a_file], ids=["line", "log line", "file"])
def test_nothing_stays_open_of_what_could_not_be_written(root: str, act: Callable[[str], None]) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with faulty(refusing("write", errno.ENOSPC)), pytest.raises(FaultError):
        act(root)
    assert not before or len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (os.mkdir, "special_file", "is a folder"),
        (os.mkfifo, "special_file", "is not a regular file"),
        (lambda path: os.symlink("a.md", path), "symlink", "is a symbolic link"),
        (lambda path: os.close(os.open(path, os.O_CREAT, 0o444)), "read_only", "is read-only"),
    ],
    ids=["folder", "pipe", "link", "read-only"],
)
def test_what_lies_in_the_way_of_a_file_is_told(
    root: str, make: Callable[[str], object], code: str, words: str
) -> None:
    path = "memories/x.md"
    make(os.path.join(root, path))
    with pytest.raises(FaultError) as refused:
        disk.check_target(root, path)
    assert (refused.value.code, refused.value.facts["path"]) == (code, path)
    assert words in refused.value.message


@pytest.mark.parametrize("path", [FILE, f"{FILE}/deep", "memories/link"])
def test_what_lies_in_the_way_of_a_folder_is_told(root: str, path: str) -> None:
    (Path(root) / "memories/link").symlink_to(root)
    with pytest.raises(FaultError) as refused:
        disk.ensure_folder(root, path, private=False)
    assert (refused.value.code, refused.value.facts["path"]) == ("not_a_folder", path.removesuffix("/deep"))


def test_a_private_root_is_never_open_to_others(tmp_path: Path) -> None:
    root = tmp_path / "memdir"
    seen: set[int] = set()

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if root.exists():
            seen.add(stat.S_IMODE(root.stat().st_mode))

    with faulty(plan):
        disk.create_root(str(root), private=True)
    assert seen == {0o700}


def test_a_root_that_is_private_already_needs_no_right_to_make_it_so(tmp_path: Path) -> None:
    root = str(tmp_path / "memdir")
    disk.create_root(root, private=True)
    with faulty(refusing("fchmod")):
        disk.create_root(root, private=True)
        os.chmod(root, 0o740)
        with pytest.raises(FaultError):
            disk.create_root(root, private=True)
        disk.create_root(root, private=False)


def test_no_root_is_made_where_something_else_lies(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("nowhere")
    for taken in (tmp_path / "file", tmp_path / "link"):
        for place in (taken, taken / "deep/.memdir"):
            with pytest.raises(FaultError) as refused:
                disk.create_root(str(place), private=False)
            assert refused.value.code == "in_the_way"
            assert refused.value.message.startswith(f"`{taken}` is no folder")
            assert refused.value.hint
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_what_the_system_refuses_comes_with_what_to_do() -> None:
    for number in faults.SENTENCES:
        told = faults.fault(OSError(number, ""), "memories/a.md")
        assert told.message.startswith("`memories/a.md` ")
        assert told.hint, told.message


def test_a_folder_above_the_root_that_another_process_makes_first_is_taken(tmp_path: Path) -> None:
    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "mkdir":
            Path(args[0]).mkdir()

    with faulty(plan):
        disk.create_root(str(tmp_path / "share/deep/memdir"), private=False)
    assert (tmp_path / "share/deep/memdir").is_dir()


def test_a_link_with_the_name_of_a_temporary_file_is_swept_and_hides_no_other(root: str, tmp_path: Path) -> None:
    names = {f"memories/.memdir-x-{number}.tmp" for number in (1, 2, 3)}
    nowhere, folder, half = sorted(names)
    (Path(root) / nowhere).symlink_to("nowhere")
    (Path(root) / folder).symlink_to(tmp_path)
    (Path(root) / half).write_bytes(b"half")
    assert set(disk.sweep(root, ["memories"])) == names
    assert os.listdir(Path(root) / "memories") == ["a.md"]


def test_what_is_unpacked_lies_there_for_the_time_of_the_block() -> None:
    files = {"a.md": b"a", "memories/b.md": b"b", "memories/c.md": b""}
    links = {"inbox/link.md": b"../a.md", "memories/away": b"/nowhere"}
    with disk.unpacked(files, links) as copy:
        assert {path: (Path(copy) / path).read_bytes() for path in files} == files
        assert {path: os.fsencode(os.readlink(os.path.join(copy, path))) for path in links} == links
        assert stat.S_IMODE(os.stat(copy).st_mode) == 0o700
        assert os.path.basename(copy).startswith("memdir-"), "whoever finds one that was left knows whose it is"
    assert not os.path.exists(copy)
