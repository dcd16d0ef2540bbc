"""Machines of one user: each has the user memdir as a clone of the same remote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.syncing import SyncAnswer
from memdir_cli.operations.check import check
from memdir_cli.operations.repair import repair
from memdir_cli.operations.sync import sync
from memdir_cli.storage import codec
from tests.operations.writing_place import Scene
from tests.sandbox import Outcome, isolated
from tests.sharing.clones import said, told


@dataclass(slots=True)
class Machine:
    """One machine, with a clock of its own."""

    scene: Scene

    @property
    def memdir(self) -> Path:
        """The user memdir."""
        return self.scene.user_memdir

    def git(self, *args: str) -> str:
        """Run git in the user memdir, where it must succeed."""
        return self.scene.sandbox.git(*args, cwd=self.memdir)

    def run(self, *args: str, env: dict[str, str] | None = None) -> Outcome:
        """Run the real command."""
        return self.scene.sandbox.run(*args, cwd=self.scene.top, env={"MEMDIR_NOW": self.scene.now, **(env or {})})

    def remember(self, key: str, value: str) -> WriteAnswer:
        """A person at the terminal says it."""
        return self.scene.remember(key, value, "user", said(f"remember {key} {value}"))

    def correct(self, key: str, value: str) -> WriteAnswer:
        """A person at the terminal corrects it."""
        return self.scene.correct(key, value, "user", said(f"correct {key} {value}"))

    def sync(self) -> SyncAnswer:
        """`memdir sync --user`."""
        return sync(self.scene.open(), user=True)

    def codes(self) -> list[str]:
        """The rules that see something, without remarks."""
        return sorted({one.code for one in check(self.scene.open()).findings if one.severity != "info"})

    def repair(self) -> None:
        """`memdir repair`."""
        repair(self.scene.open())

    def memories(self) -> dict[str, Memory]:
        """Every memory that is shared, by its path."""
        return {
            path.relative_to(self.memdir).as_posix(): codec.parse_memory(path.read_bytes())
            for folder in ("memories", "history", "archive", "quarantine")
            for path in sorted((self.memdir / folder).glob("*.md"))
        }

    def view(self) -> dict[str, tuple[str, str]]:
        """What stands: status and value by key."""
        return {
            memory.predicate: (memory.status, told(memory))
            for path, memory in self.memories().items()
            if path.startswith("memories/")
        }

    def at(self, day: int, hour: int = 8) -> Machine:
        """The same on a day of September."""
        return Machine(self.scene.at(f"2026-09-{day:02}T{hour:02}:00:00Z"))


def machine(root: Path, name: str) -> Machine:
    """A machine without a user memdir."""
    sandbox = isolated(root / name)
    place = sandbox.root / "somewhere"
    place.mkdir()
    return Machine(Scene(sandbox, place, "2026-09-01T08:00:00Z"))


def first(root: Path) -> Machine:
    """The machine on which the user memdir was made a repository, with an empty remote."""
    found = machine(root, "one")
    found.scene.sandbox.git("init", "-q", "--bare", str(root / "remote.git"), cwd=root)
    found.remember("editor", "vim")
    found.git("init", "-q")
    found.git("remote", "add", "origin", str(root / "remote.git"))
    return found


def another(root: Path, name: str) -> Machine:
    """A machine to which the user memdir was cloned."""
    found = machine(root, name)
    found.memdir.parent.mkdir(parents=True)
    found.scene.sandbox.git("clone", "-q", str(root / "remote.git"), str(found.memdir), cwd=root)
    return found.at(2)


def pair(root: Path) -> tuple[Machine, Machine]:
    """Two machines that hold the same."""
    one = first(root)
    one.sync()
    return one.at(3), another(root, "two").at(4)
