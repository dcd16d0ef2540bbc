"""Disk: one file at a time, durable or as before, and nothing outside the root."""

from __future__ import annotations

import errno
import os
import socket
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage import disk
from memdir_cli.storage.layout import FOLDERS
from memdir_cli.storage.reading import Entry, stat_file
from tests.storage.faulty import failing, faulty, plant


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", {"memories/a.md": b"old\n"})


@pytest.fixture
def _umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(root: str, path: str) -> int:
    return stat.S_IMODE((Path(root) / path).stat().st_mode)


def write(root: str, path: str, content: bytes = b"new\n", *, private: bool = False) -> None:
    disk.write_file(root, path, content, "txn", private=private)


#: Every operation that changes something at a path.
CHANGES: dict[str, Callable[[str, str], object]] = {
    "write": write,
    "append": lambda root, path: disk.append_line(root, path, b"line", private=False),
    "append unlocked": lambda root, path: disk.append_unlocked(root, path, b"line", private=False),
    "open lock": lambda root, path: os.close(disk.open_lock(root, path, private=False)),
}


@pytest.mark.parametrize("content", [b"", b"x", b"text\r\n\xff\x00", b"y" * 3_000_000])
def test_what_is_written_is_read_again(root: str, content: bytes) -> None:
    write(root, "receipts/2026-09.jsonl", content)
    assert disk.read_file(root, "receipts/2026-09.jsonl") == content
    assert disk.temporaries(root, FOLDERS) == ()


def test_a_missing_file_or_folder_reads_as_nothing(root: str) -> None:
    assert disk.read_file(root, "memories/b.md") is None
    assert disk.read_file(root, "nowhere/b.md") is None
    assert disk.read_file(root + "-else", "b.md") is None
    assert disk.list_folder(root, "nowhere") == ()
    assert stat_file(root, "nowhere/b.md") is None


@pytest.mark.usefixtures("_umask")
@pytest.mark.parametrize(
    ("path", "private", "expected", "folder"),
    [
        ("history/b.md", False, 0o644, 0o755),
        ("history/b.md", True, 0o600, 0o700),
        ("local/sources/b.jsonl", False, 0o600, 0o700),
    ],
)
def test_new_files_and_folders_get_the_mode_of_their_memdir(
    root: str, path: str, private: bool, expected: int, folder: int
) -> None:
    write(root, path, private=private)
    assert mode(root, path) == expected
    assert mode(root, path.rpartition("/")[0]) == folder


def test_umask_takes_bits_from_a_new_file(root: str) -> None:
    before = os.umask(0o077)
    try:
        write(root, "memories/b.md")
    finally:
        os.umask(before)
    assert mode(root, "memories/b.md") == 0o600


@pytest.mark.parametrize("bits", [0o664, 0o600, 0o755, 0o640])
@pytest.mark.parametrize("private", [False, True])
def test_the_mode_of_a_replaced_file_is_kept(root: str, bits: int, private: bool) -> None:
    (Path(root) / "memories/a.md").chmod(bits)
    write(root, "memories/a.md", private=private)
    assert mode(root, "memories/a.md") == bits


def test_a_hard_link_elsewhere_keeps_the_old_text(root: str, tmp_path: Path) -> None:
    os.link(Path(root) / "memories/a.md", tmp_path / "other")
    write(root, "memories/a.md")
    assert (tmp_path / "other").read_bytes() == b"old\n"


@pytest.mark.parametrize(
    "path",
    ["/etc/x", "../x", "memories/../../x", "a//b", "./a", "memories/", "", "a\\b", "a\0b", "memories/."],
)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_paths_that_lead_elsewhere_are_refused(root: str, path: str, change: Callable[[str, str], object]) -> None:
    for operation in (change, disk.read_file, stat_file, disk.remove):
        with pytest.raises(FaultError) as refused:
            operation(root, path)
        assert refused.value.code == "bad_path"
        assert refused.value.exit_status == 6


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_nothing_is_written_through_a_link(root: str, tmp_path: Path, change: Callable[[str, str], object]) -> None:
    canary = tmp_path / "canary"
    canary.mkdir()
    (canary / "a.md").write_bytes(b"canary\n")
    (Path(root) / "archive").symlink_to(canary)
    (Path(root) / "memories/link.md").symlink_to(canary / "a.md")
    (Path(root) / "memories/dangling.md").symlink_to(canary / "none")
    for path, code in [
        ("archive/a.md", "not_a_folder"),
        ("archive/b.md", "not_a_folder"),
        ("archive/deep/b.md", "not_a_folder"),
        ("memories/link.md", "symlink"),
        ("memories/dangling.md", "symlink"),
        ("memories/a.md/b.md", "not_a_folder"),
    ]:
        with pytest.raises(FaultError) as refused:
            change(root, path)
        assert refused.value.code == code, path
        assert refused.value.facts["path"] in {path, path.rpartition("/")[0], "archive"}
    assert sorted(found.name for found in canary.iterdir()) == ["a.md"]
    assert (canary / "a.md").read_bytes() == b"canary\n"


