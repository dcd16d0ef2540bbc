"""A change of one memdir: whether it is one, and several together."""

from __future__ import annotations

import pytest

from memdir_cli.domain.changes import ChangeSet, Put, Remove, Write, replacing, together
from memdir_cli.domain.event import Event
from memdir_cli.domain.snapshot import digest_of
from tests.records import project

RECORD = project(value="npm")
TOLD = Event("confirmed", RECORD.memory)


@pytest.mark.parametrize(
    "changes",
    [
        ChangeSet(writes=(Write(RECORD.memory),)),
        ChangeSet(removes=(RECORD,)),
        ChangeSet(files=(Put("MEMORY.md", b""),)),
        ChangeSet(discards=(Remove("local/sources/a.json", "0" * 64),)),
    ],
)
def test_whatever_touches_a_file_is_a_change(changes: ChangeSet) -> None:
    assert changes


def test_what_touches_no_file_is_none_whatever_it_tells() -> None:
    assert not ChangeSet()
    assert not ChangeSet(events=(TOLD,))


def test_what_is_replaced_is_expected_as_it_stands_and_nothing_where_nothing_stands() -> None:
    assert replacing("config.yaml", b"new", b"old").expected == digest_of(b"old")
    assert replacing("config.yaml", b"new", b"").expected == digest_of(b""), "an empty file is one"
    assert replacing("config.yaml", b"new", None).expected is None


def test_changes_together_keep_their_order_and_discard_a_file_once() -> None:
    shared, own = Remove("local/sources/a.json", "0" * 64), Remove("local/sources/b.json", "1" * 64)
    write, put = Write(RECORD.memory), Put("config.yaml", b"")
    first = ChangeSet((write,), (), (TOLD,), (), (shared,))
    second = ChangeSet((), (RECORD,), (TOLD,), (put,), (shared, own))
    assert together([first, second]) == ChangeSet((write,), (RECORD,), (TOLD, TOLD), (put,), (shared, own))
