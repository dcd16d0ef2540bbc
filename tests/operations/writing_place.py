"""A real repository with real memdirs for the write verbs: who says what there, and what lies there afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.forgetting import ForgetAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Provenance, Qualification, Statement
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.confirm import confirm
from memdir_cli.operations.correct import correct
from memdir_cli.operations.forget import forget
from memdir_cli.operations.init import init
from memdir_cli.operations.narrow import narrow
from memdir_cli.operations.remember import remember
from memdir_cli.operations.settle import settle
from memdir_cli.operations.workplace import Workplace, open_workplace
from memdir_cli.storage import codec
from tests.sandbox import NOW, Sandbox

#: A person at the terminal, who is believed at once.
PERSON = Provenance(terminal=True, command_line="memdir remember KEY VALUE")
#: An agent that says nothing about a user.
AGENT = Provenance()
#: An agent that claims to repeat the user's words.
CLAIM = Provenance("user", said="use it from now on", session="s1", message="m1")

QUALIFIERS = {"path", "topic", "environment", "version"}
TASK_LATER, LATER = "2026-10-13T09:30:00Z", "2026-10-14T09:30:00Z"


@dataclass(slots=True)
class Scene:
    """One user in one repository; the clock moves when it is told to."""

    sandbox: Sandbox
    top: Path
    now: str = NOW

    def open(
        self, *, env: Mapping[str, str] | None = None, cwd: Path | None = None, memdir: str | None = None
    ) -> Workplace:
        """The workplace of a call made here now."""
        environ = {**self.sandbox.environ, **(env or {})}
        return open_workplace(str(cwd or self.top), environ, self.now, memdir=memdir, ask_git=True)

    def statement(self, key: str, value: str | None, level: Level | None, by: Provenance, **more: Any) -> Statement:
        """A statement; keywords are those of :class:`Statement` and :class:`Qualification`."""
        narrowing = {name: more.pop(name) for name in QUALIFIERS & more.keys()}
        return Statement(key, value, level, qualification=Qualification(**narrowing), provenance=by, **more)

    def remember(
        self,
        key: str,
        value: str | None = None,
        level: Level | None = "repository",
        by: Provenance = PERSON,
        **more: Any,
    ) -> WriteAnswer:
        """``memdir remember``."""
        place = self.open(env=more.pop("env", None), cwd=more.pop("cwd", None))
        return remember(place, self.statement(key, value, level, by, **more))

    def correct(
        self,
        key: str,
        value: str | None = None,
        level: Level | None = "repository",
        by: Provenance = PERSON,
        **more: Any,
    ) -> WriteAnswer:
        """``memdir correct``."""
        place = self.open(env=more.pop("env", None))
        return correct(place, self.statement(key, value, level, by, **more))

    def confirm(self, ref: str, by: Provenance = PERSON, level: Level | None = None, **more: Any) -> WriteAnswer:
        """``memdir confirm``."""
        return confirm(self.open(env=more.pop("env", None)), ref, by, scope=level, **more)

    def settle(self, ref: str, keep: str, by: Provenance = PERSON, **more: Any) -> WriteAnswer:
        """``memdir settle``."""
        return settle(self.open(), ref, keep, by, **more)

    def narrow(self, ref: str, by: Provenance = PERSON, **more: Any) -> WriteAnswer:
        """``memdir narrow``; keywords are those of :class:`Qualification`."""
        return narrow(self.open(), ref, Qualification(**more), by)

    def forget(
        self, ref: str | None = None, by: Provenance = AGENT, *, dry_run: bool = False, **more: Any
    ) -> ForgetAnswer:
        """``memdir forget --yes``; keywords are those of :class:`Wanted`."""
        place = self.open(env=more.pop("env", None), cwd=more.pop("cwd", None))
        return forget(place, Wanted(ref, **more), by, dry_run=dry_run)

    @property
    def memdir(self) -> Path:
        """The project memdir."""
        return self.top / ".memdir"

    @property
    def user_memdir(self) -> Path:
        """The user memdir."""
        return self.sandbox.user_memdir

    def files(self) -> dict[str, bytes]:
        """Everything in both memdirs but the lock, by path below ``.memdir`` or ``user``."""
        return {
            **{f".memdir/{path}": content for path, content in tree(self.memdir).items()},
            **{f"user/{path}": content for path, content in tree(self.user_memdir).items()},
        }

    def memories(self) -> dict[str, Memory]:
        """Every memory file of both memdirs."""
        return {
            path: codec.parse_memory(content)
            for path, content in self.files().items()
            if path.endswith(".md") and path.count("/") > 1
        }

    def names(self) -> list[str]:
        """The memory files: folder and predicate, without ids and digests."""
        return sorted(path.partition("~")[0].removesuffix(".md") for path in self.memories())

    def events(self) -> list[str]:
        """What the receipts say happened, in the order of the files."""
        return [
            event["kind"]
            for path, content in self.files().items()
            if "/receipts/" in path
            for line in content.splitlines()
            for event in json.loads(line)["events"]
        ]

    def accept_claims(self) -> None:
        """As a person does by hand in the user memdir's settings, which may stand alone."""
        self.user_memdir.mkdir(parents=True, exist_ok=True, mode=0o700)
        config = self.user_memdir / "config.yaml"
        old = config.read_text("utf-8") if config.exists() else ""
        config.write_text(f"{old}gate: {{attestation: claimed}}\n", "utf-8")

    def at(self, now: str) -> Scene:
        """The same place at another time."""
        return replace(self, now=now)


def tree(root: Path) -> dict[str, bytes]:
    """Every file below ``root`` but those of the lock, of derived caches and of the log of refusals."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith(("lock", "cache")) and path.parent.name != "refusals"
    }


def message(number: int, words: str = "use it from now on") -> Provenance:
    """A claim of another message."""
    return replace(CLAIM, message=f"m{number}", said=words)


def scene(sandbox: Sandbox, name: str = "legacy-dashboard", *, memdir: bool = True, claims: bool = False) -> Scene:
    """A repository with one commit.

    :param memdir: whether ``init`` has run.
    :param claims: whether the user's settings accept claims.
    """
    found = Scene(sandbox, sandbox.repository(name))
    if claims:
        found.accept_claims()
    if memdir:
        init(found.open())
    return found
