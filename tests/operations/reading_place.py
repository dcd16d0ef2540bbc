"""A real repository with real memdirs, written and read in this process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.runtime import Fact
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance, Qualification, Statement
from memdir_cli.operations.init import init
from memdir_cli.operations.remember import remember
from memdir_cli.operations.workplace import Workplace, open_workplace
from memdir_cli.storage import codec, layout
from tests.sandbox import NOW, Sandbox

CLAIMED = "gate:\n  attestation: claimed\n"


@dataclass(frozen=True, slots=True)
class Place:
    """One repository of one user, whose claims are believed."""

    sandbox: Sandbox
    top: Path

    def open(self, *, now: str = NOW, env: Mapping[str, str] | None = None, asked: Any = None) -> Workplace:
        """The workplace of a call made here."""
        environ = {**self.sandbox.environ, **(env or {})}
        return open_workplace(str(self.top), environ, now, ask_git=True, asked=asked or Qualification())

    def at(self, path: str) -> Workplace:
        """The workplace of a call that asks about a path of the repository."""
        place = self.open()
        return replace(place, runtime=replace(place.runtime, path=Fact(path, "option --path")))

    def say(
        self, key: str, value: str | None, level: Any, *, now: str = NOW, env: Any = None, **more: Any
    ) -> WriteAnswer:
        """A user's word, claimed by an agent; keywords as of a statement, qualifiers and ``kind``."""
        kind = more.pop("kind", "user")
        qualifiers = {name: more.pop(name) for name in ("path", "topic", "environment", "version") if name in more}
        qualification = Qualification(**qualifiers)
        said = Provenance(kind, f"{key}: {value}", "s1", more.pop("message", f"{key}-{value}"))
        statement = Statement(key, value, level, qualification=qualification, provenance=said, **more)
        return remember(self.open(now=now, env=env), statement)

    def change(self, ref: str, **keys: Any) -> Record:
        """Edit a memory file by hand: other keys, and the file where such a memory lies."""
        for store in self.open().stores:
            for record in store.snapshot().records:
                if record.memory.id == ref:
                    memory = replace(record.memory, **keys)
                    (Path(store.root) / record.path).unlink()
                    path = layout.path_of(memory, store.layer)
                    (Path(store.root) / path).parent.mkdir(exist_ok=True)
                    (Path(store.root) / path).write_bytes(codec.render(memory))
                    return Record(memory, path, "", store.layer)
        raise LookupError(ref)

    def accesses(self) -> list[str]:
        """The lines of the access logs of both memdirs, the user's first."""
        folders = (self.sandbox.user_memdir, self.top / ".memdir")
        files = [file for folder in folders for file in sorted((folder / "local/access").glob("*.jsonl"))]
        return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def founded(sandbox: Sandbox, name: str = "app") -> Place:
    """A repository with a memdir, whose user accepts claims."""
    place = Place(sandbox, sandbox.repository(name))
    sandbox.user_memdir.mkdir(parents=True, exist_ok=True, mode=0o700)
    config = sandbox.user_memdir / "config.yaml"
    if not config.exists():
        config.write_text(CLAIMED, encoding="utf-8")
    init(place.open(), None)
    return place
