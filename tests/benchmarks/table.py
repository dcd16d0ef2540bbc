"""Measure the commands over memdirs of several sizes and tell them as ratios to a bare interpreter."""

from __future__ import annotations

import marshal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks import peers
from tests.benchmarks.memdirs import ASKED, furnished
from tests.sandbox import Sandbox

STOPWATCH = Path(__file__).with_name("stopwatch.py")

BARE = "python -c pass"

NO_PEERS: Mapping[str, str] = {}

#: Off a terminal a program writes for a user by passing the user's words on.
SAID = ("--scope", "repository", "--from", "user", "--said", "from now on {n}")

START = ("hook", "session-start", "--agent", "claude")

#: What is measured, in this order. ``{n}`` is another number in every round, so that a write always writes; what reads
#: comes twice, first as after a write.
COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c 'import memdir_cli'": ("-c", "import memdir_cli"),
    "memdir --version": ("--version",),
    "memdir --help": ("--help",),
    "memdir get KEY, after a write": ("get", ASKED),
    "memdir get KEY": ("get", ASKED),
    "memdir context, after a write": ("context",),
    "memdir context": ("context",),
    "memdir hook session-start, after a write": START,
    "memdir hook session-start": START,
    "memdir list, after a write": ("list",),
    "memdir list": ("list",),
    "memdir search TEXT, after a write": ("search", ASKED),
    "memdir search TEXT": ("search", ASKED),
    "memdir remember KEY VALUE": ("remember", "api.timeout-{n}", "{n} seconds", *SAID),
    "memdir correct KEY VALUE": ("correct", ASKED, "npm {n}", *SAID),
    "memdir check, after a write": ("check",),
    "memdir check": ("check",),
    "memdir health": ("health",),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """The best of several runs of one command.

    :ivar peak: most memory held, in KiB.
    :ivar instructions: counted by callgrind in one run, 0 if not counted.
    """

    seconds: float
    peak: int
    instructions: int = 0


@dataclass(frozen=True, slots=True)
class Ground:
    """Where commands run.

    :ivar python: the interpreter of the environment in which memdir is installed.
    """

    sandbox: Sandbox
    top: Path
    python: str

    def argv(self, command: str, number: int) -> list[str]:
        """The command line of a row; the bare interpreter's for :data:`BARE`."""
        if command == BARE:
            return [self.python, "-c", "pass"]
        words = [word.replace("{n}", str(number)) for word in COMMANDS[command]]
        if words[0] == "-c":
            return [self.python, *words]
        memdir = Path(self.python).with_name("memdir")
        return [str(memdir), *words] if memdir.exists() else [self.python, "-m", "memdir_cli", *words]


def measure(
    sizes: Sequence[int], rounds: int, python: str, *, callgrind: bool, others: Mapping[str, str] = NO_PEERS
) -> dict[int, dict[str, Measured]]:
    """Every command over a memdir of every size.

    :param others: programs of :data:`peers.PEERS` by their rows; each runs once over the same headers.
    """
    found: dict[int, dict[str, Measured]] = {}
    for size in sizes:
        with TemporaryDirectory() as directory:
            sandbox, top = furnished(Path(directory).resolve(), size)
            config = sandbox.user_memdir / "config.yaml"
            # only so may a program write for the user without a person
            config.write_bytes(config.read_bytes() + b"gate: {attestation: claimed}\n")
            # counting takes fifty times as long, and only the largest is told
            counted = callgrind and size == max(sizes)
            ground = Ground(sandbox, top, python)
            found[size] = _measured(ground, rounds, callgrind=counted) | _beside(ground, others)
    return found