def test_nothing_is_read_or_removed_through_a_link(root: str, tmp_path: Path) -> None:
    (tmp_path / "canary").mkdir()
    (tmp_path / "canary/a.md").write_bytes(b"canary\n")
    (Path(root) / "archive").symlink_to(tmp_path / "canary")
    (Path(root) / "memories/link.md").symlink_to(tmp_path / "canary/a.md")
    for operation in (disk.read_file, disk.remove):
        with pytest.raises(FaultError):
            operation(root, "archive/a.md")
    with pytest.raises(FaultError) as refused:
        disk.read_file(root, "memories/link.md")
    assert refused.value.code == "symlink"
    with pytest.raises(FaultError):
        disk.list_folder(root, "archive")
    assert (tmp_path / "canary/a.md").exists()


def test_empty_folders_go_up_to_the_first_in_which_something_lies(root: str, tmp_path: Path) -> None:
    disk.ensure_folder(root, "memories/a/b", private=False)
    disk.remove_empty_folders(root, "memories/a/b")
    assert sorted(os.listdir(Path(root) / "memories")) == ["a.md"]
    disk.remove_empty_folders(root, "memories/not-there")
    disk.remove_empty_folders(root, "")
    disk.ensure_folder(root, "all/empty", private=False)
    disk.remove_empty_folders(root, "all/empty")
    assert not (Path(root) / "all").exists()
    (tmp_path / "canary/empty").mkdir(parents=True)
    (Path(root) / "archive").symlink_to(tmp_path / "canary")
    for path in ("archive", "archive/empty", "memories/a.md"):
        with pytest.raises(FaultError):
            disk.remove_empty_folders(root, path)
    assert (tmp_path / "canary/empty").is_dir()
    assert Path(root).is_dir()


