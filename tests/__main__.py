"""Everything that has to pass: ``python -m tests``. Lint, types, import floors, tests.

Arguments go to pytest, such as ``python -m tests -k get`` or ``python -m tests -m 'not slow'``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
    tests = ("pytest", "-n", str(os.cpu_count() or 1), "--dist", "worksteal", *arguments)
    for step in (*STEPS, tests):
        print(f"== {' '.join(step)}", flush=True)
        command = [str(beside / step[0]), *step[1:]]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if status:
            print(f"== {step[0]} failed", flush=True)
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
