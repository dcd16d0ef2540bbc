"""Which files a change set becomes, and what stops it: told with a code and with what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain import tombstone
from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from memdir_cli.errors import ChangedError, FaultError, RefusedError, UsageError
from memdir_cli.storage import codec, layout
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.store import Store
from tests.storage.test_store import NOW, lay, rule, tree, write

SECOND_HEADER = "---\nid: x\nstatus: verified\n---\nText\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "config.yaml").write_bytes(new_project_config("github.com/acme/app", "0011"))
    return Store(str(tmp_path), "project")


def lying(store: Store, memory: Memory, path: str = "") -> Record:
    """A memory in its file, as it is read."""
    where = lay(store, memory, path)
    record = store.read(where.relative_to(store.root).as_posix())
    assert isinstance(record, Record)
    return record


def test_a_file_that_vanished_meanwhile_is_not_made_anew(store: Store) -> None:
    record = lying(store, rule("lint"))
    Path(store.root, record.path).unlink()
    with pytest.raises(FaultError) as fault:
        write(store, replace(record.memory, value="x"), base=record)
    assert ("vanished" in fault.value.message, fault.value.hint) == (True, "try again")
    assert sorted(tree(store)) == ["config.yaml"]


def test_what_somebody_changed_meanwhile_is_to_be_read_again(store: Store) -> None:
    record = lying(store, rule("lint"))
    Path(store.root, record.path).write_bytes(codec.render(rule("lint", value="theirs")))
    with pytest.raises(ChangedError) as changed:
        write(store, replace(record.memory, value="mine"), base=record)
    assert changed.value.hint == "read again, then repeat the command"


def test_a_memory_under_the_wrong_name_is_moved_where_that_file_goes_away_with_it(store: Store) -> None:
    record = lying(store, rule("lint"), "memories/moved.md")
    write(store, replace(record.memory, value="x"), base=record, removes=(record,))
    found = store.read("memories/lint.md")
    assert isinstance(found, Record)
    assert found.memory.value == "x"
    assert "memories/moved.md" not in tree(store)


def test_a_memory_under_the_wrong_name_is_told_with_where_it_belongs(store: Store) -> None:
    record = lying(store, rule("lint"), "memories/moved.md")
    with pytest.raises(FaultError) as fault:
        write(store, replace(record.memory, value="x"), base=record)
    assert (fault.value.code, "`memories/moved.md` to `memories/lint.md`" in fault.value.hint) == ("misplaced", True)


def test_what_belongs_elsewhere_and_is_in_the_way_is_told_with_what_to_do(store: Store) -> None:
    lay(store, rule("lint", status="archived"), "memories/lint.md")
    with pytest.raises(FaultError) as fault:
        write(store, rule("lint", id="newcomer"))
    assert (fault.value.code, "memdir check" in fault.value.hint) == ("path-taken", True)


def test_two_identities_that_would_share_a_path_need_another_key(store: Store) -> None:
    narrow = rule("lint", topic="t")
    write(store, narrow)
    name = layout.path_of(narrow, "project").removeprefix("memories/").removesuffix(".md")
    with pytest.raises(RefusedError) as refused:
        write(store, rule(name, id="newcomer"))
    assert (refused.value.code, refused.value.hint) == ("path-taken", "choose another key")


def test_a_text_that_no_file_can_hold_is_the_callers_mistake_in_a_new_file_and_in_an_old_one(store: Store) -> None:
    record = lying(store, rule("lint"))
    for memory, base in ((rule("new", body=SECOND_HEADER), None), (replace(record.memory, body=SECOND_HEADER), record)):
        with pytest.raises(UsageError) as error:
            write(store, memory, base=base)
        assert (error.value.code, "change the text" in error.value.hint) == ("text-unkeepable", True)


def test_a_file_that_cannot_be_edited_line_by_line_is_mended_by_hand(store: Store) -> None:
    where = Path(store.root, "memories/lint.md")
    where.parent.mkdir()
    where.write_text(
        "---\n{id: id-lint, subject: 'project:github.com/acme/app', predicate: lint, value: npm, status: verified,\n"
        " scope: 'repository:github.com/acme/app'}\n---\n"
    )
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    before = tree(store)
    with pytest.raises(FaultError) as fault:
        write(store, replace(record.memory, value="x"), base=record)
    assert (fault.value.code, "memdir check" in fault.value.hint) == ("not-editable", True)
    assert tree(store) == before


def test_the_file_of_what_was_forgotten_may_be_covered(store: Store) -> None:
    lay(store, rule("lint", id="gone", value="old"))
    stone = tombstone.Tombstone("gone", "", NOW, "t1")
    Path(store.root, layout.TOMBSTONES).write_text(f"{tombstone.line(stone)}\n")
    write(store, rule("lint", id="newcomer", value="new"))
    found = store.read("memories/lint.md")
    assert isinstance(found, Record)
    assert (found.memory.id, found.memory.value) == ("newcomer", "new")


# sources that found no room


def said(number: int) -> Source:
    return Source("user", f"session:s{number}", f"größer {number}", NOW, "tty")


def older(store: Store, memory: Memory) -> list[dict[str, str]]:
    """The sources that lie in history."""
    path = Path(store.root, layout.older_sources_path(memory, store.layer))
    text = path.read_text("utf-8") if path.exists() else ""
    assert "\\u" not in text, "a person can read them"
    return [json.loads(line) for line in text.splitlines()]


def test_sources_without_room_are_added_to_those_in_history(store: Store) -> None:
    record = lying(store, rule("lint", source=(said(1), said(2), Source("file", "docs/a.md"))))
    write(store, replace(record.memory, source=(said(2), said(3))), base=record)
    first = [
        {"kind": "user", "ref": "session:s1", "said": "größer 1", "at": NOW, "attested": "tty"},
        {"kind": "file", "ref": "docs/a.md", "attested": "none"},
    ]
    assert older(store, record.memory) == first
    again = store.read(record.path)
    assert isinstance(again, Record)
    write(store, replace(again.memory, source=(said(3),)), base=again)
    assert [one["ref"] for one in older(store, record.memory)] == ["session:s1", "docs/a.md", "session:s2"]


def test_what_goes_to_history_takes_its_sources_along(store: Store) -> None:
    record = lying(store, rule("lint", source=(said(1),)))
    past = replace(record.memory, status="superseded", status_reason="superseded: by id-lint@2")
    new = replace(record.memory, value="x", revision=2, source=(said(2),))
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(past, record), Write(new, record))), NOW)
    assert older(store, new) == []


def test_what_lay_in_quarantine_had_no_sources_to_lose(store: Store) -> None:
    bare = rule("lint", status="quarantined", source=(Source("user", at=NOW),))
    record = lying(store, bare)
    released = replace(bare, status="verified", source=(said(1),))
    write(store, released, base=record, removes=(record,))
    assert older(store, released) == []


def test_a_memory_that_takes_the_place_of_another_does_not_take_its_sources(store: Store) -> None:
    record = lying(store, rule("lint", source=(said(1),)))
    newcomer = rule("lint", id="newcomer", source=(said(2),))
    write(store, newcomer, base=record)
    assert older(store, newcomer) == []
