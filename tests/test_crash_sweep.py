"""Kill, refuse and starve the real command at every system call that changes the disk.

Afterwards every file is its old or its new self, one ordinary command heals, `check` is clean and nothing is left.
``MEMDIR_SWEEP=full`` meets every call with every fault; otherwise a sample of them.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sweep
from tests.quick_folder import quick_folder
from tests.storage.traced import calls
from tests.sweep import FAULTS, SCENARIOS, Place, Scenario, changing_calls, prepared, strace

FULL = os.environ.get("MEMDIR_SWEEP") == "full"

#: Of all calls of a scenario, a sample meets one fault each.
SAMPLE = 1 if FULL else 13

pytestmark = pytest.mark.slow

scenarios = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with quick_folder(tmp_path) as found:
        yield found


class Swept:
    """A scenario, its files before and after its command, and what comes of a fault in between."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        self.scenario = scenario
        self.place = prepared(folder, scenario)
        self.words = tuple(scenario.command(self.place.store))
        self.before = self.place.files()
        self.outcomes: Counter[str] = Counter()
        self.log = folder / "trace"
        self.whole = self.place.copy("whole")
        done = self.whole.run("command", *self.words, under=strace(self.log))
        assert done.returncode in {0, 3}, done.stderr
        self.status = done.returncode
        self.after = self.whole.files()
        assert self.after != self.before
        self.readable = (self.place.readable(), self.whole.readable())

    def meets(self, name: str, *under: str, limit: int | None = None) -> None:
        """Run the command with a fault, and hold what is left to every promise."""
        place = self.place.copy(name)
        with limited(limit):
            done = place.run("command", *self.words, under=under)
        assert "Traceback" not in done.stderr
        assert done.returncode in {self.status, 6, -9}, done.stderr
        assert sweep.torn(place.files(), self.before, self.after) == []
        if self.scenario.name != "init":
            assert place.readable() in self.readable, "a reader finds the state before or after"
        healed = place.run("healing", *self.scenario.heal, "--json", ";", "check")
        assert healed.returncode == 0, healed.stdout + healed.stderr
        assert place.leftovers() == []
        assert sweep.index_fits(place.store)
        if self.scenario.name != "init":
            self.outcomes[self.all_or_nothing(place, done.returncode)] += 1

    def all_or_nothing(self, place: Place, status: int) -> str:
        """Which of the two states was reached; an answer that was given must be true."""
        files = place.files()
        lying, *_, receipts = sweep.without_healing(files), sweep.lines_of_receipts(files)[:-1]
        for name, state in (("before", self.before), ("after", self.after)):
            if (lying, receipts) == (sweep.without_healing(state), sweep.lines_of_receipts(state)):
                # of two memdirs one may be done and the other not; what ordinary writers do heals that
                assert status != 6 or name == "before" or self.scenario.gone, "a fault means that nothing changed"
                self.user_memdir_agrees(place, files, name)
                assert status != self.status or name == "after", "what was acknowledged is there"
                return name
        raise AssertionError(f"neither before nor after: {sorted(lying)}")

    def user_memdir_agrees(self, place: Place, files: dict[str, bytes], name: str) -> None:
        """Both memdirs have forgotten, or none has; and then nothing holds it, not even a temporary file."""
        tombs = [path for path in self.after if path.endswith("tombstones.jsonl")]
        assert {path: files.get(path) for path in tombs} == {
            path: (self.after if name == "after" else self.before).get(path) for path in tombs
        }
        assert place.holds(self.scenario.gone) == (bool(self.scenario.gone) and name == "before")


class limited:  # noqa: N801
    """Let files grow to so many bytes at most, in this process and its children."""

    def __init__(self, size: int | None) -> None:
        self.size = size

    def __enter__(self) -> None:
        self.old = resource.getrlimit(resource.RLIMIT_FSIZE)
        if self.size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.old[1]))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.old)


@pytest.mark.parametrize("fault", FAULTS)
@scenarios
def test_a_fault_at_any_call_leaves_all_or_nothing(folder: Path, scenario: Scenario, fault: str) -> None:
    if not sweep.may_trace():
        pytest.skip("strace is not installed, or may not trace here")
    swept = Swept(folder, scenario)
    every = changing_calls(swept.whole, swept.log)
    assert len(every) > 15
    start = list(FAULTS).index(fault) * 4 % SAMPLE
    for call in every[start::SAMPLE]:
        name = f"{call.name}-{call.ordinal}"
        log = folder / f"{name}.trace"
        swept.meets(name, *strace(log, f"{call.name}:{FAULTS[fault]}:when={call.ordinal}"))
        assert "(INJECTED)" in log.read_text() or "killed by SIGKILL" in log.read_text(), "the fault was met"
        if not FULL:
            continue
        subprocess.run(["rm", "-rf", str(folder / name)], check=True)
    print(f"{scenario.name} {fault}: {len(every)} calls, {dict(swept.outcomes)}")


@scenarios
def test_a_fault_behind_the_last_call_is_not_met(folder: Path, scenario: Scenario) -> None:
    if not sweep.may_trace():
        pytest.skip("strace is not installed, or may not trace here")
    swept = Swept(folder, scenario)
    every = Counter(call.name for call in calls(swept.log))
    log = folder / "behind.trace"
    swept.meets("behind", *strace(log, *(f"{name}:error=EIO:when={count + 1}" for name, count in every.items())))
    assert "(INJECTED)" not in log.read_text(), "the sweep ends where a run meets no fault"
    assert "before" not in swept.outcomes


@scenarios
def test_files_that_may_not_grow_leave_all_or_nothing(folder: Path, scenario: Scenario) -> None:
    swept = Swept(folder, scenario)
    sizes = sorted({len(content) for content in swept.after.values()})
    limits = sorted({1, 64, 300, *(size - 1 for size in sizes), *(size // 2 for size in sizes)} - {0})
    for size in limits if FULL else limits[:: len(limits) // 4 + 1]:
        swept.meets(f"limit-{size}", limit=size)


@scenarios
def test_a_disk_that_fills_up_leaves_all_or_nothing(tmp_path: Path, scenario: Scenario) -> None:
    mounted = tmp_path / "disk"
    mounted.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mounted)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk of a size of its own can be mounted here")
    try:
        swept = Swept(mounted, scenario)
        for pages in range(12) if FULL else (0, 2, 5):
            name = f"room-{pages}"
            filler = mounted / "filler"
            place = swept.place.copy(name)
            fill(filler, leave=pages * 4096)
            done = place.run("command", *swept.words)
            filler.unlink()
            assert done.returncode in {swept.status, 6}, done.stderr
            assert sweep.torn(place.files(), swept.before, swept.after) == []
            healed = place.run("healing", *scenario.heal, "--json", ";", "check")
            assert healed.returncode == 0, healed.stdout + healed.stderr
            assert place.leftovers() == []
            if scenario.name != "init":
                swept.all_or_nothing(place, done.returncode)
            subprocess.run(["rm", "-rf", str(place.folder)], check=True)
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


def fill(filler: Path, *, leave: int) -> None:
    """Write until only so many bytes are free."""
    with filler.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"\0" * 4096)
        except OSError:
            stream.truncate(max(0, stream.tell() - leave))
