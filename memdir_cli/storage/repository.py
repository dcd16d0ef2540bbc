"""Repository: git, asked to change something. The environment is the caller's, and so is every decision."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

from memdir_cli.shapes import dataclass

#: Seconds after which git is given up that only works on this machine.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """How one run of git ended.

    :ivar status: its exit status; -1 if it could not be run, -2 if it took too long.
    :ivar complaint: what it said on stderr; it may hold addresses with credentials.
    """

    status: int
    output: bytes = b""
    complaint: str = ""

    @property
    def text(self) -> str:
        """The output without the last line end; bytes that are no UTF-8 as surrogates."""
        return os.fsdecode(self.output).rstrip("\r\n")


def git(
    top: str,
    environ: Mapping[str, str],
    *arguments: str,
    given: bytes = b"",
    timeout: float = PATIENCE,
    attended: bool = False,
) -> Done:
    """Run ``git -C top ARGUMENTS``; every failure is in the answer, none is raised.

    :param given: its stdin.
    :param attended: a person sits at the terminal and may be asked for a password; then nothing is cut short.
    """
    import subprocess

    try:
        process = subprocess.Popen(
            ["git", "-C", top, *arguments],
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # git starts others, which would hold the pipes open after it is killed
            start_new_session=not attended,
        )
    except (OSError, ValueError):
        return Done(-1, complaint="git cannot be run; is it installed and on PATH?")
    with process:
        try:
            output, complaint = process.communicate(given, timeout=None if attended else timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Done(-2, complaint=f"git did not finish within {timeout:.0f} seconds")
        except BaseException:
            process.kill()
            raise
    return Done(process.returncode, output, os.fsdecode(complaint))
