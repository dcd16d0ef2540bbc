"""A memdir of one identity before and after a plan: builders, and where each memory lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memdir_cli.domain import plan
from memdir_cli.domain.decision import Newcomer, decide
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.plan import Judged, Plan
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Attestation, Authority, Kind, Source
from memdir_cli.storage.layout import path_of
from tests.records import project

BEFORE, NOW, LATER = "2026-09-01T08:00:00Z", "2026-09-20T10:00:00Z", "2026-10-05T10:00:00Z"
IDS = ("side-a", "side-b")


def source(
    number: int, kind: Kind = "user", attested: Attestation = "transcript", at: str = NOW
) -> Source:  # fmt: skip
    return Source(kind, f"session:s1/message:m{number}", f"words {number}", at, attested)


def standing(**keys: Any) -> Record:
    """The current record of `package_manager`, as it lies in its file."""
    keys = {"id": "record", "source": (source(1, at=BEFORE),), "description": "npm ci here", **keys}
    return lying(project(**keys).memory)


def candidate(value: str | None = "pnpm", **keys: Any) -> Record:
    """A candidate of the same identity in the inbox."""
    keys = {
        "id": "waiting", "status": "candidate", "status_reason": "unconfirmed: said by a source of kind agent",
        "authority": "inferred", "verified_at": "", "source": (source(2, "agent", "none", at=BEFORE),), **keys,
    }  # fmt: skip
    return lying(project(value=value, **keys).memory)


def lying(memory: Memory) -> Record:
    return Record(memory, path_of(memory, "project"), "0" * 64, "project")


def said(value: str | None = "pnpm", *, believed: bool = True, now: str = NOW, number: int = 3, **keys: Any) -> Judged:
    """A statement on its way in."""
    kind: Kind = "user" if believed else "agent"
    authority: Authority = "user" if believed else "inferred"
    memory = project(
        value=value,
        **{
            "id": "newcomer", "description": f"{value} here", "authority": authority,
            "status": "verified" if believed else "candidate",
            "status_reason": "" if believed else "unconfirmed: said by a source of kind agent",
            "source": (source(number, kind, "transcript" if believed else "none", at=now),),
            "created_at": now, "updated_at": now, "verified_at": now if believed else "", **keys,
        },
    ).memory  # fmt: skip
    return Judged(memory, believed, IDS, now, message="message-3")


@dataclass
class After:
    """The memdir after a plan: memories by path."""

    plan: Plan
    files: dict[str, Memory]

    @property
    def current(self) -> Memory:
        (found,) = self.in_folder("memories")
        return found

    def in_folder(self, folder: str) -> list[Memory]:
        return [memory for path, memory in self.files.items() if path.startswith(f"{folder}/")]


def after(carried: Plan, *before: Record) -> After:
    files = {record.path: record.memory for record in before}
    for record in carried.changes.removes:
        assert files.pop(record.path) == record.memory, "a removal names what lies there"
    for write in carried.changes.writes:
        path = path_of(write.memory, "project")
        in_place = write.base is not None and write.base.path == path
        assert in_place or path not in files, "nothing is covered"
        files[path] = write.memory
    *absorbed, event = carried.changes.events
    assert {one.kind for one in absorbed} <= {"absorbed"}
    assert {one.previous for one in absorbed} <= {carried.memory.ref}
    assert event.memory == carried.memory
    assert event.memory in files.values(), "the receipt tells of what is there"
    return After(carried, files)


def carried_out(record: Record | None, statement: Judged, *waiting: Record, explicit: bool = False) -> After:
    """Decide and carry out, as a statement goes."""
    verdict = decide(
        record.memory if record else None, Newcomer(statement.memory, statement.believed, explicit=explicit)
    )
    carried = plan.carry_out(verdict, record, statement, waiting)
    return after(carried, *waiting, *([record] if record else []))
