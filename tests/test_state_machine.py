"""Long runs of verbs, hand edits and crashes, compared step by step with a small model."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Layer, Record, Snapshot
from memdir_cli.domain.statement import Provenance, Statement
from memdir_cli.errors import FaultError
from memdir_cli.operations.confirm import confirm
from memdir_cli.operations.correct import correct
from memdir_cli.operations.get import get
from memdir_cli.operations.init import init
from memdir_cli.operations.remember import remember
from memdir_cli.operations.settle import settle
from memdir_cli.operations.workplace import Workplace, open_workplace
from memdir_cli.storage import index
from memdir_cli.storage.store import Store
from tests.sandbox import Sandbox, isolated
from tests.state_model import Entry, Model, Spot, Standing, Who, expected_of_get
from tests.storage.faulty import SimulatedCrash, faulty, temporaries

FULL = os.environ.get("MEMDIR_STORM") == "full"

LEVELS: tuple[Level, ...] = ("repository", "user")
KEYS = ("lint",)
VALUES = ("one", "two", "- no: 0755 #")

spots = st.tuples(st.sampled_from(LEVELS), st.sampled_from(KEYS))
values = st.sampled_from(VALUES)
speakers: st.SearchStrategy[Who] = st.sampled_from(["person", "claim", "agent"])
#: The call at which the process dies; most verbs make some hundred.
moments = st.none() | st.none() | st.integers(1, 260)

Verb = Callable[[], WriteAnswer]


@pytest.fixture(scope="module")
def template() -> Any:
    """A repository with one commit, copied for every run; git is slow to make one."""
    with tempfile.TemporaryDirectory() as folder:
        yield isolated(Path(folder)).repository("app")


class Memdirs(RuleBasedStateMachine):
    """One user in one repository."""

    template: Path

    @initialize()
    def found(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.sandbox: Sandbox = isolated(self.folder)
        self.top = self.folder / "app"
        shutil.copytree(self.template, self.top)
        self.sandbox.user_memdir.mkdir(parents=True, mode=0o700)
        (self.sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")
        self.model: Model = {(level, key): Entry() for level in LEVELS for key in KEYS}
        self.ids: dict[Spot, str] = {}
        self.heard = 0
        init(self.open(git=True))

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # verbs

    @rule(spot=spots, value=values, who=speakers, explicit=st.booleans(), crash=moments)
    def remember(self, spot: Spot, value: str, who: Who, explicit: bool, crash: int | None) -> None:
        said = Statement(spot[1], value, spot[0], explicit=explicit, provenance=self.word(who))
        self.act(
            spot,
            lambda: remember(self.open(), said),
            lambda entry: entry.remember(value, who, explicit=explicit, level=spot[0]),
            crash,
        )

    @rule(spot=spots, value=values, crash=moments)
    def claim(self, spot: Spot, value: str, crash: int | None) -> None:
        self.remember(spot, value, "claim", explicit=False, crash=crash)

    @rule(value=values, crash=moments)
    def notice(self, value: str, crash: int | None) -> None:
        self.remember(("repository", KEYS[0]), value, "agent", explicit=False, crash=crash)

    @rule(spot=spots, value=values, who=speakers, crash=moments)
    def correct(self, spot: Spot, value: str, who: Who, crash: int | None) -> None:
        said = Statement(spot[1], value, spot[0], provenance=self.word(who))
        self.act(
            spot, lambda: correct(self.open(), said), lambda entry: entry.correct(value, who, level=spot[0]), crash
        )

    @precondition(lambda self: any(entry.waiting for entry in self.model.values()))
    @rule(data=st.data(), crash=moments)
    def confirm_a_candidate(self, data: st.DataObject, crash: int | None) -> None:
        waiting = [(spot, value) for spot, entry in self.model.items() for value in sorted(entry.waiting)]
        spot, value = data.draw(st.sampled_from(waiting))
        (candidate,) = (r.memory for r in self.records(spot, "inbox") if r.memory.value == value)
        word = self.word("person")
        self.act(
            spot,
            lambda: confirm(self.open(), candidate.id, word),
            lambda entry: entry.confirm_candidate(value),
            crash,
        )

    @precondition(lambda self: any(isinstance(entry.current, str) for entry in self.model.values()))
    @rule(data=st.data(), crash=moments)
    def confirm_what_stands(self, data: st.DataObject, crash: int | None) -> None:
        spot = data.draw(st.sampled_from(sorted(s for s, e in self.model.items() if isinstance(e.current, str))))
        word = self.word("person")
        self.act(spot, lambda: confirm(self.open(), self.ids[spot], word), lambda _: "confirmed", crash)

    @precondition(lambda self: any(isinstance(entry.current, frozenset) for entry in self.model.values()))
    @rule(data=st.data(), crash=moments)
    def settle(self, data: st.DataObject, crash: int | None) -> None:
        conflicts = sorted(spot for spot, entry in self.model.items() if isinstance(entry.current, frozenset))
        spot = data.draw(st.sampled_from(conflicts))
        (record,) = self.records(spot, "memories")
        side = data.draw(st.sampled_from(record.memory.sides))
        word = self.word("claim")
        self.act(
            spot,
            lambda: settle(self.open(), record.memory.id, side.id, word),
            lambda entry: entry.settle(side.value or ""),
            crash,
        )

    @precondition(lambda self: self.heard % 5 == 4)
    @rule()
    def init_again(self) -> None:
        init(self.open(git=True))

    # hands

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), number=st.integers(0, 99), form=st.sampled_from(["# note {}", "ticket{}: A-{}"]))
    def write_into_a_header(self, data: st.DataObject, number: int, form: str) -> None:
        spot, file = self.some_file(data)
        line = form.format(number, number)
        if line not in self.model[spot].notes:
            head, fence, rest = file.read_text("utf-8").partition("\nstatus:")
            file.write_text(f"{head}\n{line}{fence}{rest}", "utf-8")
            self.model[spot].notes.add(line)

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def delete_a_file(self, data: st.DataObject) -> None:
        spot, file = self.some_file(data)
        file.unlink()
        self.model[spot].delete()
        del self.ids[spot]

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), value=values)
    def move_a_file(self, data: st.DataObject, value: str) -> None:
        spot, file = self.some_file(data)
        moved = file.with_name("moved.md")
        file.rename(moved)
        before = self.files()
        said = Statement(spot[1], value, spot[0], explicit=True, provenance=self.word("person"))
        with pytest.raises(FaultError) as fault:
            remember(self.open(), said)
        assert fault.value.code == "misplaced"
        assert self.files() == before, "nothing is written while a file lies in the wrong place"
        moved.rename(file)

    # what must hold after every step

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "model"):
            return
        place = self.open()
        lying = {store.layer: store.snapshot() for store in place.stores}
        self.files_hold_what_the_model_holds(lying)
        everything = [record for snapshot in lying.values() for record in snapshot.records]
        no_id_is_there_twice(everything)
        the_chain_has_no_gap(everything)
        for key in KEYS:
            answer = get(place, key, feeds=False)
            assert (answer.exit_status, answer.value) == expected_of_get(self.model, key)

    def files_hold_what_the_model_holds(self, lying: dict[Layer, Snapshot]) -> None:
        for spot, entry in self.model.items():
            records = [r for r in lying[layer_of(spot)].records if r.memory.predicate == spot[1]]
            assert seen(records) == wanted(entry), spot
            for note in entry.notes:
                (record,) = (record for record in records if record.folder == "memories")
                assert f"\n{note}\n" in (self.root(spot) / record.path).read_text("utf-8")

    # how it is done

    def act(self, spot: Spot, verb: Verb, decide: Callable[[Entry], str], crash: int | None) -> None:
        """Carry out a verb, or let it die; the model follows what is there afterwards."""
        after = deepcopy(self.model[spot])
        decision = decide(after)
        died = False
        answer: WriteAnswer | None = None
        with faulty(dying(crash)):
            try:
                answer = verb()
            except SimulatedCrash:
                died = True
        if died:
            before = wanted(self.model[spot])
            found = seen(self.records(spot))
            assert found in (before, wanted(after)), "a crash leaves the state before or after"
            if found == before:
                after = self.model[spot]
        else:
            assert answer is not None
            reached = "asked" if answer.reason == "ask-person" else answer.decision
            assert reached == decision
        self.model[spot] = after
        self.remember_ids()
        if answer is not None and answer.decision != "refused" and answer.reason != "ask-person":
            self.expect_a_tidy_memdir(spot)

    def expect_a_tidy_memdir(self, spot: Spot) -> None:
        """After a write of this memdir: nothing left over, and the index fits the files."""
        store = self.store(spot)
        assert not temporaries(store.root)
        assert not Path(store.root, "local/journal.json").exists()
        written = Path(store.root, "MEMORY.md").read_bytes()
        assert index.render(written, store.snapshot(("memories",)).records) == written

    def remember_ids(self) -> None:
        """An identity keeps its id as long as it stands."""
        for spot, entry in self.model.items():
            if entry.current is None:
                self.ids.pop(spot, None)
                continue
            (record,) = self.records(spot, "memories")
            assert self.ids.setdefault(spot, record.memory.id) == record.memory.id

    def open(self, *, git: bool = False) -> Workplace:
        return open_workplace(str(self.top), self.sandbox.environ, "2026-09-14T09:30:00Z", ask_git=git)

    def word(self, who: Who) -> Provenance:
        """Somebody's word, in a message of its own."""
        self.heard += 1
        if who == "person":
            return Provenance(terminal=True, command_line=f"memdir {self.heard}")
        kind: Any = "user" if who == "claim" else "agent"
        return Provenance(kind, f"words {self.heard}", "s1", f"m{self.heard}")

    def store(self, spot: Spot) -> Store:
        return next(store for store in self.open().stores if store.layer == layer_of(spot))

    def root(self, spot: Spot) -> Path:
        return self.sandbox.user_memdir if spot[0] == "user" else self.top / ".memdir"

    def records(self, spot: Spot, *folders: str) -> list[Record]:
        found = self.store(spot).snapshot(folders)
        assert not found.unreadable
        return [record for record in found.records if record.memory.predicate == spot[1]]

    def some_file(self, data: st.DataObject) -> tuple[Spot, Path]:
        """The file of a current memory, with every unfinished transaction finished first."""
        for store in self.open().stores:
            with store.writing(5):
                pass
        spot = data.draw(st.sampled_from(sorted(self.ids)))
        (record,) = self.records(spot, "memories")
        return spot, self.root(spot) / record.path

    def files(self) -> dict[str, bytes]:
        """Every memory file, index and receipt."""
        return {
            str(path): path.read_bytes()
            for store in self.open().stores
            for path in sorted(Path(store.root).rglob("*"))
            if path.is_file() and not path.name.startswith(("lock", "cache"))
        }


