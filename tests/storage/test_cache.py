"""The cache never changes an answer: whatever happens to files and cache, a reader finds what is in the files."""

from __future__ import annotations

import marshal
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from memdir_cli.storage import cache, derived, layout
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.store import Store

KEY = "k" * 64
NOW = "2026-09-14T09:30:00Z"
REPOSITORY = "github.com/acme/web"

#: Enough memories for a cache in these tests.
FEW = 8


def memory(number: int) -> Memory:
    return Memory(
        f"m{number:012d}",
        f"project:{REPOSITORY}",
        f"key_{number}",
        Scope("repository", repository=REPOSITORY, environment=(("os", "linux"),) if number % 7 == 0 else ()),
        "verified",
        name=f"key_{number}",
        value=f"value {number}",
        authority="user",
        source=(Source("user", "session:s/message:m", "said so", NOW, "tty"),),
        verified_at=NOW,
    )


def filled(root: Path, count: int) -> Store:
    """A memdir of ``count`` memories whose cache holds all of them."""
    root.mkdir()
    (root / "config.yaml").write_bytes(new_project_config(REPOSITORY, "f" * 64))
    store = Store(str(root), "project", KEY)
    memories = [memory(number) for number in range(count)]
    with store.writing(5) as writer:
        writer.commit(ChangeSet(tuple(map(Write, memories)), events=(Event("created", memories[0]),)), NOW)
    age(root)
    write_one(store, count)
    return store


def age(root: Path) -> None:
    """Let the files look as if nobody had touched them for a while; their status time is the kernel's."""
    cache_age = 10_000_000_000
    for path in (root / "memories").iterdir():
        stat = path.stat()
        os.utime(path, ns=(stat.st_atime_ns - cache_age, stat.st_mtime_ns - cache_age))


def write_one(store: Store, number: int) -> None:
    with store.writing(5) as writer:
        writer.called()
        writer.commit(ChangeSet((Write(memory(number)),), events=(Event("created", memory(number)),)), NOW)


def without_cache(store: Store) -> list[object]:
    return [*Store(store.root, "project").snapshot((layout.MEMORIES,)).records]


def with_cache(store: Store) -> list[object]:
    return [*Store(store.root, "project", KEY).snapshot((layout.MEMORIES,)).records]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    # nothing made within a test is old enough for a row otherwise
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    return filled(tmp_path / "memdir", FEW)


def rows(store: Store) -> cache.Rows:
    return Store(store.root, "project", KEY).cached()


def test_rows_stand_for_files_that_did_not_change(store: Store) -> None:
    assert len(rows(store)) == FEW
    taken = cache.matching(store.root, rows(store), rows(store), "project", cache.stats_of(store.root, layout.MEMORIES))
    assert [*taken.values()] == [record for record in without_cache(store) if record in taken.values()]
    assert len(taken) == len(rows(store))


def in_place(path: Path, root: Path) -> None:
    """The same size, the old times put back: only the status time tells."""
    stat = path.stat()
    path.write_text(path.read_text().replace("value 3", "VALUE 3"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def replaced(path: Path, root: Path) -> None:
    other = path.with_suffix(".new")
    other.write_text(path.read_text().replace("value 3", "VALUE 3"))
    other.rename(path)


def removed(path: Path, root: Path) -> None:
    path.unlink()


def broken(path: Path, root: Path) -> None:
    path.write_bytes(b"---\nid: x\n")


def renamed(path: Path, root: Path) -> None:
    path.rename(path.with_name("elsewhere.md"))


def copied(path: Path, root: Path) -> None:
    """A memdir that is copied with its cache, and edited there."""
    shutil.copytree(root, root.with_name("copy"), copy_function=shutil.copy2)
    shutil.rmtree(root)
    root.with_name("copy").rename(root)
    in_place(path, root)


def linked(path: Path, root: Path) -> None:
    outside = root.parent / "outside.md"
    path.rename(outside)
    path.symlink_to(outside)


def written(key: str, version: str, rows: Mapping[str, cache.Row]) -> bytes:
    """A cache of rows without texts."""
    head = marshal.dumps((version, dict(rows)))
    return head + len(head).to_bytes(8, "big") + derived.digest(key, head)


def cache_of_another_version(path: Path, root: Path) -> None:
    in_place(path, root)
    known = dict(Store(str(root), "project", KEY).cached())
    (root / layout.CACHE).write_bytes(written(KEY, "0 another", known))


def cache_of_another_user(path: Path, root: Path) -> None:
    known = dict(Store(str(root), "project", KEY).cached())
    forged = {name: (*row[:15], "poison", *row[16:]) for name, row in known.items()}
    assert next(iter(known.values()))[15].startswith("value")
    (root / layout.CACHE).write_bytes(written("another key", cache._VERSION, forged))


@pytest.mark.parametrize(
    "happening",
    [
        in_place, replaced, removed, broken, renamed, copied, linked,
        cache_of_another_version, cache_of_another_user,
    ],
    ids=lambda act: act.__name__,
)  # fmt: skip
def test_a_change_is_seen_as_without_a_cache(store: Store, happening: Callable[[Path, Path], None]) -> None:
    root = Path(store.root)
    happening(root / "memories" / "key_3.md", root)
    assert with_cache(store) == without_cache(store)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_cache_is_no_cache(store: Store, at: float, byte: int, cut: bool) -> None:
    path = Path(store.root) / layout.CACHE
    whole = path.read_bytes()
    place = int(at * len(whole))
    path.write_bytes(whole[:place] if cut else whole[:place] + bytes([byte]) + whole[place + 1 :])
    try:
        assert with_cache(store) == without_cache(store)
    finally:
        path.write_bytes(whole)


def test_a_file_that_was_just_written_gets_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    store = filled(tmp_path / "memdir", FEW)
    assert rows(store) == {}, "their status times are younger than two seconds"


def test_only_a_file_that_was_at_rest_before_it_was_read_is_settled() -> None:
    now = 10 * cache.RACY
    times = {"old": now - cache.RACY, "young": now - cache.RACY + 1, "ahead": now + cache.RACY}
    found = [Record(memory(1), name, "", "project") for name in (*times, "unknown")]
    stats: cache.Stats = {name: (1, 2, 0, at) for name, at in times.items()}
    assert [record.path for record in cache.settled(found, stats, now)] == ["old"]


def test_without_a_user_there_is_no_cache(store: Store) -> None:
    assert cache.load(store.root, "") == {}
    (Path(store.root) / layout.CACHE).unlink()
    bare = Store(store.root, "project")
    write_one(bare, 5000)
    assert not (Path(store.root) / layout.CACHE).exists()


def test_a_writer_decides_on_the_files(store: Store) -> None:
    root = Path(store.root)
    in_place(root / "memories" / "key_3.md", root)
    with Store(store.root, "project", KEY).writing(5) as writer:
        [record] = writer.current(replace(memory(3)).identity)
    assert record.memory.value == "VALUE 3"
