"""The saved index never changes an answer, and holds nothing of a memory that went away."""

from __future__ import annotations

import marshal
import os
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.changes import ChangeSet, Remove, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, codec, derived, disk, layout, memories, search
from memdir_cli.storage.config import new_project_config
from memdir_cli.storage.search import Index, stems
from memdir_cli.storage.store import Store
from tests.records import HERE, project

KEY = "k" * 64
NOW = "2026-09-14T09:30:00Z"

#: Enough memories for an image in these tests.
FEW = 8

FOLDERS = (layout.MEMORIES,)


def memory(number: int, body: str = "") -> Memory:
    """A memory whose words are its own, but for those that all have."""
    value = f"value{number} shared"
    return project(id=f"m{number:012d}", predicate=f"key-{number}", value=value, body=body).memory


def filled(root: Path, count: int, **bodies: str) -> Store:
    """A memdir of ``count`` memories whose image holds all of them."""
    root.mkdir()
    (root / "config.yaml").write_bytes(new_project_config(HERE, "f" * 64))
    store = Store(str(root), "project", KEY)
    put(store, *(memory(number, bodies.get(f"m{number}", "")) for number in range(count)))
    put(store, memory(count))
    return store


def put(store: Store, *memories: Memory) -> None:
    with store.writing(5) as writer:
        events = tuple(Event("created", one) for one in memories)
        writer.commit(ChangeSet(tuple(map(Write, memories)), events=events), NOW)


def found(store: Store, key: str = KEY, folders: tuple[str, ...] = FOLDERS) -> dict[str, Any]:
    """All that an index can tell, by term."""
    index = Index(Store(store.root, store.layer, key), folders)
    terms = {term: places for term in set(stems(index.words()).values()) if (places := index.places(term))}
    unreadable = sorted(one.path for one in index.unreadable)
    index.close()
    return {"terms": terms, "lengths": index.lengths, "unreadable": unreadable}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    # nothing made within a test is old enough for a row otherwise
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    return filled(tmp_path / "memdir", FEW)


def image(store: Store) -> Path:
    return Path(store.root) / layout.SEARCH


def saved_rows(store: Store) -> Any:
    content = derived.load(store.root, layout.SEARCH, KEY, search._VERSION)
    return None if content is None else content[0]


def test_the_image_holds_what_did_not_change_and_is_nobody_elses(store: Store) -> None:
    assert len(saved_rows(store)) == FEW
    assert stat.S_IMODE(image(store).stat().st_mode) == 0o600
    assert found(store) == found(store, key="")
    terms = found(store)["terms"]
    assert len(terms["share"]) == FEW + 1
    assert terms["value3"] == {"memories/key-3.md": (0, 1, 0, 0, 0)}


def test_only_what_changed_is_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = memories.read_record

    def counted(root: str, layer: Any, path: str, *others: Any) -> Any:
        read.append(path)
        return real(root, layer, path, *others)

    monkeypatch.setattr(memories, "read_record", counted)
    found(store)
    assert read == [f"memories/key-{FEW}.md"], "written after the image was made"


def in_place(path: Path, root: Path) -> None:
    """The same size, the old times put back: only the status time tells."""
    status = path.stat()
    path.write_text(path.read_text().replace("value3", "other3"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replaced(path: Path, root: Path) -> None:
    other = path.with_suffix(".new")
    other.write_text(path.read_text().replace("value3", "other3"))
    other.rename(path)


def removed(path: Path, root: Path) -> None:
    path.unlink()


def broken(path: Path, root: Path) -> None:
    path.write_bytes(b"---\nid: x\n")


def renamed(path: Path, root: Path) -> None:
    path.rename(path.with_name("elsewhere.md"))


def hidden(path: Path, root: Path) -> None:
    path.rename(path.with_name(".hidden.md"))


def linked(path: Path, root: Path) -> None:
    outside = root.parent / "outside.md"
    path.rename(outside)
    path.symlink_to(outside)


def image_of_another_version(path: Path, root: Path) -> None:
    in_place(path, root)
    content = derived.load(str(root), layout.SEARCH, KEY, search._VERSION)
    body = marshal.dumps(("0 another", content))
    (root / layout.SEARCH).write_bytes(derived.digest(KEY, body) + body)


def image_of_another_user(path: Path, root: Path) -> None:
    rows, _ = derived.load(str(root), layout.SEARCH, KEY, search._VERSION)
    body = marshal.dumps((search._VERSION, (rows, b"not a database")))
    (root / layout.SEARCH).write_bytes(derived.digest("another key", body) + body)


def image_is_a_link(path: Path, root: Path) -> None:
    in_place(path, root)
    outside = root.parent / "image"
    (root / layout.SEARCH).rename(outside)
    (root / layout.SEARCH).symlink_to(outside)


@pytest.mark.parametrize(
    "happening",
    [
        in_place, replaced, removed, broken, renamed, hidden, linked,
        image_of_another_version, image_of_another_user, image_is_a_link,
    ],
    ids=lambda act: act.__name__,
)  # fmt: skip
def test_a_change_is_seen_as_without_an_image(store: Store, happening: Callable[[Path, Path], None]) -> None:
    root = Path(store.root)
    before = found(store)
    happening(root / "memories" / "key-3.md", root)
    after = found(store)
    assert after == found(store, key="")
    assert (after == before) == (happening is image_of_another_user)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_image_is_no_image(store: Store, at: float, byte: int, cut: bool) -> None:
    whole = image(store).read_bytes()
    spot = int(at * len(whole))
    image(store).write_bytes(whole[:spot] if cut else whole[:spot] + bytes([byte]) + whole[spot + 1 :])
    try:
        assert found(store) == found(store, key="")
    finally:
        image(store).write_bytes(whole)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["put", "edit", "drop"]), st.integers(0, 12)), max_size=12))
