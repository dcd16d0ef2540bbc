"""Inspection: where a key stands in a file, whatever the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import Unreadable
from memdir_cli.storage import codec, inspection, layout
from tests.records import project


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


def inspected(root: Path, content: bytes, folder: str = "memories") -> inspection.Inspected:
    (root / folder).mkdir(exist_ok=True)
    (root / folder / "lint.md").write_bytes(content)
    seen: list[inspection.Inspected] = []
    found = inspection.inspect_folder(str(root), "project", folder, None, seen.append)
    assert tuple(seen) == found.found, "each file is handed on as soon as it is seen"
    (one,) = seen
    return one


@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_an_empty_file_is_told_at_its_first_character(tmp_path: Path, content: bytes) -> None:
    found = inspected(tmp_path, content).found
    assert isinstance(found, Unreadable)
    assert (found.reason, found.line, found.column) == ("empty", 1, 1)


@pytest.mark.parametrize(
    ("text", "rules"), [("plain", []), ("a\u202eb", ["hidden"]), ("caf\u00e9 \u65e5\u672c\u8a9e", [])]
)
@pytest.mark.parametrize("remark", [b"", b"# why\n"])
def test_hidden_characters_are_seen_among_others_of_many_bytes(
    tmp_path: Path, text: str, rules: list[str], remark: bytes
) -> None:
    content = codec.render(project(predicate="lint", value="ruff", body=f"{text}: run ruff\n").memory)
    content = content.replace(b"status:", remark + b"status:")
    assert [trace.rule for trace in inspected(tmp_path, content).traces] == rules


def test_older_sources_belong_into_the_history_alone(tmp_path: Path) -> None:
    name = layout.older_sources_path(project(predicate="lint").memory, "project").rpartition("/")[2]
    for folder in ("history", "memories"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(b"{}\n")
    strays = {
        folder: [one.name for one in inspection.inspect_folder(str(tmp_path), "project", folder, None).strays]
        for folder in ("history", "memories")
    }
    assert strays == {"history": [], "memories": [f"memories/{name}"]}


@pytest.mark.parametrize(("mode", "others"), [(0o700, False), (0o710, True), (0o701, True), (0o755, True)])
def test_a_memdir_is_open_to_others_who_have_any_right_in_it(tmp_path: Path, mode: int, *, others: bool) -> None:
    tmp_path.chmod(mode)
    assert inspection.open_to_others(str(tmp_path)) is others
