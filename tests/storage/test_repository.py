"""Git as a process: how it ended, and that nothing of it goes on where it is given up."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from memdir_cli.storage import repository
from memdir_cli.storage.repository import Done, git


def program(folder: Path, text: str) -> dict[str, str]:
    """An environment in which ``git`` is this script."""
    (folder / "git").write_text(f"#!{sys.executable}\n{text}")
    (folder / "git").chmod(0o755)
    return {"PATH": str(folder)}


def test_what_git_says_and_how_it_ended_is_told(tmp_path: Path) -> None:
    environ = {**os.environ, "LC_ALL": "C"}
    assert git(str(tmp_path), environ, "init", "--quiet").status == 0
    done = git(str(tmp_path), environ, "hash-object", "--stdin", given=b"text\n")
    assert (done.status, done.text, done.complaint) == (0, "8e27be7d6154a1f68ea9160ef0e18691d20560dc", "")
    done = git(str(tmp_path), environ, "rev-parse", "--verify", "nothing")
    assert done.status == 128
    assert "fatal" in done.complaint


@pytest.mark.parametrize("argument", ["status", "a\0b"])
def test_a_git_that_cannot_be_run_is_told(tmp_path: Path, argument: str) -> None:
    done = git(str(tmp_path), {"PATH": str(tmp_path)}, argument)
    assert done == Done(-1, complaint="git cannot be run; is it installed and on PATH?")


def test_a_git_that_takes_too_long_is_given_up_with_all_that_it_has_started(tmp_path: Path) -> None:
    text = (
        "import os, time\nother = os.fork()\n"
        f"if other: open({str(tmp_path / 'other')!r}, 'w').write(str(other))\ntime.sleep(30)"
    )
    environ = program(tmp_path, text)
    began = time.monotonic()
    done = git(str(tmp_path), environ, "fetch", timeout=1.4)
    assert done == Done(-2, complaint="git did not finish within 1 seconds")
    assert time.monotonic() - began < 15
    other = int((tmp_path / "other").read_text())
    while _runs(other):
        assert time.monotonic() - began < 15
        time.sleep(0.02)


def _runs(process: int) -> bool:
    """Whether a process goes on; one that has ended may not have been fetched by anybody yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_where_a_person_may_be_asked_nothing_is_cut_short_and_the_terminal_is_theirs(tmp_path: Path) -> None:
    environ = program(tmp_path, "import os, time\ntime.sleep(0.5)\nprint(os.getsid(0))")
    attended = git(str(tmp_path), environ, timeout=0.1, attended=True)
    assert (attended.status, attended.text) == (0, str(os.getsid(0)))
    alone = git(str(tmp_path), environ, timeout=30)
    assert alone.status == 0
    assert alone.text != attended.text


def test_who_is_told_to_end_ends_git_too(tmp_path: Path) -> None:
    environ = program(tmp_path, "import time\ntime.sleep(10)")

    def interrupt(number: int, frame: object) -> None:
        raise SystemExit

    before = signal.signal(signal.SIGALRM, interrupt)
    began = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(SystemExit):
            git(str(tmp_path), environ, attended=True)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 8
    assert repository.PATIENCE > 8, "it was not merely given up"