def markdown(found: Mapping[int, Mapping[str, Measured]]) -> str:
    """The table: a row a command, every figure a ratio to the bare interpreter of the same run.

    The last columns but the growth are of the largest memdir.
    """
    sizes = sorted(found)
    counted = found[sizes[-1]][BARE].instructions > 0
    heads = ["command", *(f"{size:,}" for size in sizes)]
    if len(sizes) > 1:
        heads.append(f"{sizes[-1]:,} / {sizes[-2]:,}")
    heads += ["memory", *(["instructions"] if counted else [])]
    beside = [name for name in peers.PEERS if name in found[sizes[-1]]]
    rows = [_row(command, [found[size] for size in sizes], counted=counted) for command in (BARE, *COMMANDS, *beside)]
    ruler = ["---", *("---:" for _ in heads[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ([*heads], ruler, *rows))


def _row(command: str, by_size: Sequence[Mapping[str, Measured]], *, counted: bool) -> list[str]:
    bare, largest = by_size[-1][BARE], by_size[-1][command]
    cells = [f"`{command}`", *(_ratio(one[command].seconds, one[BARE].seconds) for one in by_size)]
    if len(by_size) > 1:
        smaller = by_size[-2]
        # of the ratios, not of the seconds: the machine may have been busier during one of the runs
        cells.append(_ratio(largest.seconds / bare.seconds, smaller[command].seconds / smaller[BARE].seconds))
    cells.append(_ratio(largest.peak, bare.peak))
    instructions = _ratio(largest.instructions, bare.instructions) if largest.instructions else ""
    return [*cells, *([instructions] if counted else [])]


def _ratio(figure: float, to: float) -> str:
    ratio = figure / to
    return f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"


def _measured(ground: Ground, rounds: int, *, callgrind: bool) -> dict[str, Measured]:
    commands = (BARE, *COMMANDS)
    # the first round, not counted, leaves bytecode and warm files behind
    runs = [(command, ground.argv(command, number)) for number in range(rounds + 1) for command in commands]
    results = _stopped(ground, [argv for _, argv in runs])
    found: dict[str, Measured] = {}
    for command in commands:
        own = [result for (ran, _), result in zip(runs, results, strict=True) if ran == command]
        failed = next((status for _, _, status in own if status), 0)
        if failed:
            raise RuntimeError(f"`{command}` ended with {failed}: {_said(ground, command)}")
        instructions = _instructions(ground, command, rounds + 1) if callgrind else 0
        found[command] = Measured(
            min(seconds for seconds, _, _ in own[1:]), min(peak for _, peak, _ in own[1:]), instructions
        )
    return found


def _beside(ground: Ground, others: Mapping[str, str]) -> dict[str, Measured]:
    """What other programs take for the project's memories, or as many of their own."""
    place, memdir = ground.sandbox.home / "headers", ground.top / ".memdir"
    files = peers.headers(memdir, place) if others else []
    peers.furnish(others, memdir, place.with_name("peers"), ground.top, ground.sandbox.environ)
    runs = [peers.argv(name, program, place, files, memdir) for name, program in others.items()]
    found = dict(zip(others, _stopped(ground, runs) if runs else [], strict=True))
    failed = [name for name, (_, _, status) in found.items() if status not in peers.PEERS[name].ends]
    if failed:
        raise RuntimeError(f"{failed} did not do it")
    return {name: Measured(seconds, peak) for name, (seconds, peak, _) in found.items()}


def _stopped(ground: Ground, command_lines: Iterable[list[str]]) -> list[tuple[float, int, int]]:
    asked = [(argv, str(ground.top)) for argv in command_lines]
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(STOPWATCH)],
        input=marshal.dumps(asked),
        env=dict(ground.sandbox.environ),
        capture_output=True,
        check=True,
    )
    results: list[tuple[float, int, int]] = marshal.loads(done.stdout)
    return results


def _instructions(ground: Ground, command: str, number: int) -> int:
    """What callgrind counts; the hash seed is fixed so that it counts the same again."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes"]
    outcome = ground.sandbox.process(
        *valgrind, *ground.argv(command, number), cwd=ground.top, env={"PYTHONHASHSEED": "0"}, timeout=3600
    )
    counts = [line.split()[-1] for line in outcome.stderr.splitlines() if "Collected :" in line]
    assert counts, outcome.stderr
    return sum(int(count) for count in counts)


def _said(ground: Ground, command: str) -> str:
    return ground.sandbox.process(*ground.argv(command, 0), cwd=ground.top).stderr
