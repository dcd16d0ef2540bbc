"""Spawn: what a program says, how it ends, and what happens where it does not."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from memdir_cli.probes import spawn

SHELL = {"PATH": os.environ["PATH"]}


def test_both_streams_and_the_status_are_taken() -> None:
    assert spawn.run(["sh", "-c", "echo out; echo err >&2; exit 3"], SHELL, 10) == (3, b"out\n", b"err\n")


def test_much_on_both_streams_blocks_nobody() -> None:
    script = "import sys; sys.stderr.write('e' * 300000); sys.stdout.write('o' * 300000)"
    outcome = spawn.run([sys.executable, "-c", script], {**SHELL, "PYTHONUTF8": "1"}, 30)
    assert outcome == (0, b"o" * 300000, b"e" * 300000)


def test_there_is_nothing_to_read() -> None:
    assert spawn.run(["cat"], SHELL, 10) == (0, b"", b"")


def test_only_the_given_variables_are_there() -> None:
    assert spawn.run(["sh", "-c", 'echo "$A-$HOME"'], {**SHELL, "A": "é"}, 10)[1] == "é-\n".encode()


def test_a_signal_is_a_negative_status() -> None:
    assert spawn.run(["sh", "-c", "kill -TERM $$"], SHELL, 10)[0] == -15


def test_a_program_that_does_not_end_is_killed(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        spawn.run(["sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 30"], SHELL, 0.3)
    assert time.monotonic() - began < 10
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.parametrize("path", ["", "/nowhere", "/etc/passwd"])
def test_a_program_that_is_not_there(path: str) -> None:
    with pytest.raises(OSError, match="no such program"):
        spawn.run(["git"], {"PATH": path}, 10)


def test_a_file_that_is_no_program_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "sh").write_text("no program")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert spawn.run(["sh", "-c", "echo here"], {"PATH": path}, 10)[1] == b"here\n"


def test_what_no_program_can_be_given() -> None:
    with pytest.raises(ValueError, match="null"):
        spawn.run(["sh", "-c", "a\0b"], SHELL, 10)


def test_no_descriptor_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    spawn.run(["true"], SHELL, 10)
    with pytest.raises(OSError, match="no such program"):
        spawn.run(["no-such-program"], SHELL, 10)
    assert len(os.listdir("/proc/self/fd")) == before
