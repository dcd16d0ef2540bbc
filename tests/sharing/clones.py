"""Clones of one repository, each on a machine of its own: what is said in each, and what git makes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.archive import archive
from memdir_cli.operations.check import check
from memdir_cli.operations.confirm import confirm
from memdir_cli.operations.correct import correct
from memdir_cli.operations.expire import expire
from memdir_cli.operations.init import init
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.remember import remember
from memdir_cli.operations.repair import repair
from memdir_cli.storage import codec
from tests.operations.writing_place import PERSON, Scene
from tests.sandbox import Outcome, Sandbox, isolated

DRIVER = f"{sys.executable} -P -m memdir_cli merge-driver %O %A %B %P"


@dataclass(slots=True)
class Clone:
    """One clone, with a user and a clock of its own.

    :ivar scene: where verbs are called, in this process.
    """

    scene: Scene

    @property
    def top(self) -> Path:
        """The top level."""
        return self.scene.top

    @property
    def memdir(self) -> Path:
        """The project's memdir in it."""
        return self.scene.memdir

    def git(self, *args: str) -> str:
        """Run git, which must succeed."""
        return self.scene.sandbox.git(*args, cwd=self.top)

    def tried(self, *args: str) -> Outcome:
        """Run git, which may stop at a conflict."""
        return self.scene.sandbox.process("git", *args, cwd=self.top)

    def memdir_run(self, *args: str) -> Outcome:
        """Run the real command."""
        return self.scene.sandbox.run(*args, cwd=self.top, env={"MEMDIR_NOW": self.scene.now})

    def commit(self, words: str = "Say something") -> None:
        """Commit everything, if there is something to commit."""
        self.git("add", "-A")
        if self.git("status", "--porcelain"):
            self.git("commit", "-qm", words)

    def drive(self) -> None:
        """Let git know the driver, as `memdir install git` does."""
        self.git("config", "merge.memdir.driver", DRIVER)

    def check(self) -> CheckAnswer:
        """`memdir check`."""
        return check(self.scene.open())

    def codes(self) -> list[str]:
        """The rules that see something, without remarks."""
        return sorted({one.code for one in self.check().findings if one.severity != "info"})

    def repair(self) -> list[str]:
        """`memdir repair`: what it did."""
        return [action.text for action in repair(self.scene.open()).actions]

    def memories(self) -> dict[str, Memory]:
        """Every memory of the memdir, by its path in it."""
        return {
            path.relative_to(self.memdir).as_posix(): codec.parse_memory(path.read_bytes())
            for path in sorted(self.memdir.rglob("*.md"))
            if path.parent != self.memdir
        }

    def view(self) -> dict[str, tuple[str, str]]:
        """What stands among the memories: status and value by file name, the values of a conflict sorted."""
        return {
            path.removeprefix("memories/").removesuffix(".md"): (memory.status, told(memory))
            for path, memory in self.memories().items()
            if path.startswith("memories/")
        }

    def standing(self, key: str) -> list[tuple[str, str]]:
        """What stands of one key, whatever its qualifiers: status and value."""
        return sorted(
            (memory.status, told(memory))
            for path, memory in self.memories().items()
            if path.startswith("memories/") and memory.predicate == key
        )

    def at(self, day: int, hour: int = 8) -> Clone:
        """The same on a day of September."""
        return Clone(self.scene.at(f"2026-09-{day:02}T{hour:02}:00:00Z"))


Verb = Callable[[Clone, str, str], None]


def told(memory: Memory) -> str:
    """The value, or those of the sides."""
    return "|".join(sorted(side.value or "" for side in memory.sides)) or memory.value or ""


def said(words: str) -> Provenance:
    """A person at the terminal, who types this."""
    return replace(PERSON, command_line=words)


def add(clone: Clone, key: str, mark: str) -> None:
    remember(clone.scene.open(), clone.scene.statement(key, mark, "repository", said(f"memdir remember {key} {mark}")))


def edit(clone: Clone, key: str, mark: str) -> None:
    """By hand: the description, which says nothing about the value."""
    scene = clone.scene
    stated = scene.statement(
        key,
        value(clone, key),
        "repository",
        said(f"describe {key} {mark}"),
        description=f"said in {mark}",
        explicit=True,
    )
    remember(scene.open(), stated)


def correct_(clone: Clone, key: str, mark: str) -> None:
    correct(
        clone.scene.open(), clone.scene.statement(key, f"{mark}-corrected", "repository", said(f"correct {key} {mark}"))
    )


def confirm_(clone: Clone, key: str, mark: str) -> None:
    confirm(clone.scene.open(), key, said(f"confirm {key} {mark}"))


def expire_(clone: Clone, key: str, mark: str) -> None:
    expire(clone.scene.open(), key, said(f"expire {key} {mark}"))


def words(clone: Clone) -> set[str]:
    """Everything that anybody said, wherever it is kept now."""
    return {
        source.said
        for memory in clone.memories().values()
        for source in (*memory.source, *(one for side in memory.sides for one in side.source))
    }


def leave(clone: Clone, key: str, mark: str) -> None:
    """Nothing at all."""


def narrow_(clone: Clone, key: str, mark: str) -> None:
    clone.scene.narrow(key, said(f"narrow {key} {mark}"), path="src/**")


def archive_(clone: Clone, key: str, mark: str) -> None:
    archive(clone.scene.open(), key, said(f"archive {key} {mark}"))


def forget_(clone: Clone, key: str, mark: str) -> None:
    clone.scene.forget(key)


def quarantine_(clone: Clone, key: str, mark: str) -> None:
    quarantine(clone.scene.open(), key, f"poison, says {mark}", said(f"quarantine {key} {mark}"))


VERBS: Mapping[str, Verb] = {
    "leave": leave, "edit": edit, "correct": correct_, "confirm": confirm_, "expire": expire_, "narrow": narrow_,
    "archive": archive_, "quarantine": quarantine_, "forget": forget_,
}  # fmt: skip


def value(clone: Clone, key: str) -> str | None:
    """What a file says now."""
    return codec.parse_memory((clone.memdir / f"memories/{key}.md").read_bytes()).value


def first(root: Path, *, attributes: bool = True) -> Clone:
    """A repository with a memdir and a remote, as the first machine has it."""
    sandbox = isolated(root / "one")
    remote = root / "remote.git"
    sandbox.git("init", "-q", "--bare", str(remote), cwd=sandbox.root)
    top = sandbox.repository("shared", remote=str(remote))
    clone = Clone(Scene(sandbox, top, "2026-09-01T08:00:00Z"))
    init(clone.scene.open())
    if attributes:
        clone.memdir_run("install", "git")
        clone.drive()
    clone.commit("Make a memdir")
    clone.git("push", "-q", "-u", "origin", "HEAD")
    return clone


def another(root: Path, name: str, *, driver: bool = True) -> Clone:
    """A clone of the same on another machine."""
    sandbox = isolated(root / name)
    sandbox.git("clone", "-q", str(root / "remote.git"), "shared", cwd=sandbox.root)
    clone = Clone(Scene(Sandbox(sandbox.root, sandbox.environ), sandbox.root / "shared", "2026-09-02T08:00:00Z"))
    if driver:
        clone.drive()
    return clone
