"""Whether a directory is a memdir, and whether other people work in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.storage.config import read_config
from memdir_cli.storage.recognition import foreign, is_memdir


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("notes.txt", "mine", "notes.txt"),
        (".hidden", "mine", ""),
        (".git", "gitdir: elsewhere", ".git"),
        ("MEMORY.md", "", ""),
        ("tombstones.jsonl", "", ""),
        ("config.yaml", "", ""),
        ("config.yaml", "format: '1'\n", ""),
        ("config.yaml", "repository: r1\na: [\n", ""),
        ("config.yaml", "theme: minima\n", "config.yaml"),
    ],
)
def test_a_name_that_is_not_memdirs_is_told(tmp_path: Path, name: str, content: str, found: str) -> None:
    (tmp_path / "memories").mkdir()
    assert foreign(str(tmp_path)) == ""
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert foreign(str(tmp_path)) == found


def _folder(path: Path) -> None:
    path.mkdir()


def _link(path: Path) -> None:
    path.symlink_to("elsewhere.yaml")


@pytest.mark.parametrize("make", [_folder, _link])
def test_settings_that_are_no_file_are_left_to_whoever_reads_them(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "config.yaml")
    assert foreign(str(tmp_path)) == ""


@pytest.mark.parametrize(
    ("settings", "known"),
    [
        ("repository: r1\nkey: 00ff\n", True),
        ("user: u1\nkey: 00ff\n", True),
        ("repository: r1\n", False),
        ("key: 00ff\n", False),
    ],
)
def test_a_memdir_is_known_by_its_settings_or_by_its_receipts(tmp_path: Path, settings: str, *, known: bool) -> None:
    root = str(tmp_path)
    assert not is_memdir(root, read_config(root))
    (tmp_path / "config.yaml").write_text(f"format: '1'\n{settings}", encoding="utf-8")
    assert is_memdir(root, read_config(root)) is known
    (tmp_path / "receipts").mkdir()
    assert is_memdir(root, read_config(root))
