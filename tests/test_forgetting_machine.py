"""Long runs of saying, forgetting, putting old files back and dying in between: what is gone stays gone."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.forgetting import ForgetAnswer
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance, Statement
from memdir_cli.errors import PersonNeededError, RefusedError, UsageError
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.archive import archive
from memdir_cli.operations.check import check
from memdir_cli.operations.context import context
from memdir_cli.operations.correct import correct
from memdir_cli.operations.forget import forget
from memdir_cli.operations.get import get
from memdir_cli.operations.init import init
from memdir_cli.operations.remember import remember
from memdir_cli.operations.repair import repair
from memdir_cli.operations.restore import restore
from memdir_cli.operations.workplace import Workplace, open_workplace
from tests.sandbox import Sandbox, isolated
from tests.storage.faulty import SimulatedCrash, faulty, temporaries
from tests.test_state_machine import dying

FULL = os.environ.get("MEMDIR_STORM") == "full"

Spot = tuple[Level, str]
SPOTS: tuple[Spot, ...] = (("repository", "host"), ("user", "host"), ("repository", "port"))

spots = st.sampled_from(SPOTS)
moments = st.none() | st.none() | st.integers(1, 400)


@pytest.fixture(scope="module")
def template() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        yield isolated(Path(folder)).repository("app")


class Forgetting(RuleBasedStateMachine):
    """One user in one repository.

    :ivar said: by spot, every text that was said since it was last forgotten.
    :ivar gone: by spot, every text that was forgotten.
    :ivar old: memory files as they once were, by path, of what was forgotten since.
    :ivar back: those of them that a hand has put back and nobody has taken out.
    """

    template: Path

    @initialize()
    def found(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.sandbox: Sandbox = isolated(self.folder)
        self.top = self.folder / "app"
        shutil.copytree(self.template, self.top)
        self.sandbox.user_memdir.mkdir(parents=True, mode=0o700)
        (self.sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")
        self.said: dict[Spot, set[str]] = {spot: set() for spot in SPOTS}
        self.gone: dict[Spot, set[str]] = {spot: set() for spot in SPOTS}
        self.forgotten: set[Spot] = set()
        self.old: dict[Path, bytes] = {}
        self.back: set[Path] = set()
        self.heard = 0
        init(self.open())

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # verbs

    @rule(spot=spots, after_forget=st.booleans(), replaces=st.booleans(), crash=moments)
    def a_user_says(self, spot: Spot, after_forget: bool, replaces: bool, crash: int | None) -> None:
        text, by = self.text("user"), self.word("user")
        statement = Statement(spot[1], text, spot[0], after_forget=after_forget, explicit=replaces, provenance=by)
        act = correct if replaces else remember
        answer = self.act(lambda: act(self.open(), statement), crash)
        assert answer is None or answer.decision in {"created", "superseded", "conflicted"}
        if self.lies(text):
            self.said[spot].add(text)
            self.forgotten.discard(spot)

    @rule(spot=spots, crash=moments)
    def an_agent_says(self, spot: Spot, crash: int | None) -> None:
        text, statement = self.text("agent"), Statement
        said = statement(spot[1], text, spot[0], provenance=self.word("agent"), type="fact")
        answer = self.act(lambda: remember(self.open(), said), crash)
        if spot in self.forgotten:
            assert answer is None or (answer.decision, answer.reason) == ("refused", "forgotten")
            assert not self.lies(text)
        elif self.lies(text):
            self.said[spot].add(text)

    @rule(spot=spots, number=st.integers(0, 9), crash=moments)
    def an_agent_says_again_what_was_forgotten(self, spot: Spot, number: int, crash: int | None) -> None:
        known = sorted(text for texts in self.gone.values() for text in texts)
        if known:
            said = Statement("elsewhere", known[number % len(known)], spot[0], provenance=self.word("agent"))
            answer = self.act(lambda: remember(self.open(), said), crash)
            assert answer is None or (answer.decision, answer.reason) in {
                ("refused", "forgotten"), ("refused", "user-level"),
            }  # fmt: skip

    @rule(spot=spots, crash=moments)
    def forget(self, spot: Spot, crash: int | None) -> None:
        kept = {path: path.read_bytes() for path in self.memory_files() if self.holds(path, self.said[spot])}
        wanted = Wanted(spot[1], level=spot[0])
        try:
            self.act(lambda: forget(self.open(), wanted, self.word("agent")), crash)
        except UsageError:
            assert not kept
            return
        self.heal()
        if self.said[spot] and not any(self.lies(text) for text in self.said[spot]):
            self.gone[spot] |= self.said[spot]
            self.said[spot] = set()
            self.forgotten.add(spot)
            self.old |= kept
            self.back -= {path for path in self.back if not path.exists()}

    @precondition(lambda self: self.old)
    @rule(data=st.data())
    def an_old_file_comes_back(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.old)))
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(self.old[path])
            self.back.add(path)

    @precondition(lambda self: self.back)
    @rule(crash=moments)
    def what_came_back_is_taken_out(self, crash: int | None) -> None:
        self.act(lambda: repair(self.open()), crash)
        repair(self.open())
        assert not [path for path in self.back if self.is_old(path)]
        self.back = set()

    @rule(spot=spots, crash=moments)
    def put_away(self, spot: Spot, crash: int | None) -> None:
        self.quietly(lambda: archive(self.open(), spot[1], self.word("agent"), scope=spot[0]), crash)

    @rule(spot=spots, crash=moments)
    def take_back(self, spot: Spot, crash: int | None) -> None:
        self.quietly(lambda: restore(self.open(), spot[1], self.word("agent"), scope=spot[0]), crash)

    # what must hold after every step

    @invariant()
    def what_is_gone_is_served_to_nobody(self) -> None:
        if not hasattr(self, "gone"):
            return
        place = self.open()
        shown = str(context(place, feeds=False).document())
        shown += "".join(str(get(place, key, feeds=False).document()) for key in ("host", "port", "elsewhere"))
        assert not [text for texts in self.gone.values() for text in texts if text in shown]

    @invariant()
    def what_is_gone_lies_nowhere_but_where_a_hand_has_put_it(self) -> None:
        if not hasattr(self, "gone"):
            return
        self.back = {path for path in self.back if self.is_old(path)}
        texts = {text for one in self.gone.values() for text in one}
        lying = {path for path in self.files() if self.holds(path, texts)}
        assert lying <= self.back, lying - self.back
        findings = [finding.code for finding in check(self.open()).findings]
        in_project = [path for path in self.back if self.top in path.parents]
        assert (findings.count("M732") > 0) == bool(in_project)

    # how it is done

    def act(self, verb: Callable[[], Any], crash: int | None) -> Any:
        """Carry out a verb, or let it die; what an ordinary writer does afterwards follows."""
        answer: WriteAnswer | ForgetAnswer | None = None
        with faulty(dying(crash)):
            try:
                answer = verb()
            except SimulatedCrash:
                answer = None
        self.heal()
        return answer

    def quietly(self, verb: Callable[[], Any], crash: int | None) -> None:
        """Archive or restore what may not be there, or was forgotten."""
        with suppress(UsageError, PersonNeededError, RefusedError):
            self.act(verb, crash)

    def heal(self) -> None:
        """What the next writer of each memdir does first."""
        for store in self.open().stores:
            with store.writing(5):
                pass
            assert not temporaries(store.root)
            assert not Path(store.root, "local/journal.json").exists()
            assert not Path(store.root, "local/prepared.json").exists()

    def open(self) -> Workplace:
        return open_workplace(str(self.top), self.sandbox.environ, "2026-09-14T09:30:00Z", ask_git=True)

    def text(self, who: str) -> str:
        """A text that nothing else says."""
        return f"kestrel-{self.heard:04d}-{who}.internal.example"

    def word(self, who: str) -> Provenance:
        self.heard += 1
        kind: Any = who
        return Provenance(kind, f"words {self.heard}", "s1", f"m{self.heard}")

    def files(self) -> list[Path]:
        roots = (self.top / ".memdir", self.sandbox.user_memdir)
        return [path for root in roots for path in root.rglob("*") if path.is_file()]

    def memory_files(self) -> list[Path]:
        return [path for path in self.files() if path.suffix == ".md" and path.name != "MEMORY.md"]

    def holds(self, path: Path, texts: set[str]) -> bool:
        content = path.read_bytes()
        return any(text.encode() in content for text in texts)

    def is_old(self, path: Path) -> bool:
        return path.exists() and path.read_bytes() == self.old[path]

    def lies(self, text: str) -> bool:
        """Whether any file holds a text."""
        return any(self.holds(path, {text}) for path in self.files())


@pytest.mark.slow
def test_what_is_forgotten_stays_gone(template: Path) -> None:
    Forgetting.template = template
    machine = Forgetting.TestCase
    machine.settings = settings(
        max_examples=300 if FULL else 25,
        stateful_step_count=40 if FULL else 25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine().runTest()
