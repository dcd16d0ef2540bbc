"""Marks of real files: what is a change, and what only looks like one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest

from memdir_cli.storage.marks import DIGESTED_BYTES, Wanted, changed, take


def wanted(root: Path) -> Wanted:
    """A file of evidence and a folder of memories."""
    return Wanted(frozenset({str(root / "package.json")}), frozenset({str(root / "memories")}))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories/a.md").write_text("a", encoding="utf-8")
    return tmp_path


def touched(path: Path) -> None:
    os.utime(path, (1, 1))


def rewritten(path: Path) -> None:
    path.write_text(path.read_text("utf-8"), encoding="utf-8")


def replaced(path: Path) -> None:
    path.with_suffix(".new").write_text(path.read_text("utf-8"), encoding="utf-8")
    path.with_suffix(".new").replace(path)


SAME_CONTENT: list[Callable[[Path], None]] = [touched, rewritten, replaced, lambda path: path.chmod(0o600)]


@pytest.mark.parametrize("act", SAME_CONTENT)
def test_evidence_with_the_same_content_is_the_same(place: Path, act: Callable[[Path], None]) -> None:
    before = take(wanted(place))
    act(place / "package.json")
    assert changed(before, take(wanted(place))) == ()


@pytest.mark.parametrize(
    ("path", "act"),
    [
        ("package.json", lambda path: path.write_text("[]", encoding="utf-8")),
        ("package.json", Path.unlink),
        ("memories/a.md", lambda path: path.write_text("ab", encoding="utf-8")),
        ("memories/a.md", touched),
        ("memories/a.md", Path.unlink),
        ("memories/b.md", lambda path: path.write_text("b", encoding="utf-8")),
    ],
)
def test_what_is_a_change(place: Path, path: str, act: Callable[[Path], object]) -> None:
    before = take(wanted(place))
    act(place / path)
    assert changed(before, take(wanted(place))) == (str(place / path),)


def test_a_change_of_evidence_shows_even_where_the_status_does_not(place: Path) -> None:
    file, before = place / "package.json", take(wanted(place))
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    with file.open("r+", encoding="utf-8") as stream:
        stream.write("[]")
    os.utime(file, ns=times)
    assert changed(before, take(wanted(place))) == (str(file),)


@pytest.mark.parametrize("name", [".memdir-7k3f-1.tmp", ".a.md.swp", "a.md~", "4913", ".hidden.md"])
def test_temporary_files_beside_memories_do_not_count(place: Path, name: str) -> None:
    before = take(wanted(place))
    (place / "memories" / name).write_text("x", encoding="utf-8")
    assert changed(before, take(wanted(place))) == ()
    assert not wanted(place).counts(str(place / "memories" / name))


def test_what_counts_is_a_file_that_is_wanted_or_a_memory_in_a_folder_that_is(place: Path) -> None:
    counting = {
        path: wanted(place).counts(str(place / path))
        for path in (
            "package.json",
            "memories/a.md",
            "memories/new.md",
            "memories/a.txt",
            "other/a.md",
            "memories/below/a.md",
            "a.md",
        )
    }
    assert [path for path, counts in counting.items() if counts] == ["package.json", "memories/a.md", "memories/new.md"]


def test_what_lies_in_a_folder_is_no_change_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    docs = Wanted(frozenset({str(tmp_path / "docs")}))
    before = take(docs)
    (tmp_path / "docs/x.md").write_text("x", encoding="utf-8")
    assert changed(before, take(docs)) == ()
    (tmp_path / "docs/x.md").unlink()
    (tmp_path / "docs").rmdir()
    assert changed(before, take(docs)) == (str(tmp_path / "docs"),)


def test_a_folder_that_became_a_file_has_changed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    docs = Wanted(frozenset({str(tmp_path / "docs")}))
    before = take(docs)
    (tmp_path / "docs").rmdir()
    (tmp_path / "docs").write_text("", encoding="utf-8")
    assert changed(before, take(docs)) == (str(tmp_path / "docs"),)


def test_a_huge_file_is_known_by_its_status_alone(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as stream:
        stream.truncate(DIGESTED_BYTES + 1)
    huge = Wanted(frozenset({str(file)}))
    before = take(huge)
    assert before[str(file)].digest == ""
    touched(file)
    assert changed(before, take(huge)) == (str(file),)


def test_a_large_file_that_is_not_huge_is_known_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as stream:
        stream.truncate(DIGESTED_BYTES)
    large = Wanted(frozenset({str(file)}))
    before = take(large)
    touched(file)
    assert changed(before, take(large)) == ()


def test_a_pipe_holds_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.json")
    (mark,) = take(Wanted(frozenset({str(tmp_path / "package.json")}))).values()
    assert mark.digest == ""


def test_what_is_not_there_has_no_mark(tmp_path: Path) -> None:
    nothing = Wanted(frozenset({str(tmp_path / "x"), f"{tmp_path}/a\0b"}), frozenset({str(tmp_path / "memories")}))
    assert take(nothing) == {}


def test_what_leads_to_something_wanted(tmp_path: Path) -> None:
    deep = Wanted(
        frozenset({"/r/packages/web/package.json", "/s/go.mod"}), frozenset({"/r/.memdir/memories", "/home/.memdir/m"})
    )
    leading = ["/s", "/home", "/r", "/r/packages", "/r/packages/web", "/r/.memdir", "/r/.memdir/memories"]
    assert [path for path in leading if not deep.leads(path)] == []
    others = ["/r/pack", "/r/packages/web/package.json", "/r/packages/api", "/r/.memdir/memories/x", "/q"]
    assert [path for path in others if deep.leads(path)] == []


def test_what_may_not_be_read_is_known_by_its_status(place: Path) -> None:
    file = place / "package.json"
    file.unlink()
    # a link in a circle is there for nobody, not even for the superuser
    file.symlink_to("package.json")
    assert str(file) not in take(wanted(place))


def test_a_file_that_goes_while_it_is_looked_at_has_no_digest(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> int:
        raise FileNotFoundError

    monkeypatch.setattr(os, "open", gone)
    assert take(wanted(place))[str(place / "package.json")].digest == ""


def test_a_file_that_could_once_not_be_read_is_known_by_its_status(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> int:
        raise PermissionError

    read = take(wanted(place))
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refused)
        unread = take(wanted(place))
        touched(place / "package.json")
        later = take(wanted(place))
    assert changed(read, unread) == changed(unread, read) == ()
    assert changed(read, later) == changed(later, read) == (str(place / "package.json"),)


def test_a_pipe_that_takes_the_place_of_a_file_holds_nobody(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, real = place / "package.json", os.open
    reached: list[str] = []

    def swapped(path: str, flags: int) -> int:
        file.unlink()
        os.mkfifo(file)
        return real(path, flags)

    def release() -> None:
        reached.append("it waits for a writer")
        os.close(real(file, os.O_WRONLY | os.O_NONBLOCK))

    monkeypatch.setattr(os, "open", swapped)
    timer = Timer(2, release)
    timer.start()
    try:
        take(wanted(place))
    finally:
        timer.cancel()
    assert reached == []


def test_a_memory_that_goes_while_it_is_looked_at_has_no_mark_and_hides_no_other(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.md", "c.md"):
        (place / "memories" / name).write_text("b", encoding="utf-8")
    real = os.lstat
    seen: list[str] = []

    def gone(path: str) -> os.stat_result:
        seen.append(path)
        if len(seen) == 1:
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(os, "lstat", gone)
    marks = take(wanted(place))
    assert len(seen) == 3
    assert set(marks) == {str(place / "package.json"), *seen[1:]}
