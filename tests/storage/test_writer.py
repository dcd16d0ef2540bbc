"""The right to change one memdir: what it refuses, whose receipt and tombstone it writes, what it prepares only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain import tombstone
from memdir_cli.domain.changes import ChangeSet, Put, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.domain.tombstone import Lift, Tombstone
from memdir_cli.errors import RefusedError
from memdir_cli.shapes import replace
from memdir_cli.storage import cache, codec, layout, tombstones
from memdir_cli.storage.config import new_project_config, new_user_config
from memdir_cli.storage.store import Store
from tests.records import private, task
from tests.storage.test_store import NOW, lay, rule, tree

LATER, KEY = "2026-10-05T08:00:00Z", "0011"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "config.yaml").write_bytes(new_project_config("github.com/acme/app", KEY))
    return Store(str(tmp_path), "project")


@pytest.fixture
def own(tmp_path: Path) -> Store:
    """The memdir of a user."""
    root = tmp_path / "own"
    root.mkdir(mode=0o700)
    (root / "config.yaml").write_bytes(new_user_config("42", KEY))
    return Store(str(root), "user")


def write(store: Store, *memories: Memory, at: str = NOW, **options: Any) -> None:
    events = tuple(Event("created", memory, actor="user") for memory in memories)
    with store.writing(5) as writer:
        writer.commit(ChangeSet(tuple(Write(memory) for memory in memories), events=events), at, **options)


def receipts(store: Store, month: str = "2026-09") -> list[dict[str, Any]]:
    path = Path(store.root, f"receipts/{month}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def forgotten(store: Store, *entries: tombstone.Entry) -> None:
    Path(store.root, layout.TOMBSTONES).write_text("".join(f"{tombstone.line(entry)}\n" for entry in entries))


# what stands


def test_the_record_of_a_task_is_found_among_a_users_tasks_by_its_whole_identity(own: Store, store: Store) -> None:
    mine, other = task("T1", id="mine").memory, task("T2", id="other").memory
    waits = task("T1", id="waits", status="candidate").memory
    for memory in (mine, other, waits):
        lay(own, memory, f"local/tasks/{memory.id}.md")
    with own.writing(5) as writer:
        assert [record.memory.id for record in writer.current(mine.identity)] == ["mine"]
        assert [record.memory.id for record in writer.current(other.identity)] == ["other"]
    lay(store, mine, "local/tasks/mine.md")
    with store.writing(5) as writer:
        assert writer.current(mine.identity) == (), "no project has tasks"


# what was forgotten


@pytest.mark.parametrize(
    ("memory_id", "same_identity", "lift", "refused"),
    [
        ("gone", False, False, True),
        ("gone", True, True, True),
        ("anew", True, False, True),
        ("anew", True, True, False),
        ("anew", False, False, False),
    ],
)
def test_what_was_forgotten_is_not_written_again_unless_its_identity_is_lifted(
    store: Store, memory_id: str, *, same_identity: bool, lift: bool, refused: bool
) -> None:
    memory = rule("lint", id=memory_id)
    identity = tombstones.of_identity(KEY, memory, "project") if same_identity else "another"
    stone = Tombstone("gone", identity, NOW, "t1")
    forgotten(store, stone)
    before = tree(store)
    if not refused:
        write(store, memory, lifted=(stone,) if lift else ())
        assert "memories/lint.md" in tree(store)
        return
    with pytest.raises(RefusedError) as error:
        write(store, memory, lifted=(stone,) if lift else ())
    assert (error.value.code, "memdir remember lint VALUE --after-forget" in error.value.hint) == ("forgotten", True)
    assert tree(store) == before


def stones_kept(own: Store) -> list[str]:
    """The ids that this machine keeps."""
    path = Path(own.root, layout.KEPT_TOMBSTONES)
    return [json.loads(line)["forgotten"] for line in path.read_text().splitlines()] if path.exists() else []


def put_stones(store: Store, *stones: Tombstone, txn: str) -> None:
    content = "".join(f"{tombstone.line(stone)}\n" for stone in stones).encode()
    standing = Path(store.root, layout.TOMBSTONES)
    digest = digest_of(standing.read_bytes()) if standing.exists() else None
    with store.writing(5) as writer:
        writer.commit(ChangeSet(files=(Put(layout.TOMBSTONES, content, digest),)), NOW, txn=txn)


def test_a_users_tombstones_are_kept_beside_git_those_that_nobody_wrote_by_hand(own: Store, store: Store) -> None:
    by_hand, mine, later = (Tombstone(one, "", NOW, txn) for one, txn in (("h", "t0"), ("m", "t1"), ("l", "t2")))
    put_stones(own, by_hand, mine, txn="t1")
    assert stones_kept(own) == ["m"]
    put_stones(own, by_hand, mine, later, txn="t2")
    assert stones_kept(own) == ["m", "l"]
    put_stones(store, mine, txn="t1")
    assert not Path(store.root, layout.KEPT_TOMBSTONES).exists(), "git keeps those of a project"


def test_a_tombstone_that_came_by_git_is_kept_with_the_next_write_if_a_receipt_tells_of_it(own: Store) -> None:
    gone = private(id="g").memory
    event = Event("forgotten", gone, actor="user", vouched=False)
    with own.writing(5) as writer:
        writer.commit(ChangeSet(events=(event,), files=(Put("local/x.json", b"{}\n"),)), NOW, txn="t1")
    forgotten(own, Tombstone("g", "", NOW, "t1"), Tombstone("h", "", NOW, "t0"))
    write(own, private(id="n", predicate="next").memory)
    assert stones_kept(own) == ["g"]


def test_a_lift_that_is_written_is_kept_too(own: Store) -> None:
    stone, lift = Tombstone("g", "x", NOW, "t1"), Lift("n", ("t1/g",), (), NOW, "t2")
    put_stones(own, stone, txn="t1")
    content = f"{tombstone.line(stone)}\n{tombstone.line(lift)}\n".encode()
    digest = digest_of(Path(own.root, layout.TOMBSTONES).read_bytes())
    with own.writing(5) as writer:
        writer.commit(ChangeSet(files=(Put(layout.TOMBSTONES, content, digest),)), NOW, txn="t2")
    assert Path(own.root, layout.KEPT_TOMBSTONES).read_bytes() == content


# the transaction


def test_the_receipt_bears_the_transaction_that_the_other_memdir_has_as_well(store: Store) -> None:
    write(store, rule("lint"), txn="t-of-both")
    write(store, rule("port"))
    first, second = receipts(store)
    assert first["txn"] == "t-of-both"
    assert second["txn"] not in ("", "t-of-both")


def test_what_follows_a_receipt_of_a_clock_that_was_ahead_says_so_and_stands_below_it(store: Store) -> None:
    write(store, rule("lint"), at=LATER)
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    with store.writing(5) as writer:
        changed = replace(record.memory, value="x")
        writer.commit(ChangeSet((Write(changed, record),), events=(Event("superseded", changed),)), NOW)
    assert receipts(store) == []
    assert [(one["at"], one.get("after")) for one in receipts(store, "2026-10")] == [(LATER, None), (NOW, LATER)]


def test_what_is_prepared_only_is_true_when_it_is_concluded(store: Store) -> None:
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(rule("lint")),)), NOW, promise=False)
        assert Store(store.root, "project").find("lint") == ()
        writer.conclude()
    assert [record.memory.id for record in Store(store.root, "project").find("lint")] == ["id-lint"]


def test_what_is_prepared_only_can_be_taken_back(store: Store) -> None:
    with store.writing(5):
        pass
    before = set(tree(store))
    with store.writing(5) as writer:
        writer.commit(ChangeSet((Write(rule("lint")),)), NOW, promise=False)
        writer.withdraw()
    assert set(tree(store)) == before


def test_a_writer_knows_which_memory_files_it_wrote_and_took_away(store: Store) -> None:
    write(store, rule("port"))
    record = store.read("memories/port.md")
    assert isinstance(record, Record)
    with store.writing(5) as writer:
        files = (Put("local/sources/id-lint.jsonl", b"{}\n"),)
        writer.commit(ChangeSet((Write(rule("lint")),), (record,), files=files), NOW)
        content = Path(store.root, "memories/lint.md").read_bytes()
        assert writer.written == {"memories/lint.md": digest_of(content), "memories/port.md": ""}


def test_a_file_that_is_written_as_no_record_has_no_line_in_the_index_any_more(store: Store) -> None:
    write(store, rule("lint"))
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    with store.writing(5) as writer:
        ended = Put(record.path, codec.render(replace(record.memory, status="archived")), record.digest)
        writer.commit(ChangeSet(files=(ended,)), NOW)
    assert "lint" not in Path(store.root, "MEMORY.md").read_text()


# what is saved for the next one


def derived(store: Store) -> list[Path]:
    return [path for name in layout.DERIVED if (path := Path(store.root, name)).exists()]


def test_a_small_memdir_is_read_sooner_than_its_cache(store: Store) -> None:
    for number in range(3):
        write(Store(store.root, "project", KEY), rule(f"key_{number}"))
    assert derived(store) == []


def test_what_is_derived_of_a_users_memories_is_for_no_other_account(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", 1)
    for number in range(3):
        write(Store(own.root, "user", KEY), private(id=f"p{number}", predicate=f"key_{number}").memory)
    found = derived(own)
    assert len(found) == len(layout.DERIVED)
    assert [oct(path.stat().st_mode & 0o777) for path in found] == ["0o600"] * len(found)
