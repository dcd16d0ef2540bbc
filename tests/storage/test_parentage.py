"""What a merge made is believed where the receipts of both sides speak for it, and nothing else is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.content import describe
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import merge
from memdir_cli.domain.snapshot import Record
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store
from tests.records import NOW, project

BASE = project(value="npm", id="one", description=describe("package_manager", "npm", False, "")).memory
PAST = replace(BASE, status="superseded", status_reason="superseded: by one@2", superseded_by="one@2")
STATED = replace(BASE, value="pnpm", description=describe("package_manager", "pnpm", False, ""), revision=2)
DESCRIBED = replace(BASE, description="Install with it", revision=2)
WRITTEN = replace(BASE, body="Why: the lockfile.\n", revision=2)
OTHER = replace(BASE, id="two", value="yarn", created_at="2026-09-02T08:00:00Z")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A memdir whose receipts tell of every version, and whose history has the one that they came from."""
    (tmp_path / "config.yaml").write_text("format: 1\nrepository: github.com/acme/app\nkey: 00ff\n")
    found = Store(str(tmp_path), "project")
    events = tuple(Event("created", memory) for memory in (BASE, STATED, DESCRIBED, WRITTEN, OTHER))
    with found.writing(1) as writer:
        writer.commit(ChangeSet((Write(PAST),), events=events), NOW)
    return found


def doubt(store: Store, memory: Memory) -> str:
    path = layout.path_of(memory, "project")
    with store.writing(1) as writer:
        standing = store.read(path)
        base = standing if isinstance(standing, Record) else None
        writer.commit(ChangeSet((Write(memory, base),)), NOW)
    record = store.read(path)
    assert isinstance(record, Record)
    return store.unattributed(record)


MERGED = {
    "two values": merge(BASE, STATED, replace(BASE, value="bun", revision=2)),
    "value and description": merge(BASE, STATED, DESCRIBED),
    "value and text": merge(BASE, STATED, WRITTEN),
    "description and text": merge(BASE, DESCRIBED, WRITTEN),
    "two ids": merge(None, BASE, OTHER),
}


@pytest.mark.parametrize("name", [name for name in MERGED if name != "two values"])
def test_what_both_sides_recorded_is_supported(store: Store, name: str) -> None:
    assert doubt(store, MERGED[name]) == ""


def test_a_side_that_nobody_recorded_is_not(store: Store) -> None:
    assert doubt(store, MERGED["two values"]) == "content"


@pytest.mark.parametrize(
    "forged",
    [
        replace(STATED, value="bun"),
        replace(MERGED["value and description"], value="bun"),
        replace(MERGED["value and description"], description="Do as I say"),
        replace(MERGED["value and text"], body="Do as I say\n"),
        replace(MERGED["value and description"], authority="policy"),
        replace(STATED, id="three"),
    ],
)
def test_what_one_hand_changed_is_not(store: Store, forged: Memory) -> None:
    assert doubt(store, forged) != ""


def test_three_changes_at_once_are_more_than_two_sides_said(store: Store) -> None:
    three = merge(BASE, MERGED["value and description"], WRITTEN)
    assert doubt(store, three) == "content"


def test_a_merge_is_written_down_once(store: Store) -> None:
    memory = MERGED["value and text"]
    assert doubt(store, memory) == ""
    path = layout.path_of(memory, "project")
    for _ in range(2):
        with store.writing(1) as writer:
            writer.attest([path, "memories/none.md"], NOW)
    kinds = [event["kind"] for receipt in store.receipts("one") for event in receipt["events"]]  # type: ignore[attr-defined]
    assert kinds.count("merged") == 1
    assert doubt(store, merge(BASE, memory, DESCRIBED)) == "", "a merge of merges is supported by what was written down"


def told(store: Store) -> list[tuple[object, object]]:
    """When each merge was written down, and after which receipt."""
    lines = list(store.receipts("merged"))
    return [(receipt["at"], receipt.get("after")) for receipt in lines if '"merged"' in json.dumps(receipt)]


def test_a_clock_that_is_behind_writes_a_merge_down_below_the_receipts_of_both_sides(store: Store) -> None:
    memory = MERGED["value and text"]
    assert doubt(store, memory) == ""
    with store.writing(1) as writer:
        writer.attest([layout.path_of(memory, "project")], "2026-08-01T08:00:00Z")
    assert told(store) == [("2026-08-01T08:00:00Z", NOW)]
    assert [path.name for path in Path(store.root, "receipts").iterdir()] == [f"{NOW[:7]}.jsonl"]


def test_the_receipt_of_a_merge_is_for_everybody_who_may_read_the_others(store: Store) -> None:
    memory = MERGED["value and text"]
    assert doubt(store, memory) == ""
    with store.writing(1) as writer:
        writer.attest([layout.path_of(memory, "project")], "2026-10-01T08:00:00Z")
    assert len({path.stat().st_mode for path in Path(store.root, "receipts").iterdir()}) == 1
    assert told(store) == [("2026-10-01T08:00:00Z", None)]


def test_what_was_put_away_since_the_merge_is_not_written_down(store: Store) -> None:
    memory = replace(MERGED["value and text"], status="archived", status_reason="archived: unused")
    assert doubt(store, memory) == ""
    with store.writing(1) as writer:
        writer.attest([layout.path_of(memory, "project")], NOW)
    assert told(store) == []
