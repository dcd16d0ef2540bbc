"""Everything that has to pass: ``python -m tests``. Lint, types, import floors, tests.

Arguments go to pytest, such as ``python -m tests -k get`` or ``python -m tests -m 'not slow'``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent

STEPS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)


def main(arguments: list[str]) -> int:
    """Run the steps one after the other; the first that fails ends it."""
    beside = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ.get('PATH', '')}"}
    workers = ("-n", str(os.cpu_count() or 1), "--dist", "worksteal")
    with _fast_place() as place:
        for step in (*STEPS, ("pytest", *workers, *place, *arguments)):
            print(f"== {' '.join(step)}", flush=True)
            command = [str(beside / step[0]), *step[1:]]
            status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
            if status:
                print(f"== {step[0]} failed", flush=True)
                return status
    return 0


@contextmanager
def _fast_place() -> Iterator[tuple[str, ...]]:
    """Where there is a disk in memory, tests work there: every write is synced, and a real disk takes its time."""
    if not os.access("/dev/shm", os.W_OK):
        yield ()
        return
    with TemporaryDirectory(dir="/dev/shm", prefix="memdir-tests-") as directory:
        yield ("--basetemp", f"{directory}/run")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
