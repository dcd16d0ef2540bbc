"""Run a change in a process under strace: to see its system calls, or to kill it at one of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

WRITE_ONCE = "import sys; from tests.storage.faulty import write_once; write_once(sys.argv[1])"

CHANGING = (
    "openat", "write", "fsync", "fdatasync", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir",
    "mkdirat", "ftruncate", "truncate", "link", "linkat", "symlink", "symlinkat",
)  # fmt: skip

_CALL = re.compile(r"\d+ +(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>.*)")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<name>[^"]*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """One system call.

    :ivar ordinal: its number among the calls of this name in the process, from 1.
    :ivar paths: the files it names, absolute.
    """

    name: str
    ordinal: int
    paths: tuple[str, ...]
    arguments: str
    failed: bool


def skip_without_strace() -> None:
    """Skip the test where system calls cannot be traced."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    if subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode:
        pytest.skip("strace may not trace processes here")


def trace(script: str, root: str, to: Path, *options: str) -> int:
    """Run ``python -c script root`` under strace; the status of the process, -9 if it was killed.

    :param to: the file that gets the trace.
    """
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    names = ",".join(CHANGING)
    command = ["strace", "-f", "-y", "-s", "256", "-o", str(to), "-e", f"trace={names}", *options]
    command += [sys.executable, "-c", script, root]
    return subprocess.run(command, env=environ, cwd=to.parent, stdin=subprocess.DEVNULL, timeout=60).returncode


def calls(trace: Path) -> list[Call]:
    """Every call of a trace, in order."""
    counts: dict[str, int] = {}
    found = []
    for line in trace.read_text(errors="replace").splitlines():
        match = _CALL.match(line)
        if match is None:
            continue
        name, arguments = match["name"], match["arguments"]
        counts[name] = counts.get(name, 0) + 1
        failed = match["result"].startswith("-1")
        found.append(Call(name, counts[name], _paths(name, arguments), arguments, failed))
    return found


def _paths(name: str, arguments: str) -> tuple[str, ...]:
    if name in {"write", "fsync", "fdatasync", "ftruncate"}:
        return (arguments.partition("<")[2].partition(">")[0],)
    paths = _PATH.finditer(arguments)
    return tuple(os.path.join(path["folder"] or "/", path["name"]) for path in paths)
