"""``python -m tests.benchmarks.evidence``: refresh over memories that all cite a script, in many package.json files.

One row a situation, every figure the best of several runs and a ratio to the same interpreter doing nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from memdir_cli.domain.memory import Memory
from memdir_cli.probes import registry
from memdir_cli.probes.ground import Ground as Workspace
from memdir_cli.storage import config
from tests.benchmarks.memdirs import AREAS, ASKED, KEY, REPOSITORY, SCRIPTS, TEXT, USER, _fill, _memory, _word
from tests.benchmarks.table import BARE, Ground, Measured, _stopped
from tests.sandbox import Sandbox, isolated

#: Every memory depends on one script of one of the packages.
MEMORIES, PACKAGES = 10_000, 200

FIRST, NOTHING = "nothing has changed, without cache", "nothing has changed"
ONE, DRY = "one package.json has changed", "all have changed, `--dry-run`"

Figures = dict[str, Measured]


def furnished(root: Path, memories: int, packages: int) -> tuple[Sandbox, Path]:
    """A monorepo whose memories each cite a script."""
    sandbox = isolated(root)
    top = sandbox.repository("legacy-dashboard")
    for number in range(packages):
        write_package(top, number)
    project = config.new_project_config(REPOSITORY, KEY)
    _fill(top / ".memdir", "project", project, _citing(memories, packages, Workspace(str(top))))
    _fill(sandbox.user_memdir, "user", config.new_user_config(USER, KEY), [_memory(0, "user", ASKED, value="npm")])
    (top / ".memdir/.gitignore").write_text("/local/\n/inbox/\n", encoding="utf-8")
    return sandbox, top


def write_package(top: Path, number: int, command: str = "vite") -> None:
    """The package.json of one package."""
    file = top / f"packages/{_word(number)}/package.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    scripts = {name: f"{command} {name}" for name in SCRIPTS}
    file.write_text(json.dumps({"name": _word(number), "version": "1.0.0", "scripts": scripts}), encoding="utf-8")


def measure(memories: int, packages: int, rounds: int, python: str) -> Figures:
    """The situations and the bare interpreter."""
    with TemporaryDirectory() as directory:
        sandbox, top = furnished(Path(directory).resolve(), memories, packages)
        ground = Ground(sandbox, top, python)
        refresh = memdir(ground, "refresh")
        found = {
            BARE: _best(ground, ground.argv(BARE, 0), rounds),
            FIRST: _best(ground, refresh, rounds),
        }
        changed = []
        for number in range(rounds + 1):
            write_package(top, number % packages, f"webpack {number}")
            changed += _run(ground, refresh, 1)
        found[ONE] = Measured(min(changed[1:])[0], min(peak for _, peak in changed[1:]))
        # by now a writer has left a cache of what it read
        found[NOTHING] = _best(ground, refresh, rounds)
        for number in range(packages):
            write_package(top, number, "rollup")
        found[DRY] = _best(ground, [*refresh, "--dry-run"], rounds)
        return found


def markdown(found: Figures, memories: int, packages: int) -> str:
    """The table."""
    head = f"| `memdir refresh`, {memories:,} memories over {packages:,} package.json | time | memory |"
    rows = [
        f"| {name} | {one.seconds / found[BARE].seconds:.1f} | {one.peak / found[BARE].peak:.1f} |"
        for name, one in found.items()
    ]
    return "\n".join([head, "| --- | ---: | ---: |", *rows])


def _citing(memories: int, packages: int, workspace: Workspace) -> Iterator[Memory]:
    for number in range(memories):
        script = SCRIPTS[number // packages % len(SCRIPTS)]
        probe = f"packages/{_word(number % packages)}/package.json#scripts.{script}"
        yield _memory(
            number,
            "project",
            f"{AREAS[number % 8]}.{_word(number)}-{number}",
            value=f"npm run {script}",
            body=TEXT * (number % 3),
            evidence=[registry.take(probe, workspace)[0]],
            path=f"packages/{_word(number % packages)}/**",
        )


def memdir(ground: Ground, *words: str) -> list[str]:
    """A command line of the environment that is measured."""
    script = Path(ground.python).with_name("memdir")
    return [str(script), *words] if script.exists() else [ground.python, "-m", "memdir_cli", *words]


def _best(ground: Ground, argv: list[str], rounds: int) -> Measured:
    runs = _run(ground, argv, rounds + 1)[1:]
    return Measured(min(seconds for seconds, _ in runs), min(peak for _, peak in runs))


def _run(ground: Ground, argv: list[str], times: int) -> list[tuple[float, int]]:
    results = _stopped(ground, [argv] * times)
    assert all(status == 0 for _, _, status in results), argv
    return [(seconds, peak) for seconds, peak, _ in results]


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.evidence", description=__doc__)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--packages", type=int, default=PACKAGES)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each situation, of which the best counts")
    given = parser.parse_args(arguments)
    found = measure(given.memories, given.packages, given.rounds, sys.executable)
    print(markdown(found, given.memories, given.packages))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
