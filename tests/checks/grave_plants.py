"""Corruptions of what was put away or forgotten: tombstones torn and made up, files that come back."""

from __future__ import annotations

import json
from pathlib import Path

from memdir_cli.domain import archiving
from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.event import Event
from memdir_cli.domain.tombstone import Lift, Tombstone
from memdir_cli.storage import tombstones
from tests.checks.ground import NOW, memory, write
from tests.checks.plants import LINTER, Plant, edit, store

TOMBSTONES = "tombstones.jsonl"


def forget_linter(root: Path) -> bytes:
    """Forget a memory as the verb does, without the user memdir; gives the file as it was."""
    content = (root / LINTER).read_bytes()
    memdir = store(root)
    (record,) = memdir.find("linter")
    identity = tombstones.of_identity(memdir.config.key, record.memory, "project")
    with memdir.writing(5) as writer:
        put = tombstones.added(memdir.root, [Tombstone(record.memory.id, identity, NOW, "t1")])
        assert put is not None
        events = (Event("forgotten", record.memory, vouched=False),)
        writer.commit(ChangeSet(removes=(record,), events=events, files=(put,)), NOW)
    return content


def torn(root: Path) -> None:
    forget_linter(root)
    with (root / TOMBSTONES).open("ab") as stream:
        stream.write(b'{"forgotten":"k\n<<<<<<< HEAD\n\n[]\n')


def put_back(root: Path) -> None:
    (root / LINTER).write_bytes(forget_linter(root))


def put_back_with_another_id(root: Path) -> None:
    put_back(root)
    edit(root, LINTER, "id: klinter00000", "id: another00000")


def put_back_under_another_key(root: Path) -> None:
    content = forget_linter(root).replace(b"predicate: linter", b"predicate: other")
    (root / "memories/other.md").write_bytes(content)


def put_back_broken(root: Path) -> None:
    (root / LINTER).write_bytes(forget_linter(root).replace(b"status: verified", b"status: &a verified"))


def made_up(root: Path) -> None:
    (root / TOMBSTONES).write_text(json.dumps({"forgotten": "never00000000", "at": NOW, "txn": "t"}) + "\n")


def lifted_by_hand(root: Path) -> None:
    forget_linter(root)
    put = tombstones.added(str(root), [Lift("new0000000000", ("t1/klinter00000",), (), NOW, "t2")])
    assert put is not None
    (root / TOMBSTONES).write_bytes(put.content)


def is_a_link(root: Path) -> None:
    (root / TOMBSTONES).symlink_to(root / "config.yaml")


def put_away(root: Path) -> None:
    """A memory is archived to which another one refers."""
    memdir = store(root)
    (record,) = memdir.find("linter")
    with memdir.writing(5) as writer:
        plan = archiving.archive(record, "put away", actor="user", message="", vouched=True)
        writer.commit(plan.changes, NOW)
    write(memdir, memory("editor", "vim", body="As [[linter]] says.\n"))


GRAVES: tuple[Plant, ...] = (
    Plant("M331", put_away, (("M331", "memories/editor.md", 4),)),
    Plant("M731", torn, tuple(("M731", TOMBSTONES, line) for line in (2, 3, 5))),
    Plant("M732", put_back, (("M732", LINTER, 2),), ()),
    Plant("M732", put_back_with_another_id, (("M732", LINTER, 2),), ()),
    Plant("M732", put_back_under_another_key, (("M732", "memories/other.md", 2),), ()),
    Plant("M732", put_back_broken, (("M732", LINTER, 2), ("M121", LINTER, 9))),
    Plant("M734", made_up, (("M734", TOMBSTONES, 1),)),
    Plant("M734", lifted_by_hand, (("M734", TOMBSTONES, 2),)),
    Plant("M101", is_a_link, (("M101", TOMBSTONES, 1),)),
)
