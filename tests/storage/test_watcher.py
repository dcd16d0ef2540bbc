"""The watcher on real folders: what it arms, what it hears, and what it does where the system gives nothing."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import watchdog.observers
from watchdog.events import DirCreatedEvent, DirDeletedEvent, DirModifiedEvent, DirMovedEvent, FileCreatedEvent

from memdir_cli.storage.marks import Wanted
from memdir_cli.storage.watcher import Watcher
from tests.cli.watched import until


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def watcher(heard: list[str]) -> Iterator[Watcher]:
    found = Watcher(heard.append)
    yield found
    found.close()


def files(*paths: Path) -> Wanted:
    return Wanted(frozenset(str(path) for path in paths))


def write(path: Path, text: str = "x") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_only_what_is_wanted_is_heard(tmp_path: Path, watcher: Watcher, heard: list[str]) -> None:
    write(tmp_path / "a")
    watcher.arm(files(tmp_path / "a"))
    write(tmp_path / "b")
    (tmp_path / "b").unlink()
    write(tmp_path / "a", "y")
    until(lambda: heard)
    assert set(heard) == {str(tmp_path / "a")}


def test_one_watch_serves_all_files_of_a_folder(tmp_path: Path, watcher: Watcher) -> None:
    watcher.arm(files(*(tmp_path / f"{number}" for number in range(50))))
    assert watcher.folders == (str(tmp_path),)


def test_watches_grow_and_shrink_with_what_is_wanted(tmp_path: Path, watcher: Watcher, heard: list[str]) -> None:
    for name in ("one", "two"):
        write(tmp_path / name / "f")
    watcher.arm(files(tmp_path / "one/f"))
    watcher.arm(files(tmp_path / "two/f"))
    assert watcher.folders == (str(tmp_path / "two"),)
    write(tmp_path / "one/f", "y")
    write(tmp_path / "two/f", "y")
    until(lambda: heard)
    assert set(heard) == {str(tmp_path / "two/f")}


def test_what_is_not_there_is_waited_for_in_the_nearest_folder(
    tmp_path: Path, watcher: Watcher, heard: list[str]
) -> None:
    wanted = files(tmp_path / "packages/web/package.json")
    watcher.arm(wanted)
    assert watcher.folders == (str(tmp_path),)
    (tmp_path / "packages/web").mkdir(parents=True)
    until(lambda: heard)
    watcher.arm(wanted)
    assert watcher.folders == (str(tmp_path / "packages/web"),)
    write(tmp_path / "packages/web/package.json")
    until(lambda: str(tmp_path / "packages/web/package.json") in heard)


def test_a_file_behind_links_is_heard_wherever_it_is_written(
    tmp_path: Path, watcher: Watcher, heard: list[str]
) -> None:
    write(tmp_path / "real/shared.json")
    (tmp_path / "app").symlink_to("real", target_is_directory=True)
    write(tmp_path / "far/target.json")
    (tmp_path / "real/link.json").symlink_to("../far/target.json")
    watcher.arm(files(tmp_path / "app/shared.json", tmp_path / "app/link.json"))
    write(tmp_path / "real/shared.json", "y")
    write(tmp_path / "far/target.json", "y")
    until(lambda: {str(tmp_path / "real/shared.json"), str(tmp_path / "far/target.json")} <= set(heard))


@pytest.mark.parametrize("closed", ["node_modules", ".git", "packages/a/node_modules/b"])
def test_closed_folders_are_never_watched(tmp_path: Path, watcher: Watcher, closed: str) -> None:
    write(tmp_path / closed / "package.json")
    watcher.arm(files(tmp_path / closed / "package.json", tmp_path / "package.json"))
    assert watcher.folders == (str(tmp_path),)


def test_a_folder_of_the_same_name_is_another_one(tmp_path: Path, watcher: Watcher, heard: list[str]) -> None:
    wanted = files(tmp_path / "d/f")
    write(tmp_path / "d/f")
    watcher.arm(wanted)
    assert not watcher.broken()
    (tmp_path / "d").rename(tmp_path / "old")
    write(tmp_path / "d/f")
    assert watcher.broken()
    watcher.arm(wanted)
    assert not watcher.broken()
    heard.clear()
    write(tmp_path / "d/f", "y")
    until(lambda: heard)


def test_a_folder_that_is_removed_is_told(tmp_path: Path, watcher: Watcher, heard: list[str]) -> None:
    write(tmp_path / "d/f")
    watcher.arm(files(tmp_path / "d/f"))
    (tmp_path / "d/f").unlink()
    (tmp_path / "d").rmdir()
    until(lambda: str(tmp_path / "d") in heard)
    (tmp_path / "d").mkdir()
    assert watcher.broken(), "also where the file system gives it the same inode again"


def test_a_folder_that_was_told_to_be_gone_is_watched_anew_though_it_looks_the_same(
    tmp_path: Path, watcher: Watcher, heard: list[str]
) -> None:
    wanted, folder = files(tmp_path / "d/f"), str(tmp_path / "d")
    write(tmp_path / "d/f")
    watcher.arm(wanted)
    for harmless in (DirModifiedEvent(folder), DirCreatedEvent(folder)):
        watcher.hear(harmless)
        assert not watcher.broken()
    for event in (DirDeletedEvent(folder), DirMovedEvent(folder, str(tmp_path / "e"))):
        heard.clear()
        watcher.hear(event)
        assert watcher.broken()
        assert heard == [folder]
        watcher.arm(wanted)
        assert not watcher.broken()
    heard.clear()
    write(tmp_path / "d/f", "y")
    until(lambda: str(tmp_path / "d/f") in heard)


def test_of_what_is_not_watched_a_folder_on_the_way_is_heard_and_nothing_beside_it(
    tmp_path: Path, watcher: Watcher, heard: list[str]
) -> None:
    watcher.arm(files(tmp_path / "packages/web/package.json"))
    for path in ("docs", "packages-old", "packages/web/src"):
        watcher.hear(DirCreatedEvent(str(tmp_path / path)))
    watcher.hear(FileCreatedEvent(str(tmp_path / "packages")))
    assert heard == []
    watcher.hear(DirCreatedEvent(str(tmp_path / "packages")))
    watcher.hear(DirMovedEvent(str(tmp_path / "old"), str(tmp_path / "packages/web")))
    assert heard == [str(tmp_path / "packages"), str(tmp_path / "packages/web")]


def test_reading_is_not_heard(tmp_path: Path, watcher: Watcher, heard: list[str]) -> None:
    write(tmp_path / "a")
    watcher.arm(files(tmp_path / "a", tmp_path / "end"))
    for _ in range(100):
        (tmp_path / "a").read_text(encoding="utf-8")
        os.listdir(tmp_path)
    write(tmp_path / "end")
    until(lambda: heard)
    assert set(heard) == {str(tmp_path / "end")}


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.ENOSPC, "inotify watch limit reached"), "the system has no more watches to give (No space"),
        (OSError(errno.EMFILE, "inotify instance limit reached"), "the system has no more watches to give (Too many"),
        (OSError(errno.ENOSYS, "no inotify here"), "the system tells of no changes ("),
        (RuntimeError("can't start new thread"), "the system tells of no changes (can't start new thread)"),
    ],
)
def test_where_the_system_gives_nothing_it_says_why(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(watchdog.observers.Observer, "schedule", refuse)
    before = threading.active_count()
    watcher.arm(files(tmp_path / "a"))
    assert watcher.trouble.startswith(why)
    assert (watcher.folders, watcher.broken()) == ((), False)
    watcher.arm(files(tmp_path / "b"))
    until(lambda: threading.active_count() == before)


def test_where_no_watching_can_begin_it_says_why(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(watchdog.observers.Observer, "start", refuse)
    watcher.arm(files(tmp_path / "a"))
    assert watcher.trouble.startswith("the system has no more watches to give (Too many")


def test_closing_leaves_no_thread(tmp_path: Path, watcher: Watcher) -> None:
    before = threading.active_count()
    watcher.arm(files(tmp_path / "a", tmp_path / "b/c"))
    watcher.close()
    assert (watcher.folders, watcher.broken()) == ((), False)
    watcher.close()
    until(lambda: threading.active_count() == before)
