"""Tombstones on the disk: what is added, and what this machine does not keep yet."""

from __future__ import annotations

from pathlib import Path

from memdir_cli.domain import tombstone
from memdir_cli.domain.changes import Put
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.domain.tombstone import Tombstone
from memdir_cli.storage import layout, tombstones
from tests.records import NOW

FIRST, SECOND, THIRD = (Tombstone(one, "", NOW, "t1") for one in ("a", "b", "c"))


def lines(*stones: Tombstone) -> bytes:
    return "".join(f"{tombstone.line(stone)}\n" for stone in stones).encode()


def plant(root: Path, path: str, content: bytes) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_bytes(content)


def test_unkept_is_what_the_file_says_and_this_machine_does_not_keep(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert tombstones.unkept(root, ()) == ()
    plant(tmp_path, layout.TOMBSTONES, lines(FIRST, SECOND) + b"half a li\n")
    assert tombstones.unkept(root, ()) == (FIRST, SECOND)
    plant(tmp_path, layout.KEPT_TOMBSTONES, lines(SECOND))
    assert tombstones.unkept(root, ()) == (FIRST,)
    put = Put(layout.TOMBSTONES, lines(SECOND, THIRD))
    assert tombstones.unkept(root, (Put("memories/a.md", b"x"), put)) == (THIRD,), "as the files leave it"
    plant(tmp_path, layout.KEPT_TOMBSTONES, lines(THIRD, SECOND, FIRST))
    assert tombstones.unkept(root, (put,)) == ()


def test_only_lines_that_the_file_lacks_are_added_each_on_a_line_of_its_own(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert tombstones.added(root, (FIRST,)) == Put(layout.TOMBSTONES, lines(FIRST))
    standing = lines(FIRST)[:-1]
    plant(tmp_path, layout.TOMBSTONES, standing)
    assert tombstones.added(root, (FIRST,)) is None
    put = tombstones.added(root, (FIRST, SECOND))
    assert put == Put(layout.TOMBSTONES, lines(FIRST, SECOND), digest_of(standing))


def test_a_user_knows_each_memdir_by_a_digest_that_nobody_else_can_make() -> None:
    known = tombstones.of_memdir("aa" * 32, "bb" * 32)
    assert known == tombstones.of_memdir("aa" * 32, "bb" * 32)
    others = {tombstones.of_memdir(key, other) for key, other in (("cc" * 32, "bb" * 32), ("aa" * 32, "dd" * 32))}
    assert len({known, *others}) == 3
    assert "bb" * 4 not in known
