"""Many writers that say and forget at once: what was forgotten is nowhere, what was said and kept is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir_cli.operations.check import check
from memdir_cli.operations.workplace import open_workplace
from tests.quick_folder import quick_folder
from tests.sandbox import NOW, Sandbox, isolated

WRITERS, ROUNDS = 8, 6
PROJECT = Path(__file__).parent.parent

#: ``python -c WRITER NUMBER ROUNDS``: say a value for a key of one's own and for one of everybody's, forget some.
WRITER = """\
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from memdir_cli.cli.entry import enter
number, rounds = int(sys.argv[1]), int(sys.argv[2])

def run(*words):
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        status = enter([*words, "--json", "--lock-timeout", "120"])
    print(json.dumps({"words": words, "exit": status, "answer": json.loads(out.getvalue())}), flush=True)

for turn in range(rounds):
    scope = ("repository", "user")[(number + turn) % 2]
    user = ("--from", "user", "--said", f"say {number} {turn}", "--session", f"s{number}", "--message", f"m{turn}")
    value = f"kestrel-{number:02d}-{turn:02d}.internal.example"
    run("remember", f"own-{number}-{turn}", value, "--scope", scope, *user)
    run("correct", "shared", f"shared-{value}", "--scope", scope, *user)
    if turn % 2:
        run("forget", f"own-{number}-{turn}", "--yes")
    if turn == rounds - 1 and number % 3 == 0:
        run("forget", "shared", "--all-scopes", "--yes")
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    with quick_folder(tmp_path) as folder:
        yield isolated(folder / "place")


def test_what_was_forgotten_in_a_storm_is_nowhere_and_the_rest_is_there(sandbox: Sandbox) -> None:
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    top = sandbox.repository("app", init=True)
    environ = {**sandbox.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", WRITER]
    writers = [
        subprocess.Popen([*command, str(number), str(ROUNDS)], cwd=top, env=environ, stdout=subprocess.PIPE)
        for number in range(WRITERS)
    ]
    lines = [line for writer in writers for line in writer.communicate()[0].splitlines()]
    told = [json.loads(line) for line in lines]
    assert len(told) == WRITERS * (2 * ROUNDS + ROUNDS // 2) + (WRITERS + 2) // 3
    wrong = [one for one in told if one["words"][0] == "remember" and one["exit"] != 0]
    assert wrong == [], "keys of one's own are nobody else's business"
    kept: set[str] = set()
    gone: set[str] = set()
    for number in range(WRITERS):
        for turn in range(ROUNDS):
            (gone if turn % 2 else kept).add(f"kestrel-{number:02d}-{turn:02d}.internal.example")
    roots = (top / ".memdir", sandbox.user_memdir)
    files = {path: path.read_bytes() for root in roots for path in root.rglob("*") if path.is_file()}
    own = {path: content for path, content in files.items() if path.name.startswith("own-")}
    for value in kept:
        assert [path for path, content in own.items() if value.encode() in content], value
    for value in gone:
        mark = f"value: {value}".encode()
        assert not [path for path, content in files.items() if mark in content], value
    workplace = open_workplace(str(top), sandbox.environ, NOW, ask_git=True)
    assert check(workplace, strict=True).findings == ()
    forgets = [one for one in told if one["words"][0] == "forget"]
    assert {one["exit"] for one in forgets} <= {0, 2, 5}, "done, or somebody else was quicker"
    assert all(one["exit"] == 0 for one in forgets if one["words"][1] != "shared")
