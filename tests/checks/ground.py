"""Memdirs for the tests of check and repair: made through the storage layer, judged in this process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.repairs import RepairAnswer
from memdir_cli.domain.runtime import Fact, Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source
from memdir_cli.operations.check import check
from memdir_cli.operations.founding import found_project_memdir
from memdir_cli.operations.repair import repair
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.checkout import Checkout
from memdir_cli.storage import config, disk
from memdir_cli.storage.store import Store

NOW = "2026-09-14T09:30:00Z"
REPOSITORY = "github.com/acme/app"
SUBJECT = f"project:{REPOSITORY}"

#: Code, path from the memdir's root, line.
Seen = tuple[str, str, int]

#: The header of a project memory, key by key, as a person would write it.
HEADER: dict[str, str] = {
    "id": " k7f3x9t2aqm4b",
    "name": " package_manager",
    "description": " install with npm ci",
    "type": " project-rule",
    "subject": f" {SUBJECT}",
    "predicate": " package_manager",
    "scope": f" repository:{REPOSITORY}",
    "status": " verified",
    "value": " npm",
    "revision": " 1",
    "authority": " user",
    "verifiedAt": ' "2026-09-01T08:00:00Z"',
}


def header(lines: str = "") -> str:
    """A memory file in which ``lines`` replace the keys that they name; a key of theirs alone is added."""
    keys = dict(HEADER)
    added: list[str] = []
    key = ""
    whole = lines.startswith("<<<<<<<")
    for line in lines.splitlines():
        if whole:
            added.append(line)
            continue
        name, colon, rest = line.partition(":")
        if colon and name in HEADER and keys[name] == HEADER[name]:
            key = name
            keys[name] = rest
        elif key and line[:1].isspace():
            keys[key] += f"\n{line}"
        else:
            key = ""
            added.append(line)
    text = "\n".join((*(f"{name}:{value}" for name, value in keys.items()), *added))
    return f"---\n{text}\n---\nBecause of the lockfile.\n"


def memory(predicate: str = "package_manager", value: str | None = "npm", **keys: object) -> Memory:
    """A verified memory of the project, said by a user; its id is made of the key."""
    plain_key = "".join(char if char.isascii() and char.isalnum() else f"{ord(char):x}" for char in predicate)
    said = Source("user", "session:s1/message:m1", f"use {value}", "2026-09-01T08:00:00Z", "transcript")
    plain = Memory(
        f"k{plain_key.replace('5f', '')[:11].ljust(11, '0')}",
        SUBJECT,
        predicate,
        Scope("repository", repository=REPOSITORY),
        "verified",
        name=predicate,
        description=f"{predicate}: {value}",
        type="project-rule",
        value=value,
        authority="user",
        source=(said,),
        created_at="2026-09-01T08:00:00Z",
        updated_at="2026-09-01T08:00:00Z",
        verified_at="2026-09-01T08:00:00Z",
        body="Because of the lockfile.\n",
    )
    return replace(plain, **keys)  # type: ignore[arg-type]


def write(store: Store, *memories: Memory) -> None:
    """Commit new memories with their receipts; a past revision has its receipt from when it was current."""
    with store.writing(5) as writer:
        events = tuple(Event("created", one, actor="user") for one in memories if one.status != "superseded")
        writer.commit(ChangeSet(tuple(Write(one) for one in memories), events=events), NOW)


def project(tmp_path: Path, *memories: Memory) -> Path:
    """A project memdir with ``memories``, three plain ones where none are given."""
    root = tmp_path / "app" / ".memdir"
    root.parent.mkdir(exist_ok=True)
    store = found_project_memdir(str(root), REPOSITORY, 5, NOW)
    write(store, *(memories or (memory(), memory("test_runner", "vitest"), memory("linter", "ruff"))))
    return root


def user(tmp_path: Path, *memories: Memory) -> Path:
    """A user memdir of user 42 with ``memories``."""
    root = tmp_path / "own"
    disk.create_root(str(root), private=True)
    (root / "config.yaml").write_bytes(config.new_user_config("42", "ab" * 32))
    if memories:
        write(Store(str(root), "user"), *memories)
    return root


def workplace(project: Path | None, user: Path | None = None, *, git: str | None = None) -> Workplace:
    """The workplace of a call from beside the project memdir, outside git unless it is told what git says."""
    cwd = project.parent if project is not None else Path("/")
    top = os.path.realpath(cwd)
    checkout = Checkout("main", top, f"{top}/.git", f"{top}/.git") if git is not None else None
    runtime = Runtime(NOW, repository=Fact(git, "not in a git repository" if git is None else "git remote origin"))
    return Workplace(
        runtime,
        Store(str(project), "project") if project is not None else None,
        Store(str(user), "user") if user is not None else None,
        str(user or ""),
        project_root=str(project or ""),
        cwd=str(cwd),
        checkout=checkout,
    )


def checked(project: Path | None, user: Path | None = None, paths: Iterable[str] = ()) -> CheckAnswer:
    """The answer of check."""
    return check(workplace(project, user), paths)


def repaired(project: Path | None, user: Path | None = None, *, dry_run: bool = False) -> RepairAnswer:
    """The answer of repair."""
    return repair(workplace(project, user), dry_run=dry_run)


def seen(answer: CheckAnswer, *, below: str = ".memdir/") -> tuple[Seen, ...]:
    """What was found, in short; paths count from the memdir's root."""
    return tuple((one.code, one.path.removeprefix(below), one.line) for one in answer.findings)


def tree(root: Path) -> dict[str, str]:
    """Every name below ``root`` with its kind, mode, time of change and content."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(folder, name)
            status = path.lstat()
            plain = path.is_file() and not path.is_symlink() and status.st_size < 1 << 22
            content = hashlib.sha256(path.read_bytes()).hexdigest() if plain else ""
            found[str(path.relative_to(root))] = f"{status.st_mode:o} {status.st_mtime_ns} {content}"
    return found