def test_the_root_may_be_reached_through_a_link(root: str, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(Path(root).parent)
    alias = str(tmp_path / "alias/.memdir")
    write(alias, "memories/a.md")
    assert disk.read_file(alias, "memories/a.md") == b"new\n"
    assert disk.read_file(root, "memories/a.md") == b"new\n"


@pytest.fixture(params=["fifo", "socket", "folder", "device", "loop"])
def special(request: pytest.FixtureRequest, root: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of something that is not a regular file."""
    target = Path(root) / "memories/x.md"
    if request.param == "fifo":
        os.mkfifo(target)
    elif request.param == "socket":
        monkeypatch.chdir(target.parent)  # the whole path may be too long for a socket's name
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(target.name)
    elif request.param == "folder":
        target.mkdir()
    elif request.param == "loop":
        target.symlink_to(target)
    else:
        try:
            os.mknod(target, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("making a device needs root")
    return "memories/x.md"


def test_special_files_are_refused_without_waiting(root: str, special: str) -> None:
    begun = time.monotonic()
    for operation in (disk.read_file, *CHANGES.values()):
        with pytest.raises(FaultError) as refused:
            operation(root, special)
        assert refused.value.code in {"special_file", "symlink"}
        assert refused.value.hint
    assert time.monotonic() - begun < 1
    assert disk.temporaries(root, FOLDERS) == ()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_read_only_file_is_left_alone(root: str, change: Callable[[str, str], object]) -> None:
    (Path(root) / "memories/a.md").chmod(0o444)
    with pytest.raises(FaultError) as refused:
        change(root, "memories/a.md")
    assert refused.value.code == "read_only"
    assert refused.value.hint == f"chmod u+w {root}/memories/a.md"
    assert disk.read_file(root, "memories/a.md") == b"old\n"


def test_a_folder_is_listed_sorted_with_what_each_name_is(root: str) -> None:
    folder = Path(root) / "memories"
    (folder / "b.md").symlink_to("a.md")
    (folder / "c").mkdir()
    os.mkfifo(folder / "d.md")
    (folder / ".memdir-txn-1.tmp").write_bytes(b"half")
    assert disk.list_folder(root, "memories") == (
        Entry("a.md", "file"),
        Entry("b.md", "link"),
        Entry("c", "folder"),
        Entry("d.md", "special"),
    )


def test_a_file_that_is_too_large_is_not_read(root: str) -> None:
    assert disk.read_file(root, "memories/a.md", limit=4) == b"old\n"
    with pytest.raises(FaultError) as refused:
        disk.read_file(root, "memories/a.md", limit=3)
    assert refused.value.code == "too_large"


def test_a_file_is_read_whole_even_in_pieces(root: str) -> None:
    write(root, "memories/a.md", b"0123456789")

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return real(args[0], 3) if name == "read" else None

    with faulty(plan):
        assert disk.read_file(root, "memories/a.md") == b"0123456789"


def test_an_interrupted_write_goes_on(root: str) -> None:
    interruptions = iter([True, True, False])

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "write" and next(interruptions):
            raise InterruptedError(errno.EINTR, "interrupted")

    with faulty(plan):
        write(root, "memories/a.md")
    assert disk.read_file(root, "memories/a.md") == b"new\n"


def test_a_write_that_takes_nothing_is_an_error_not_a_loop(root: str) -> None:
    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return 0 if name == "write" else None

    with faulty(plan), pytest.raises(FaultError):
        write(root, "memories/a.md")
    assert disk.read_file(root, "memories/a.md") == b"old\n"


def test_a_write_that_lies_about_its_length_is_noticed(root: str) -> None:
    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return real(args[0], args[1][:1]) and len(args[1]) if name == "write" else None

    with faulty(plan), pytest.raises(FaultError) as refused:
        write(root, "memories/a.md")
    assert refused.value.code == "disk_error"
    assert disk.read_file(root, "memories/a.md") == b"old\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EDQUOT, "disk_full"),
        (errno.EROFS, "read_only"),
        (errno.EACCES, "no_permission"),
        (errno.EIO, "disk_error"),
        (errno.EMFILE, "too_many_files"),
        (errno.EBUSY, "fault"),
    ],
)
def test_an_error_of_the_system_is_a_sentence_with_the_relative_path(root: str, error: int, code: str) -> None:
    met: list[FaultError] = []
    for number in range(1, 1000):
        with faulty(failing(number, error, lasting=True)) as system:
            try:
                write(root, "memories/a.md")
            except FaultError as fault:
                met.append(fault)
        disk.sweep(root, FOLDERS)
        if system.calls < number:
            break
    assert len(met) > 10
    assert {one.code for one in met} == {code}
    for one in met:
        assert one.message.startswith(("`memories`", "`memories/a.md`"))
        assert one.message.endswith(".")
        assert root not in one.message + one.hint


def test_sweeping_removes_our_temporary_files_and_nothing_else(root: str) -> None:
    kept = plant(
        Path(root),
        {
            "memories/.memdir-x-1.tmp": b"half",
            ".memdir-y-2.tmp": b"half",
            "local/.memdir-z-3.tmp": b"needed",
            "memories/.hidden.tmp": b"somebody's",
            "memories/memdir-x-1.tmp": b"somebody's",
        },
    )
    (Path(root) / "inbox").symlink_to("/nowhere")
    (Path(root) / "memories/.memdir-folder.tmp").mkdir()
    swept = disk.sweep(kept, FOLDERS, keep=["local/.memdir-z-3.tmp"])
    assert set(swept) == {"memories/.memdir-x-1.tmp", ".memdir-y-2.tmp"}
    assert disk.temporaries(root, FOLDERS) == ("local/.memdir-z-3.tmp",)
    assert disk.read_file(root, "memories/.hidden.tmp") == b"somebody's"


@pytest.mark.usefixtures("_umask")
def test_a_root_is_made_once_and_a_users_is_private(tmp_path: Path) -> None:
    mine, ours = str(tmp_path / "share/memdir"), str(tmp_path / "repo/.memdir")
    for _ in range(2):
        disk.create_root(mine, private=True)
        disk.create_root(ours, private=False)
    assert mode(mine, "") == 0o700
    assert mode(ours, "") == 0o755
    Path(mine).chmod(0o755)
    disk.create_root(mine, private=True)
    assert mode(mine, "") == 0o700


def test_a_file_or_folder_that_another_process_makes_first_is_taken(root: str) -> None:
    """Both are looked for, missed, and then found in the way."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "mkdir":
            (Path(root) / "local").mkdir()
        if name == "open" and args[0] == "lock":
            (Path(root) / "local/lock").write_bytes(b"")

    with faulty(plan):
        os.close(disk.open_lock(root, "local/lock", private=False))
    assert disk.read_file(root, "local/lock") == b""


def test_a_pipe_that_takes_the_place_of_the_lock_at_the_last_moment_is_refused(root: str) -> None:
    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "open" and args[0] == "lock":
            os.mkfifo(Path(root) / "local/lock")

    with faulty(plan), pytest.raises(FaultError) as refused:
        disk.open_lock(root, "local/lock", private=False)
    assert refused.value.code == "special_file"


def test_a_file_that_shrinks_while_it_is_read_gives_what_is_there(root: str) -> None:
    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "read":
            os.truncate(Path(root) / "memories/a.md", 1)

    with faulty(plan):
        assert disk.read_file(root, "memories/a.md") == b"o"
