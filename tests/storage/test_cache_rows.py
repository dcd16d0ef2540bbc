"""What a table of the cache takes over from the one before, and what a row says of a text that is damaged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, kept, layout
from memdir_cli.storage.codec import render
from memdir_cli.storage.memories import read_folder
from tests.records import project
from tests.storage.test_cache import KEY

#: So many changes are worth a new table in these tests.
FEW = 3


@pytest.fixture(autouse=True)
def quick_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)


def put(root: Path, *numbers: int, value: str = "old", **more: object) -> None:
    """A file a number, all of one size."""
    (root / layout.MEMORIES).mkdir(parents=True, exist_ok=True)
    for number in numbers:
        made = project(id=f"m{number:012d}", predicate=f"key-{number}", value=value, body=f"Why {number}.\n").memory
        changed: Memory = replace(made, **more)  # type: ignore[arg-type]
        (root / layout.path_of(changed, "project")).write_bytes(render(changed))


def path_of(number: int) -> str:
    return f"memories/key-{number}.md"


def read(root: Path, rows: cache.Rows = cache.NOTHING) -> list[Record]:
    found = list(read_folder(str(root), "project", layout.MEMORIES, None, rows=rows))
    return [one for one in found if isinstance(one, Record)]


def saved(root: Path) -> bool:
    """Whether a writer that has read all finds it worth a new table."""
    place, before = str(root), cache.load(str(root), KEY)
    records, stats = read(root, before), cache.stats_of(place, layout.MEMORIES)
    now = max(stat[3] for stat in stats.values())
    return cache.save(place, KEY, "abcdefgh", records, stats, before, now=now, private=True)


def rows(root: Path) -> cache.Rows:
    return cache.load(str(root), KEY)


def records(root: Path, paths: Iterable[str]) -> dict[str, Record]:
    """Those of the cache."""
    return cache.matching(str(root), paths, rows(root), "project", cache.stats_of(str(root), layout.MEMORIES))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memdir of ten files, and a cache of them."""
    place = tmp_path / "memdir"
    put(place, *range(10))
    (place / "local").mkdir()
    assert saved(place)
    return place


@pytest.mark.parametrize(
    ("changed", "new", "gone", "worth"),
    [((), 0, 0, False), ((1,), 1, 0, False), ((), 0, 2, False), ((1, 2, 3), 0, 0, True), ((), 3, 0, True),
     ((), 0, 3, True), ((1,), 1, 1, True)],
)  # fmt: skip
def test_a_table_is_written_anew_once_enough_was_changed_added_or_taken_away(
    root: Path, changed: tuple[int, ...], new: int, gone: int, *, worth: bool
) -> None:
    put(root, *changed, value="new")
    put(root, *range(10, 10 + new))
    for number in range(10 - gone, 10):
        (root / path_of(number)).unlink()
    assert saved(root) is worth
    if worth:
        assert sorted(rows(root)) == sorted(record.path for record in read(root))
    taken = records(root, rows(root))
    assert len(taken) == 10 - gone + (new if worth else 0) - (0 if worth else len(changed))
    assert list(taken.values()) == [record for record in read(root) if record.path in taken]
    assert {record.memory.value for record in taken.values()} == ({"old", "new"} if worth and changed else {"old"})


def test_what_is_taken_from_a_row_is_a_number_where_the_file_says_a_number(root: Path) -> None:
    put(root, 1, 2, 3, value=None, none=True)  # type: ignore[arg-type]
    assert saved(root)
    for record in records(root, map(path_of, (1, 2, 3, 4))).values():
        assert (type(record.memory.none), type(record.memory.revision)) == (bool, int)


def test_rows_stay_unless_they_are_not_needed_any_more(root: Path) -> None:
    loaded, stats = rows(root), cache.stats_of(str(root), layout.MEMORIES)
    for consume, left in ((False, 10), (True, 9)):
        cache.matching(str(root), [path_of(1)], loaded, "project", stats, consume=consume)
        assert len(loaded) == left


def test_a_text_counts_only_as_that_of_its_own_file(root: Path) -> None:
    loaded = rows(root)
    one, other = (loaded[path_of(number)] for number in (1, 2))
    assert b"Why 1." in loaded.text(one)
    assert loaded.text((*one[:4], other[4], *one[5:])) == b"", "the text of the one under the digest of the other"


def damage(root: Path) -> None:
    path = root / layout.CACHE
    path.write_bytes(path.read_bytes().replace(b"Why", b"Yhw"))


def test_where_the_text_of_a_row_is_damaged_the_file_is_read(root: Path) -> None:
    damage(root)
    assert records(root, [path_of(1)])[path_of(1)].memory.body == "Why 1.\n"


@pytest.mark.parametrize("happening", ["changed", "removed", "broken"])
def test_where_the_text_of_a_row_is_damaged_and_its_file_another_one_by_now_the_reader_is_told(
    root: Path, happening: str
) -> None:
    damage(root)
    record = records(root, [path_of(1)])[path_of(1)]
    if happening == "changed":
        put(root, 1, value="new")
    elif happening == "removed":
        (root / path_of(1)).unlink()
    else:
        (root / path_of(1)).write_bytes(b"---\nid: x\n")
    with pytest.raises(FaultError, match=path_of(1)) as caught:
        record.memory.body  # noqa: B018 - only now it is unpacked
    assert (caught.value.code, caught.value.facts) == ("cache", {"path": path_of(1)})
    assert "again" in caught.value.hint


@pytest.mark.parametrize("length", [0, 1, 20, 21, 30, 36, 37, 1 << 60])
def test_a_table_that_would_begin_before_its_file_is_none(root: Path, length: int) -> None:
    (root / layout.CACHE).write_bytes(b"x" * 20 + length.to_bytes(8, "big") + bytes(32))
    assert rows(root) == {}


def open_files() -> int:
    return len(os.listdir("/dev/fd"))


@pytest.mark.parametrize("key", [KEY, "another"])
def test_a_cache_that_is_not_needed_any_more_holds_no_file_open(root: Path, key: str) -> None:
    before = open_files()
    loaded = cache.load(str(root), key)
    assert bool(loaded) is (key == KEY)
    del loaded
    assert open_files() == before


def test_a_link_is_looked_at_and_not_where_it_leads(root: Path) -> None:
    outside = root.parent / "outside.md"
    (root / path_of(1)).rename(outside)
    (root / path_of(1)).symlink_to(outside)
    (root / path_of(2)).unlink()
    (root / path_of(2)).symlink_to("nowhere")
    stats = cache.stats_of(str(root), layout.MEMORIES)
    assert [stats[path_of(number)][0] for number in (1, 2)] == [
        os.lstat(root / path_of(number)).st_ino for number in (1, 2)
    ]


@pytest.mark.parametrize(("key", "folder", "written"), [(KEY, True, 1), ("", True, 0), (KEY, False, 0), ("", False, 0)])
def test_who_only_reads_keeps_rows_where_there_are_both_a_key_and_a_cache_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch, key: str, *, folder: bool, written: int
) -> None:
    elsewhere = root.parent / "here"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    place = str(root.parent / "cache") if folder else ""
    stats = cache.stats_of(str(root), layout.MEMORIES)
    now = max(stat[3] for stat in stats.values())
    cache.save_read(place, str(root), key, read(root), stats, cache.NOTHING, now=now)
    assert len(list(root.parent.glob(f"*/rows-{kept.of(str(root))}-cache"))) == written
