"""`memdir merge-driver`, called as git calls it: three files in, one out, or the first one left alone."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.operations.merge_driver import merge_driver
from memdir_cli.storage import codec
from tests.sandbox import Outcome, Sandbox
from tests.storage.faulty import Plan, SimulatedCrash, crashing, failing, faulty, filling
from tests.storage.test_merging import DESCRIBED, FILE, STATED

PATH = ".memdir/memories/package_manager.md"


@pytest.fixture
def place(sandbox: Sandbox) -> Path:
    """A folder with the three versions."""
    for name, text in (("O", FILE), ("A", STATED), ("B", DESCRIBED)):
        (sandbox.home / name).write_text(text)
    return sandbox.home


def drive(sandbox: Sandbox, *args: str, path: str = PATH, **env: str) -> Outcome:
    return sandbox.run("merge-driver", *(args or ("O", "A", "B", path)), cwd=sandbox.home, env=env)


def test_our_file_becomes_the_result(sandbox: Sandbox, place: Path) -> None:
    (place / "A").chmod(0o640)
    done = drive(sandbox)
    assert (done.exit, done.stdout, done.stderr) == (0, "", "")
    memory = codec.parse_memory((place / "A").read_bytes())
    assert (memory.value, memory.description, memory.revision) == ("pnpm", "Install, and keep the lockfile", 3)
    assert (place / "A").stat().st_mode & 0o777 == 0o640
    assert ((place / "O").read_text(), (place / "B").read_text()) == (FILE, DESCRIBED)
    assert sorted(path.name for path in place.iterdir()) == [".gitconfig", "A", "B", "O"]


def test_it_does_the_same_with_all_options_and_absolute_paths(sandbox: Sandbox, place: Path) -> None:
    done = drive(sandbox, *(str(place / name) for name in "OAB"), PATH, "--json", "--quiet")
    assert (done.exit, done.json["path"]) == (0, PATH)
    assert codec.parse_memory((place / "A").read_bytes()).revision == 3


def test_variables_of_the_calling_git_and_of_memdir_do_not_matter(sandbox: Sandbox, place: Path) -> None:
    env = {"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "MEMDIR_DIR": "/nowhere", "MEMDIR_USER_DIR": "/nowhere"}
    assert drive(sandbox, **env).exit == 0
    assert codec.parse_memory((place / "A").read_bytes()).revision == 3


def test_a_base_that_is_not_there_is_an_empty_file(sandbox: Sandbox, place: Path) -> None:
    (place / "O").write_text("")
    assert drive(sandbox).exit == 0
    assert codec.parse_memory((place / "A").read_bytes()).status == "conflicted"


@pytest.mark.parametrize("broken", ["A", "B"])
@pytest.mark.parametrize(
    "content",
    [b"", b"---\nstatus: [", b"\xff\xfe", b"x" * (2 << 20)],
    ids=["empty", "half", "no text", "too large"],
)
def test_a_side_that_cannot_be_read_is_left_to_git(sandbox: Sandbox, place: Path, broken: str, content: bytes) -> None:
    (place / broken).write_bytes(content)
    before = (place / "A").read_bytes()
    done = drive(sandbox)
    assert 0 < done.exit < 128, "git takes more for its own death"
    assert "`memdir repair`" in done.stderr or "bytes" in done.stderr
    assert (place / "A").read_bytes() == before


def test_two_memories_are_left_to_git(sandbox: Sandbox, place: Path) -> None:
    (place / "B").write_text(DESCRIBED.replace("id: one", "id: two"))
    done = drive(sandbox)
    assert (done.exit, (place / "A").read_text()) == (3, STATED)


@pytest.mark.parametrize("path", ["memories/other.md", ".memdir/history/package_manager~one@1.md", "archive/x~one.md"])
def test_a_result_that_belongs_elsewhere_is_left_to_git(sandbox: Sandbox, place: Path, path: str) -> None:
    done = drive(sandbox, path=path)
    assert (done.exit, (place / "A").read_text()) == (6, STATED)
    assert "type `memdir repair`" in done.stderr


def test_files_that_are_not_there_are_named(sandbox: Sandbox, place: Path) -> None:
    (place / "B").unlink()
    done = drive(sandbox)
    assert (done.exit, "`B` does not exist" in done.stderr) == (2, True)
    assert "missing" in drive(sandbox, "O", "A").stderr


def test_a_locked_memdir_keeps_nobody_waiting(sandbox: Sandbox, place: Path) -> None:
    top = sandbox.repository("app", init=True)
    (top / ".memdir/local").mkdir(exist_ok=True)
    for name in "OAB":
        (top / name).write_bytes((place / name).read_bytes())
    before = set((top / ".memdir").rglob("*"))
    done = sandbox.run("merge-driver", "O", "A", "B", PATH, cwd=top)
    assert done.exit == 0
    assert set((top / ".memdir").rglob("*")) == before, "no lock, no receipt, no log"


@pytest.mark.parametrize("how", ["fails once", "fails for good", "fills up", "dies"])
def test_whatever_the_disk_does_our_file_is_the_old_one_or_the_new_one(place: Path, how: str) -> None:
    def plan(number: int) -> Plan:
        if how == "dies":
            return crashing(number)
        return filling(number, errno.ENOSPC) if how == "fills up" else failing(number, errno.EIO, lasting="good" in how)

    merge_driver("O", "A", "B", PATH, str(place))
    after = (place / "A").read_bytes()
    for number in count(1):
        (place / "A").write_text(STATED)
        with faulty(plan(number)) as system:
            try:
                merge_driver("O", "A", "B", PATH, str(place))
            except (FaultError, SimulatedCrash):
                pass
            else:
                assert system.calls < number or how != "dies"
        assert (place / "A").read_bytes() in {STATED.encode(), after}
        for left in place.glob(".memdir-*"):
            assert how in {"dies", "fails for good"}
            left.unlink()
        if system.calls < number:
            break
    assert number > 5, "something was written"
