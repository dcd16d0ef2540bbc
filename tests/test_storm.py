"""Many writers at once on the same memdirs: nothing acknowledged is lost, doubled or torn.

``MEMDIR_STORM=full`` starts a process for every command, on the disk instead of in memory.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memdir_cli.storage.store import Store
from tests.quick_folder import quick_folder
from tests.sandbox import Sandbox, isolated
from tests.storm import Acknowledged, commands, faults, note, notes

FULL = os.environ.get("MEMDIR_STORM") == "full"
WRITERS, WRITES = 16, 20
PROJECT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A repository whose user accepts claims; in memory, where syncing is quick, unless the storm is a full one."""
    with quick_folder(tmp_path, on_disk=FULL) as folder:
        yield Place(folder)


class Place:
    """One user in one repository, and the folder of the writers' notes."""

    def __init__(self, folder: Path) -> None:
        self.sandbox: Sandbox = isolated(folder / "place")
        self.sandbox.user_memdir.mkdir(parents=True, mode=0o700)
        (self.sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
        self.top = self.sandbox.repository("app", init=True)
        self.notes = folder / "notes"
        self.notes.mkdir()
        self.environ = {**self.sandbox.environ, "PYTHONPATH": str(PROJECT)}

    @property
    def stores(self) -> tuple[Store, Store]:
        return Store(str(self.sandbox.user_memdir), "user"), Store(str(self.top / ".memdir"), "project")

    def writer(self, number: int, *options: str) -> subprocess.Popen[bytes]:
        """A process that waits to write 20 times."""
        command = [sys.executable, "-m", "tests.storm", str(self.notes), str(number), str(WRITES), *options]
        process = subprocess.Popen(
            command, cwd=self.top, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process

    def storm(self, *options: str, kill: int = 0) -> list[Acknowledged]:
        """Let all writers loose at once; ``kill`` of them are killed at some moment."""
        writers = [self.writer(number, *options) for number in range(WRITERS)]
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write(b"go\n")
            writer.stdin.close()
        chance = random.Random()
        for number in range(kill):
            # as soon as it has written something, and before it has written everything
            log = self.notes / f"writer-{number}.jsonl"
            target = chance.randrange(1, WRITES // 2)
            while writers[number].poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < target):
                time.sleep(0.005)
            time.sleep(chance.random() * 0.05)
            writers[number].kill()
        for writer in writers:
            writer.wait(timeout=300)
            assert writer.stdout is not None
            writer.stdout.close()
        return notes(self.notes)

    def storm_of_processes(self, *, killed: float = 0.0) -> tuple[list[Acknowledged], int]:
        """The same, a process for every command; the share ``killed`` of them dies at some moment."""

        def write(number: int) -> int:
            deaths = 0
            chance = random.Random()
            with (self.notes / f"writer-{number}.jsonl").open("a", encoding="utf-8") as log:
                for key, value, message, line in commands(number, WRITES):
                    process = subprocess.Popen(
                        [sys.executable, "-m", "memdir_cli", *line],
                        cwd=self.top,
                        env=self.environ,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL,
                    )
                    if chance.random() < killed:
                        time.sleep(chance.random() * 4)
                        process.kill()
                    heard, _ = process.communicate(timeout=300)
                    if process.returncode < 0:
                        deaths += 1
                    else:
                        log.write(note(key, value, message, process.returncode, heard.decode()))
            return deaths

        with ThreadPoolExecutor(WRITERS) as pool:
            deaths = sum(pool.map(write, range(WRITERS)))
        return notes(self.notes), deaths

    def heal(self) -> None:
        """One ordinary command in each memdir."""
        for scope in ("repository", "user"):
            said = ("--from", "user", "--said", "heal", "--session", "s", "--message", f"heal-{scope}")
            done = self.sandbox.run("remember", "healed", "yes", "--scope", scope, *said, cwd=self.top)
            assert done.exit == 0, done.stderr

    def check(self) -> None:
        """``memdir check`` finds no error."""
        done = self.sandbox.run("check", cwd=self.top)
        assert done.exit == 0, done.stdout + done.stderr


def test_sixteen_writers_lose_nothing(place: Place) -> None:
    acknowledged = place.storm_of_processes()[0] if FULL else place.storm()
    assert len(acknowledged) == WRITERS * WRITES
    assert faults(place.stores, acknowledged) == []
    assert sum(one.wrote for one in acknowledged) > WRITERS * WRITES // 2
    place.check()


def test_killed_writers_take_nothing_of_others_with_them(place: Place) -> None:
    if FULL:
        acknowledged, deaths = place.storm_of_processes(killed=0.1)
        assert deaths > 5
        assert len(acknowledged) == WRITERS * WRITES - deaths
    else:
        acknowledged = place.storm(kill=2)
        assert WRITERS * WRITES * 3 // 4 < len(acknowledged) < WRITERS * WRITES
    place.heal()
    assert faults(place.stores, acknowledged) == []
    place.check()


def test_without_the_lock_the_same_storm_does_harm(place: Place) -> None:
    acknowledged = place.storm("--unlocked")
    found = faults(place.stores, acknowledged)
    lost = [fault for fault in found if not fault.startswith("exit ")]
    assert lost, "an oracle that finds nothing here would prove nothing above"
