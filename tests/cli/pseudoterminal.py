"""A person at a terminal, made of a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Session:
    """What a person saw, and how the command ended."""

    exit: int
    shown: str


def typed(
    sandbox: Sandbox,
    *args: str,
    answers: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 30,
) -> Session:
    """Run ``memdir ARGS`` at a terminal of its own and type ``answers`` as soon as something is asked.

    :param answers: what is typed, line breaks included; ``""`` types nothing.
    """
    return at_terminal(
        [sys.executable, "-m", "memdir_cli", *args],
        cwd=cwd or sandbox.home,
        env={**sandbox.environ, "TERM": "xterm-256color", **(env or {})},
        answers=answers,
        timeout=timeout,
    )


def at_terminal(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], answers: str = "", timeout: float = 30
) -> Session:
    """Run any program at a terminal of its own.

    :param env: all variables that it gets.
    :param answers: as for :func:`typed`.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, cwd=cwd, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        shown = _talk(ours, answers, time.monotonic() + timeout)
        return Session(process.wait(timeout=5), shown.replace("\r\n", "\n"))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)


def _talk(terminal: int, answers: str, until: float) -> str:
    shown = b""
    waiting = answers
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                read = os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
            if not read:
                break
            shown += read
        if waiting and shown.rstrip(b" ").endswith((b"?", b"(y/N)")):
            os.write(terminal, waiting.encode())
            waiting = ""
    else:
        raise TimeoutError(f"still running after showing {shown!r}")
    return shown.decode()