def test_whatever_is_done_to_files_the_answer_is_theirs(store: Store, steps: list[tuple[str, int]]) -> None:
    folder = Path(store.root) / "memories"
    for number, (step, which) in enumerate(steps):
        path = folder / f"key-{which}.md"
        if step == "drop":
            path.unlink(missing_ok=True)
        else:
            text = codec.render(replace(memory(which), value=f"{step}{number}"))
            path.write_bytes(text)
    assert found(store) == found(store, key="")


def test_a_file_that_was_just_written_is_not_in_the_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    store = filled(tmp_path / "memdir", FEW)
    assert not saved_rows(store), "their status times are younger than two seconds"


def test_without_a_user_nothing_is_saved(store: Store) -> None:
    image(store).unlink()
    put(Store(store.root, "project"), memory(5000))
    assert not image(store).exists()


def test_many_changed_files_are_read_with_the_cache(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    image(store).unlink()
    monkeypatch.setattr(search, "FEW", 3)
    assert found(store) == found(store, key="")
    paths = [f"memories/key-{number}.md" for number in range(FEW)]
    with closing(Index(Store(store.root, "project", KEY), FOLDERS)) as index:
        assert [record.path for record in index.records([*paths, "memories/gone.md"])] == paths


def test_a_promised_transaction_counts_as_done(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    old = [record for record in store.snapshot(FOLDERS).records if record.memory.predicate in {"key-1", "key-2"}]

    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with store.writing(5) as writer, monkeypatch.context() as patched:
        patched.setattr("memdir_cli.storage.transaction._finish", crash)
        changed = replace(old[0].memory, value="changed", revision=2)
        with pytest.raises(KeyboardInterrupt):
            writer.commit(ChangeSet((Write(changed, old[0]),), (old[1],), (Event("confirmed", changed),)), NOW)
    after = found(store)
    assert after == found(store, key="")
    assert "value1" not in after["terms"]
    assert "value2" not in after["terms"]
    assert "memories/key-1.md" in after["terms"]["chang"]


def test_other_folders_are_looked_at_where_they_are_asked_for(store: Store) -> None:
    waiting = replace(memory(77, "waiting words"), status="candidate", status_reason="unconfirmed: said by a tool")
    put(store, waiting)
    assert "wait" not in found(store)["terms"]
    assert list(found(store, folders=(*FOLDERS, layout.INBOX))["terms"]["wait"]) == [f"inbox/key-77~{waiting.id}.md"]


CANARY = "zyzzyva canary"


def canaries(store: Store) -> list[str]:
    """The files in ``local/`` in which something of the canary stands, whole or as an index has it."""
    files = [path for path in (Path(store.root) / "local").rglob("*") if path.is_file()]
    return [path.name for path in files if any(word in path.read_bytes().lower() for word in (b"zyzzyva", b"canari"))]


@pytest.fixture
def poisoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A memdir with the canary in memory 3, its cache and its image."""
    monkeypatch.setattr(cache, "RACY", 0)
    monkeypatch.setattr(cache, "WORTH_SAVING", FEW)
    store = filled(tmp_path / "memdir", FEW, m3=CANARY)
    assert sorted(canaries(store)) == ["cache", "search"]
    return store


def record_of(store: Store, predicate: str) -> Record:
    return next(record for record in store.snapshot().records if record.memory.predicate == predicate)


def taken_away(store: Store, writer: Any) -> None:
    record = record_of(store, "key-3")
    writer.commit(ChangeSet(removes=(record,), events=(Event("dropped", record.memory),)), NOW)


def quarantined(store: Store, writer: Any) -> None:
    record = record_of(store, "key-3")
    apart = replace(record.memory, status="quarantined", status_reason="injected: by a page")
    writer.commit(ChangeSet((Write(apart, record),), (record,), (Event("dropped", apart),)), NOW)


def old_revision_taken_away(store: Store, writer: Any) -> None:
    """The text was replaced before, so that only an older revision and what was derived still hold it."""
    record = record_of(store, "key-3")
    past = replace(record.memory, status="superseded", status_reason="superseded: by another")
    news = replace(record.memory, body="", revision=2)
    writer.commit(ChangeSet((Write(past, record), Write(news, record)), events=(Event("superseded", news),)), NOW)
    assert "search" in canaries(store), "what is no secret need not go at once"
    (old,) = store.snapshot((layout.HISTORY,)).records
    writer.commit(ChangeSet(removes=(old,), events=(Event("dropped", old.memory),)), NOW)


@pytest.mark.parametrize("act", [taken_away, quarantined, old_revision_taken_away], ids=lambda act: act.__name__)
def test_nothing_derived_holds_a_memory_that_went_away(poisoned: Store, act: Callable[[Store, Any], None]) -> None:
    with poisoned.writing(5) as writer:
        act(poisoned, writer)
    assert canaries(poisoned) == []
    put(poisoned, memory(100))
    put(poisoned, memory(101))
    assert image(poisoned).exists(), "the next writer makes it anew"
    assert canaries(poisoned) == []
    assert found(poisoned) == found(poisoned, key="")


def test_what_goes_takes_nothing_with_it_that_never_held_it(poisoned: Store) -> None:
    waiting = replace(memory(77), status="candidate", status_reason="unconfirmed: said by a tool")
    put(poisoned, waiting)
    before = image(poisoned).stat().st_ino
    record = record_of(poisoned, "key-77")
    with poisoned.writing(5) as writer:
        writer.commit(ChangeSet(removes=(record,), events=(Event("dropped", record.memory),)), NOW)
    assert image(poisoned).stat().st_ino == before


def test_a_crash_leaves_the_canary_everywhere_or_nowhere(poisoned: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with poisoned.writing(5) as writer, monkeypatch.context() as patched:
        patched.setattr(disk, "remove", crash)
        with pytest.raises(KeyboardInterrupt):
            taken_away(poisoned, writer)
    with poisoned.writing(5):
        pass
    assert canaries(poisoned) == []
    assert not (Path(poisoned.root) / "memories/key-3.md").exists()


def test_what_a_caller_removes_itself_is_removed_once(poisoned: Store) -> None:
    record = record_of(poisoned, "key-3")
    discards = tuple(Remove(path, digest_of((Path(poisoned.root) / path).read_bytes())) for path in layout.DERIVED)
    with poisoned.writing(5) as writer:
        writer.commit(ChangeSet(removes=(record,), discards=discards, events=(Event("dropped", record.memory),)), NOW)
    assert canaries(poisoned) == []


def test_a_file_that_is_discarded_may_be_any_other(poisoned: Store) -> None:
    path = "local/sources/x.jsonl"
    disk.write_file(poisoned.root, path, b"{}\n", "t1", private=True)
    with poisoned.writing(5) as writer:
        writer.commit(ChangeSet(discards=(Remove(path, digest_of(b"{}\n")),)), NOW)
    assert image(poisoned).exists()


def test_a_memdir_that_may_not_be_written_is_searched_all_the_same(tmp_path: Path) -> None:
    store = filled(tmp_path / "memdir", 3)
    for path in (Path(store.root), Path(store.root) / "local", Path(store.root) / "memories"):
        path.chmod(0o555)
    try:
        assert "value2" in found(store)["terms"]
    finally:
        for path in (Path(store.root), Path(store.root) / "local", Path(store.root) / "memories"):
            path.chmod(0o755)


def test_stems_are_those_of_the_index() -> None:
    assert stems(["tests", "installing", "包管", "привет", "t"]) == {
        "tests": "test", "installing": "instal", "包管": "包管", "привет": "привет", "t": "t",
    }  # fmt: skip
    assert stems([]) == {}


def test_a_python_without_full_text_search_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_TABLES", "create virtual table texts using no_such_module(key)")
    with pytest.raises(FaultError) as raised:
        stems(["x"])
    assert raised.value.code == "no-fts5"
    assert raised.value.hint
