"""Whatever lies in a memdir, beside it, or on the command line: a documented status, in time, in little memory.

``MEMDIR_SWEEP=full`` plays 10,000 cases in process and 300 through the real command; otherwise a tenth of them.
A case that fails is shown whole by ``python -m tests.fuzz FOLDER NUMBER``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.cli.app import COMMANDS
from tests.fuzz import cases, tokens
from tests.fuzz.declared import ENDLESS
from tests.fuzz.entering import entered, spent
from tests.fuzz.playing import BYTES, Ground, broken_promise
from tests.quick_folder import quick_folder

FULL = os.environ.get("MEMDIR_SWEEP") == "full"
CASES = 10_000 if FULL else 1_000
COMMANDED = 300 if FULL else 30

#: Processes that share the cases.
PARTS = 4

#: Cases that are played through the real command have numbers of their own.
FIRST_COMMANDED = 100_000

ROOT = Path(__file__).resolve().parent.parent


def test_verbs_that_have_lines_of_their_own_exist() -> None:
    assert cases.LINES.keys() | ENDLESS.keys() <= {entry.verb for entry in COMMANDS}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_files_are_met_with_a_documented_status(tmp_path: Path, part: int) -> None:
    with quick_folder(tmp_path) as folder:
        command = [sys.executable, "-m", "tests.fuzz", str(folder), str(part), str(CASES), str(PARTS)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert sum(told["ends"].values()) == 2 * CASES // PARTS
    assert min(told["ends"].get(status, 0) for status in "01236") > CASES // 400, "each way to end is met"


@pytest.mark.slow
def test_the_real_command_keeps_the_same_promises(tmp_path: Path) -> None:
    with quick_folder(tmp_path) as folder:
        ground = Ground(folder)
        for number in range(FIRST_COMMANDED, FIRST_COMMANDED + COMMANDED):
            place, case = ground.prepared(number)
            words = [word.replace("\0", "") for word in case.commands[0]]
            done = spent(words, place.top, {**place.sandbox.environ, **case.environ}, case.stdin)
            assert broken_promise(done) == "", (number, done)
            assert done.peak < BYTES, number


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        return Ground(tmp_path_factory.mktemp("ground"))


KEYS = st.sampled_from(tokens.KEYS)
SCALARS = st.sampled_from(tokens.SCALARS) | st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass"))
PAIRS = st.tuples(KEYS, SCALARS).map(b": ".join)
LINES = PAIRS | st.sampled_from(tokens.BYTES) | st.binary(max_size=10)

#: What is read, and by which verbs.
READ = {
    "app/.memdir/memories/build.md": [
        ("check",),
        ("get", "build"),
        ("show", "build", "--json"),
        ("repair", "--dry-run"),
    ],
    "app/.memdir/config.yaml": [("check", "--json"), ("list",), ("remember", "k", "v", "--scope", "repository")],
    "app/.memdir/MEMORY.md": [("check",), ("repair",), ("remember", "k", "v", "--scope", "repository")],
    "app/package.json": [("check",), ("refresh", "--dry-run"), ("get", "build", "--json")],
    "home/.local/share/memdir/config.yaml": [("whoami",), ("check",), ("remember", "k", "v", "--scope", "user")],
}


@settings(max_examples=1000 if FULL else 60, suppress_health_check=list(HealthCheck))
@given(data=st.data(), path=st.sampled_from(sorted(READ)), added=st.lists(LINES, max_size=6))
def test_lines_of_any_kind_between_the_lines_of_a_file(
    ground: Ground, data: st.DataObject, path: str, added: list[bytes]
) -> None:
    place = ground.place(ground.lived)
    lines = (place.root / path).read_bytes().split(b"\n")
    for line in added:
        at = data.draw(st.integers(0, len(lines)))
        lines[at : at + data.draw(st.integers(0, 1))] = [line]
    (place.root / path).write_bytes(b"\n".join(lines))
    words = data.draw(st.sampled_from(READ[path]))
    done = entered(words, cwd=place.top, environ=place.sandbox.environ)
    assert broken_promise(done) == "", done
