"""Reading inside the workspace, and nothing outside it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memdir_cli.probes import workspace
from memdir_cli.probes.workspace import ABSENT, OUTSIDE, Unseen

OUTWARDS = [
    "..", "../canary", "a/../../canary", "./../canary", "/canary", "//server/canary", "~/canary", "~root",
    "..\\canary", "\\\\server\\share", "C:canary", "c:/canary", "a\\..\\..\\canary", "can\0ary",
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "canary").write_text("outside")
    root = tmp_path / "project"
    (root / "a").mkdir(parents=True)
    (root / "a/file").write_text("inside")
    return root


@pytest.mark.parametrize("path", OUTWARDS)
def test_no_name_leads_out(root: Path, path: str) -> None:
    assert workspace.read(str(root), path) == OUTSIDE


@pytest.mark.parametrize("path", ["a/file", "./a/file", "a//file", "a/./file"])
def test_a_file_inside(root: Path, path: str) -> None:
    assert workspace.read(str(root), path) == b"inside"


def test_links_count_by_where_they_lead(root: Path) -> None:
    (root / "in").symlink_to("a/file")
    (root / "out").symlink_to("../canary")
    (root / "dir").symlink_to("..")
    (root / "loop").symlink_to("loop")
    (root / "dangling").symlink_to("../nothing-there")
    (root / "lost").symlink_to("a/nothing-there")
    assert workspace.read(str(root), "in") == b"inside"
    assert workspace.read(str(root), "out") == workspace.read(str(root), "dir/canary") == OUTSIDE
    assert workspace.read(str(root), "dangling") == OUTSIDE
    assert workspace.read(str(root), "lost") == ABSENT
    assert isinstance(workspace.read(str(root), "loop"), Unseen)


def test_a_workspace_reached_through_a_link_works(root: Path) -> None:
    (root.parent / "link").symlink_to(root)
    assert workspace.read(str(root.parent / "link"), "a/file") == b"inside"


@pytest.mark.parametrize("path", ["nothing", "a/nothing", "a/file/below", "x" * 300])
def test_what_is_not_there(root: Path, path: str) -> None:
    assert workspace.read(str(root), path) == ABSENT


def test_special_files_are_refused_at_once(root: Path) -> None:
    os.mkfifo(root / "fifo")
    here = os.getcwd()
    os.chdir(root)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket")
    finally:
        os.chdir(here)
    for name in ("fifo", "socket", "a", ""):
        seen = workspace.read(str(root), name)
        assert isinstance(seen, Unseen)
        assert seen.reason == "denied"


def test_a_file_beyond_the_bound_is_refused(root: Path) -> None:
    assert workspace.read(str(root), "a/file", limit=6) == b"inside"
    assert workspace.read(str(root), "a/file", limit=5) == Unseen("denied", "the file is larger than 5 bytes")


def test_upwards_ends_at_the_root() -> None:
    assert workspace.upwards("a/b") == ("a/b", "a", "")
    assert workspace.upwards("") == ("",)
