"""Three machines of one user say and sync what and when they like: in the end they say the same, and lost nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.archive import archive
from memdir_cli.operations.confirm import confirm
from memdir_cli.operations.expire import expire
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.release import release
from memdir_cli.operations.restore import restore
from tests.sharing import machines
from tests.sharing.clones import said, told
from tests.sharing.machines import Machine

FULL = os.environ.get("MEMDIR_STORM") == "full"

KEYS = ("editor", "shell")

who = st.integers(0, 2)
keys = st.sampled_from(KEYS)


class Machines(RuleBasedStateMachine):
    """Three clones of one user memdir.

    :ivar said: what was acknowledged, by key; every value is said once in a run.
    :ivar forgotten: what a machine held of a key when it forgot it.
    :ivar doubtful: keys that were forgotten or in quarantine anywhere: what others said meanwhile goes with them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        root = Path(self.folder.name)
        one = machines.first(root)
        one.sync()
        self.all = [one, machines.another(root, "two"), machines.another(root, "three")]
        self.hours = 24 * 7
        self.number = 0
        self.said: dict[str, set[str]] = {key: set() for key in KEYS}
        self.forgotten: set[str] = set()
        self.doubtful: set[str] = set()

    def teardown(self) -> None:
        """All sync until nothing moves, and are compared."""
        try:
            for machine in self.all * 2:
                self.now(machine).sync()
            self.compare()
        finally:
            self.folder.cleanup()

    def compare(self) -> None:
        views = [machine.view() for machine in self.all]
        assert views[0] == views[1] == views[2]
        assert len({machine.git("rev-parse", "HEAD") for machine in self.all}) == 1
        for machine in self.all:
            # a release sets aside on its machine what the other side said of it meanwhile
            assert self.now(machine).codes() in ([], ["M714"])
            held = b"".join(
                path.read_bytes()
                for path in machine.memdir.rglob("*")
                if path.is_file() and ".git" not in path.relative_to(machine.memdir).parts
            ).decode("utf-8", "replace")
            lost = {
                value
                for key, values in self.said.items()
                if key not in self.doubtful
                for value in values
                if f"{value}." not in held
            }
            assert not lost, "what was acknowledged is somewhere"
            assert not {value for value in self.forgotten if f"{value}." in held}, "what was forgotten is nowhere"

    def now(self, machine: Machine) -> Machine:
        """The machine an hour later than anything before."""
        self.hours += 1
        return machine.at(1 + self.hours // 24, self.hours % 24)

    def value(self) -> str:
        """A value that nobody said yet; the dot ends it, so that none is part of another."""
        self.number += 1
        return f"value-{self.number}."

    def standing(self, machine: Machine, key: str) -> Any:
        """The wide memory of a key, ``None`` if there is none."""
        path = machine.memdir / f"memories/{key}.md"
        return machine.memories().get(f"memories/{key}.md") if path.exists() else None

    def lying(self, machine: Machine, key: str, folder: str) -> list[str]:
        """The ids of what lies in a folder for a key."""
        found = machine.memories().items()
        return [one.id for path, one in found if path.startswith(f"{folder}/") and one.predicate == key]

    @rule(at=who, key=keys, lift=st.booleans())
    def say(self, at: int, key: str, lift: bool) -> None:
        """A new value for a key, instead of the one that stands."""
        machine = self.now(self.all[at])
        value = self.value()
        if self.standing(machine, key) is not None:
            answer = machine.correct(key, value)
        else:
            answer = machine.scene.remember(key, value, "user", said(f"say {value}"), after_forget=lift)
        if answer.decision in {"created", "superseded"}:
            self.said[key].add(value.rstrip("."))
        else:
            assert answer.decision == "refused", answer
            assert answer.reason in {"forgotten", "quarantined"}

    @rule(at=who, key=keys)
    def describe(self, at: int, key: str) -> None:
        """Another description; the value stays."""
        machine = self.now(self.all[at])
        memory = self.standing(machine, key)
        if memory is not None and not memory.sides:
            machine.scene.remember(key, memory.value, "user", said("describe"), description=self.value(), explicit=True)

    @rule(at=who, key=keys)
    def end(self, at: int, key: str) -> None:
        """It holds no longer."""
        self.on_plain(at, key, lambda machine, ref, by: expire(machine.scene.open(), ref, by))

    @rule(at=who, key=keys)
    def hear(self, at: int, key: str) -> None:
        """It is confirmed."""
        self.on_plain(at, key, lambda machine, ref, by: confirm(machine.scene.open(), ref, by))

    @rule(at=who, key=keys)
    def put_away(self, at: int, key: str) -> None:
        """It goes to the archive."""
        self.on_plain(at, key, lambda machine, ref, by: archive(machine.scene.open(), ref, by))

    @rule(at=who, key=keys)
    def narrow(self, at: int, key: str) -> None:
        """It holds for one topic only."""
        self.on_plain(at, key, lambda machine, ref, by: machine.scene.narrow(ref, by, topic="t"))

    @rule(at=who, key=keys)
    def take_back(self, at: int, key: str) -> None:
        """Out of the archive, where nothing else stands."""
        machine = self.now(self.all[at])
        stored = self.lying(machine, key, "archive")
        if stored and self.standing(machine, key) is None:
            restore(machine.scene.open(), stored[0], said("restore"))

    @rule(at=who, key=keys)
    def settle(self, at: int, key: str) -> None:
        """One side of a conflict is kept."""
        machine = self.now(self.all[at])
        memory = self.standing(machine, key)
        if memory is not None and memory.sides:
            machine.scene.settle(memory.id, memory.sides[0].id, said("settle"))

    @rule(at=who, key=keys)
    def forget(self, at: int, key: str) -> None:
        """Every memory of a key."""
        machine = self.now(self.all[at])
        held = [memory for memory in machine.memories().values() if memory.predicate == key]
        if held:
            machine.scene.forget(key, all_scopes=True)
            self.doubtful.add(key)
            self.forgotten |= {part.rstrip(".") for memory in held for part in told(memory).split("|") if part}

    @rule(at=who, key=keys)
    def seal(self, at: int, key: str) -> None:
        """Out of everybody's reach."""
        self.on_plain(at, key, lambda machine, ref, by: quarantine(machine.scene.open(), ref, "poison", by))
        self.doubtful.add(key)

    @rule(at=who, key=keys)
    def release(self, at: int, key: str) -> None:
        """Out of quarantine, where nothing else stands."""
        machine = self.now(self.all[at])
        held = self.lying(machine, key, "quarantine")
        if held and self.standing(machine, key) is None:
            release(machine.scene.open(), held[0], said("release"))

    @rule(at=who)
    def sync(self, at: int) -> None:
        """One machine syncs."""
        self.now(self.all[at]).sync()

    def on_plain(self, at: int, key: str, act: Any) -> None:
        """A verb on what stands and is not in conflict."""
        machine = self.now(self.all[at])
        memory = self.standing(machine, key)
        if memory is not None and not memory.sides:
            by: Provenance = said(f"act on {key}")
            act(machine, memory.id, by)


@pytest.mark.slow
def test_three_machines_converge() -> None:
    run_state_machine_as_test(
        Machines,
        settings=settings(
            max_examples=200 if FULL else 12,
            stateful_step_count=40 if FULL else 25,
            deadline=None,
            # each step takes a tenth of a second, so that shrinking takes for ever
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
