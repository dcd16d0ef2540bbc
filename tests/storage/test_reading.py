"""Reading below a memdir's root: what a name is, what is refused, and that no descriptor stays open."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.reading import Entry, checked, is_folder, list_folder, open_file, opened, read_file


@pytest.fixture
def root(tmp_path: Path) -> str:
    """Two files, a folder, links to both kinds, a pipe, and hidden names."""
    (tmp_path / "local/tasks").mkdir(parents=True)
    (tmp_path / "local/tasks/a.md").write_bytes(b"text")
    (tmp_path / "local/b.md").write_bytes(b"more text")
    (tmp_path / "local/to-file").symlink_to("b.md")
    (tmp_path / "local/to-folder").symlink_to("tasks")
    os.mkfifo(tmp_path / "local/pipe")
    (tmp_path / "local/.hidden").write_bytes(b"")
    return str(tmp_path)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def test_a_name_is_told_with_what_it_is_and_links_are_not_followed(root: str) -> None:
    found = list_folder(root, "local")
    assert {entry.name: entry.kind for entry in found} == {
        "b.md": "file", "pipe": "special", "tasks": "folder", "to-file": "link", "to-folder": "link",
    }  # fmt: skip
    assert [entry.name for entry in found] == sorted(entry.name for entry in found)


@pytest.mark.parametrize(
    ("beginning", "hidden", "names"),
    [
        ("to-", False, ["to-file", "to-folder"]),
        ("b.md", False, ["b.md"]),
        ("md", False, []),
        (".", False, []),
        (".", True, [".hidden"]),
    ],
)
def test_names_are_chosen_by_how_they_begin(root: str, beginning: str, *, hidden: bool, names: list[str]) -> None:
    assert [entry.name for entry in list_folder(root, "local", beginning, hidden=hidden)] == names


def test_an_entry_is_its_name_and_its_kind() -> None:
    assert Entry("a", "file") == Entry("a", "file")
    assert len({Entry("a", "file"), Entry("a", "file"), Entry("a", "folder"), Entry("b", "file")}) == 3
    assert Entry("a", "file") not in (Entry("a", "folder"), Entry("b", "file"), ("a", "file"))


@pytest.mark.parametrize(
    ("name", "folder"), [("tasks", True), ("to-folder", False), ("b.md", False), ("pipe", False), ("none", False)]
)
def test_a_folder_is_one_itself(root: str, name: str, monkeypatch: pytest.MonkeyPatch, *, folder: bool) -> None:
    with opened(root, "local") as descriptor:
        assert is_folder(descriptor, name) is folder
    monkeypatch.chdir(f"{root}/local")
    assert is_folder(None, name) is False, "what lies in the working directory is not meant"


@pytest.mark.parametrize("path", ["", "/a", "a//b", "../a", "a/./b", "a\\b", "a\0b"])
def test_a_path_that_leads_elsewhere_is_refused_and_named(path: str) -> None:
    with pytest.raises(FaultError) as fault:
        checked(path)
    assert (fault.value.code, fault.value.facts) == ("bad_path", {"path": path})


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("local/tasks", "special_file", "is a folder"),
        ("local/pipe", "special_file", "is not a regular file"),
        ("local/to-file", "symlink", "is a symbolic link"),
    ],
)
def test_what_is_no_regular_file_is_not_read(root: str, path: str, code: str, words: str) -> None:
    before = descriptors()
    with pytest.raises(FaultError) as fault:
        read_file(root, path)
    assert (fault.value.code, words in fault.value.message) == (code, True)
    assert descriptors() == before


def test_a_file_that_is_larger_than_it_may_be_is_named(root: str) -> None:
    assert read_file(root, "local/b.md", limit=9) == b"more text"
    with pytest.raises(FaultError) as fault:
        read_file(root, "local/b.md", limit=8)
    assert (fault.value.code, fault.value.facts) == ("too_large", {"path": "local/b.md"})


def test_a_file_that_is_opened_is_closed_by_whoever_reads_it(root: str) -> None:
    before = descriptors()
    descriptor = open_file(root, "local/tasks/a.md")
    assert os.read(descriptor, 9) == b"text"
    os.close(descriptor)
    assert read_file(root, "local/tasks/a.md") == b"text"
    assert descriptors() == before


@pytest.mark.parametrize("act", [open_file, read_file])
@pytest.mark.parametrize("path", ["local/tasks", "local/pipe", "local/to-file", "local/to-folder/a.md"])
def test_nothing_stays_open_of_what_is_no_regular_file(root: str, path: str, act: Callable[[str, str], object]) -> None:
    before = descriptors()
    with pytest.raises((OSError, FaultError)):
        act(root, path)
    assert descriptors() == before
