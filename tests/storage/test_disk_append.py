"""Files of lines: a line is appended whole, once, or not at all."""

from __future__ import annotations

import errno
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage import disk
from tests.storage.faulty import faulty, plant


@pytest.fixture
def root(tmp_path: Path) -> str:
    return plant(tmp_path / ".memdir", {})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"line\n"),
        (b"", b"line\n"),
        (b"first\n", b"first\nline\n"),
        (b"first", b"first\nline\n"),  # an editor that ends files without a line end
        (b"first\nli", b"first\nline\n"),  # the same line, cut by a crash
        (b"line", b"line\n"),
        (b"first\nlint", b"first\nlint\nline\n"),
    ],
)
def test_a_line_is_appended_once_and_whole(root: str, before: bytes | None, after: bytes) -> None:
    if before is not None:
        plant(Path(root), {"receipts/2026-09.jsonl": before})
    disk.append_line(root, "receipts/2026-09.jsonl", b"line", private=False)
    assert disk.read_file(root, "receipts/2026-09.jsonl") == after


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_a_line_that_cannot_be_written_whole_is_taken_back(root: str, name: str) -> None:
    plant(Path(root), {"receipts/2026-09.jsonl": b"first\n"})
    seen = 0

    def plan(call: int, called: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        nonlocal seen
        if called == "write" and name == "write" and not seen:
            seen += 1
            return real(args[0], args[1][:2])
        if called == name:
            raise OSError(errno.ENOSPC, "full")
        return None

    with faulty(plan), pytest.raises(FaultError) as refused:
        disk.append_line(root, "receipts/2026-09.jsonl", b"line", private=False)
    assert refused.value.code == "disk_full"
    assert "full" in refused.value.message
    assert disk.read_file(root, "receipts/2026-09.jsonl") == b"first\n"


@pytest.mark.parametrize("before", [None, b"", b"first\n", b"torn"])
def test_a_log_line_is_appended_without_a_lock(root: str, before: bytes | None) -> None:
    if before is not None:
        plant(Path(root), {"local/access/2026-09.jsonl": before})
    disk.append_unlocked(root, "local/access/2026-09.jsonl", b"line", private=False)
    expected = {None: b"line\n", b"torn": b"torn\nline\n"}.get(before, (before or b"") + b"line\n")
    assert disk.read_file(root, "local/access/2026-09.jsonl") == expected
    assert before is not None or stat.S_IMODE((Path(root) / "local/access/2026-09.jsonl").stat().st_mode) == 0o600


def test_log_lines_of_many_processes_stay_whole(root: str) -> None:
    script = (
        "import sys\nfrom memdir_cli.storage import disk\n"
        "for n in range(50): disk.append_unlocked(sys.argv[1], 'local/access/x.jsonl',"
        " (sys.argv[2] * 20000).encode(), private=False)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, root, letter]) for letter in "abcd"]
    while any(writer.poll() is None for writer in writers):
        whole = (disk.read_file(root, "local/access/x.jsonl") or b"").rpartition(b"\n")[0]
        assert {len(line) for line in whole.split(b"\n")} <= {0, 20000}
    # a line that is just being written looks torn to another process, which then leaves a blank one
    lines = [line for line in (disk.read_file(root, "local/access/x.jsonl") or b"").splitlines() if line]
    assert sorted(set(lines)) == [letter * 20000 for letter in (b"a", b"b", b"c", b"d")]
    assert len(lines) == 200
