"""``python -m tests.benchmarks``: print the table of the README.

Every figure is the least processor time of several rounds, and a ratio to the same interpreter doing nothing, which
runs in turn with the commands; milliseconds of one machine say little about another.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks import limits, peers
from tests.benchmarks.table import markdown, measure

_BLOCK = re.compile(r"(<!-- benchmarks -->\n).*?(<!-- end -->)", re.DOTALL)
ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="10,1000,10000", help="numbers of memories, separated by commas")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each command, of which the best counts")
    parser.add_argument("--wheel", action="store_true", help="measure an installed wheel, not this environment")
    parser.add_argument("--callgrind", action="store_true", help="count instructions too, if valgrind is there")
    parser.add_argument("--into", type=Path, help="a document whose block of figures is to be written anew")
    parser.add_argument("--peers", action="store_true", help="measure other checkers, installed for that, as well")
    parser.add_argument("--limits", action="store_true", help="fail where a command over a small memdir is too dear")
    given = parser.parse_args(arguments)
    if given.limits:
        return _limited(given.rounds)
    counts = given.callgrind and shutil.which("valgrind") is not None
    if given.callgrind and not counts:
        print("no valgrind here: instructions are not counted", file=sys.stderr)
    sizes = sorted({int(size) for size in given.sizes.split(",")})
    with _python(wheel=given.wheel) as python, peers.installed(wanted=given.peers) as others:
        table = markdown(measure(sizes, given.rounds, python, callgrind=counts, others=others))
    print(table)
    if given.into:
        text = given.into.read_text(encoding="utf-8")
        given.into.write_text(_BLOCK.sub(lambda match: f"{match[1]}{_when()}\n\n{table}\n{match[2]}", text), "utf-8")
    return 0


def _limited(rounds: int) -> int:
    """Measure a small memdir; 1 if a command takes more than it may."""
    found = measure([limits.SIZE], rounds, sys.executable, callgrind=False)
    print(markdown(found))
    sentences = list(limits.broken(found[limits.SIZE]))
    print(*sentences, sep="\n", file=sys.stderr, end="\n" if sentences else "")
    return 1 if sentences else 0


def _when() -> str:
    """When and where the figures were taken."""
    day = datetime.now(UTC).date().isoformat()
    return f"Taken on {day} with Python {platform.python_version()} on {os.cpu_count()} processors ({sys.platform})."


@contextmanager
def _python(*, wheel: bool) -> Iterator[str]:
    """The interpreter to measure: this one, or that of an environment with the wheel of this tree."""
    if not wheel:
        yield sys.executable
        return
    with TemporaryDirectory() as directory:
        python = str(Path(directory) / "env/bin/python")
        for command in (
            [sys.executable, "-m", "venv", f"{directory}/env"],
            [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", directory, str(ROOT)],
        ):
            subprocess.run(command, check=True)
        built = next(Path(directory).glob("*.whl"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(built)], check=True)
        yield python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
