"""Where the memories of other tools lie, and what is looked into to find them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.storage.foreign import places, read
from tests.storage.faulty import faulty, plant


def test_a_usual_place_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    plant(tmp_path, {"outside/secret.md": b"secret\n", "top/.serena/a.md": b"x\n"})
    (tmp_path / "top/.serena/memories").symlink_to(tmp_path / "outside")
    assert read("serena", str(tmp_path / "top"), {}).entries == ()


def test_folders_are_looked_into_up_to_their_depth(tmp_path: Path) -> None:
    deepest, deeper = ("d/" * depth for depth in (places.DEPTH, places.DEPTH + 1))
    plant(tmp_path, {f"{deepest}a.md": b"deepest\n", f"{deeper}a.md": b"deeper\n"})
    assert [entry.body for entry in read("markdown", str(tmp_path), {}).entries] == ["deepest\n"]


@pytest.mark.parametrize("home", ["config", ".claude"])
def test_claude_keeps_its_memories_where_its_settings_lie(tmp_path: Path, home: str) -> None:
    top = tmp_path / "top"
    slug = str(top.resolve()).translate({ord(char): "-" for char in "/._"})
    plant(tmp_path, {f"{home}/projects/{slug}/memory/a.md": b"x\n", "top/src/main.py": b""})
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / home) if home == "config" else ""}
    assert [entry.body for entry in read("claude", str(top), environ).entries] == ["x\n"]


def test_a_folder_that_cannot_be_looked_into_is_told_and_hides_no_other(tmp_path: Path) -> None:
    root = plant(tmp_path / "notes", {"a/x.md": b"x\n", "b/y.md": b"y\n"})

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "open" and args[0] == "a":
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    with faulty(plan):
        found = read("markdown", root, {})
    assert [entry.body for entry in found.entries] == ["y\n"]
    assert [(part.path, part.message) for part in found.unread] == [(f"{root}/a", found.unread[0].message)]
    assert "`a`" in found.unread[0].message


def test_a_folder_that_is_called_like_a_page_is_told(tmp_path: Path) -> None:
    root = plant(tmp_path, {"a.md/x.txt": b"", "b/y.txt": b"", "c.md": b"x\n"})
    found = read("markdown", root, {})
    assert [(part.path, part.reason) for part in found.unread] == [(f"{root}/a.md", "folder")]
