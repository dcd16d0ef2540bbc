"""One command line, in this process or in one of its own: what it printed, what it cost."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from memdir_cli.cli.entry import enter

#: Seconds after which a command counts as one that never ends.
HANGS = 20.0

#: Runs a command line and tells its status, processor time and peak: of a small process, for a child inherits the
#: peak of the one that it was started from.
_STARTER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
status, usage = os.wait4(pid, 0)[1:]
told = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss
with open("../spent", "w") as file:
    json.dump(told, file)
"""


class DoesNotEnd(BaseException):
    """A command took longer than :data:`HANGS`; whatever guards against errors must not take it for one of them."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What one command line left behind.

    :ivar seconds: processor time of this process and of those that it waited for.
    :ivar peak: the most memory that this process ever held, in bytes.
    """

    words: tuple[str, ...]
    exit: int
    stdout: str
    stderr: str
    seconds: float
    peak: int


def entered(words: Sequence[str], *, cwd: Path, environ: Mapping[str, str], stdin: bytes = b"") -> Entered:
    """Run ``memdir WORDS`` as a process would be run, but in this one.

    :raises DoesNotEnd: if it takes longer than :data:`HANGS`.
    """
    before = _processor()
    with _surroundings(cwd, environ), _streams(stdin) as printed, _alarm(words):
        status = enter(words)
        taken = _processor() - before
    return Entered(tuple(words), status, printed.stdout, printed.stderr, taken, peak())


def spent(words: Sequence[str], cwd: Path, environ: dict[str, str], stdin: bytes) -> Entered:
    """Run ``memdir WORDS`` in a process of its own, and say what it cost."""
    command = [sys.executable, "-ISc", _STARTER, sys.executable, "-m", "memdir_cli", *words]
    out, err = cwd.parent / "stdout", cwd.parent / "stderr"
    (cwd.parent / "stdin").write_bytes(stdin)
    with (cwd.parent / "stdin").open("rb") as given_, out.open("wb") as said, err.open("wb") as remarked:
        subprocess.run(command, cwd=cwd, env=environ, stdin=given_, stdout=said, stderr=remarked, check=True)
    texts = [path.read_bytes().decode("utf-8", "surrogateescape") for path in (out, err)]
    status, seconds, kibibytes = json.loads((cwd.parent / "spent").read_bytes())
    return Entered(tuple(words), status, texts[0], texts[1], seconds, kibibytes * 1024)


def peak() -> int:
    """The most memory that this process ever held, in bytes; not that of the process that it was forked from."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def _processor() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


@contextmanager
def _surroundings(cwd: Path, environ: Mapping[str, str]) -> Iterator[None]:
    standing = os.getcwd(), dict(os.environ)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    try:
        yield
    finally:
        os.chdir(standing[0])
        os.environ.clear()
        os.environ.update(standing[1])


class _Printed:
    """Both outputs, once they are complete."""

    stdout = stderr = ""


@contextmanager
def _streams(stdin: bytes) -> Iterator[_Printed]:
    standing, printed = (sys.stdin, sys.stdout, sys.stderr), _Printed()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"), out, err
    try:
        yield printed
    finally:
        sys.stdin, sys.stdout, sys.stderr = standing
        printed.stdout, printed.stderr = _text(out), _text(err)


@contextmanager
def _alarm(words: Sequence[str]) -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise DoesNotEnd(f"memdir {list(words)} does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "surrogateescape")