def layer_of(spot: Spot) -> Layer:
    return "user" if spot[0] == "user" else "project"


def seen(records: list[Record]) -> tuple[Standing, int, set[str], Counter[str]]:
    """What a reader finds of one identity."""
    standing = [record.memory for record in records if record.folder == "memories"]
    assert len(standing) <= 1, "at most one current memory an identity"
    current: Standing = None
    for memory in standing:
        current = frozenset(side.value or "" for side in memory.sides) if memory.sides else memory.value
    waiting = [record.memory.value or "" for record in records if record.folder == "inbox"]
    assert len(waiting) == len(set(waiting)), "no candidate is there twice"
    past = Counter(record.memory.value or "" for record in records if record.folder == "history")
    return current, sum(memory.revision for memory in standing), set(waiting), past


def wanted(entry: Entry) -> tuple[Standing, int, set[str], Counter[str]]:
    """The same, as the model has it."""
    return entry.current, entry.revision, entry.waiting, entry.past


def no_id_is_there_twice(everything: list[Record]) -> None:
    refs = Counter(record.memory.ref for record in everything)
    assert max(refs.values(), default=1) == 1
    alive = Counter(record.memory.id for record in everything if record.folder != "history")
    assert max(alive.values(), default=1) == 1


def the_chain_has_no_gap(everything: list[Record]) -> None:
    by_ref = {record.memory.ref: record.memory for record in everything}
    for record in everything:
        memory = record.memory
        follower = by_ref.get(memory.superseded_by)
        if follower is not None:
            assert memory.revision < follower.revision
            # a side of a conflict has an id of its own: what was replaced is the conflict
            assert memory.ref == follower.supersedes or memory.id != follower.id
        if memory.supersedes and not memory.sides:
            assert any(one.superseded_by == memory.ref for one in by_ref.values()), "what was replaced is in history"


def dying(moment: int | None) -> Callable[..., Any]:
    """The process dies at a call; syncing is left out, for nobody pulls a plug here."""

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if moment is not None and call >= moment:
            raise SimulatedCrash
        return 0 if name == "fsync" else None

    return plan


@pytest.mark.slow
def test_memdirs_behave_as_the_model_says(template: Path) -> None:
    Memdirs.template = template
    machine = Memdirs.TestCase
    machine.settings = settings(
        max_examples=500 if FULL else 40,
        stateful_step_count=40 if FULL else 30,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine().runTest()
