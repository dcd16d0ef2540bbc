"""Inspection: where a key stands in a file, whatever the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.storage import inspection


@pytest.mark.parametrize(
    ("content", "key", "place"),
    [
        (b"---\nid: a\nstatus: stale\n---\n", "status", (3, 1)),
        (b'\xef\xbb\xbf---\r\nid: a\r\n"status": stale\r\n---\r\n', "status", (3, 1)),
        (b"---\nsource:\n  - kind: user\n    at: x\n---\n", "kind", (3, 5)),
        (b"---\nsource:\n  - kind: user\n    at: x\n---\n", "at", (4, 5)),
        (b"---\nstatusReason: status\n---\n", "status", (1, 1)),
        (b"caf\xe9", "status", (1, 1)),
        (b"", "status", (1, 1)),
        (None, "status", (1, 1)),
    ],
)
def test_place_of_a_key(tmp_path: Path, content: bytes | None, key: str, place: tuple[int, int]) -> None:
    if content is not None:
        (tmp_path / "x.md").write_bytes(content)
    assert inspection.place(str(tmp_path), "x.md", key, None) == place


def test_place_in_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "x.md").mkdir()
    assert inspection.place(str(tmp_path), "x.md", "status", None) == (1, 1)


def test_folder_that_is_missing_is_empty(tmp_path: Path) -> None:
    assert inspection.inspect_folder(str(tmp_path), "project", "memories", None) == inspection.Folder()
