"""Inspection: where a key stands in a file, whatever the file is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.seal import seal
from memdir_cli.domain.snapshot import Unreadable
from memdir_cli.errors import FaultError
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
        (b"\n---\nstatus: stale\n---\n", "status", (3, 1)),
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
        (tmp_path / folder / "notes.txt").write_bytes(b"mine\n")
    strays = {
        folder: [one.name for one in inspection.inspect_folder(str(tmp_path), "project", folder, None).strays]
        for folder in ("history", "memories")
    }
    assert strays == {
        "history": ["history/notes.txt"],
        "memories": sorted([f"memories/{name}", "memories/notes.txt"]),
    }


@pytest.mark.parametrize(("mode", "others"), [(0o700, False), (0o710, True), (0o701, True), (0o755, True)])
def test_a_memdir_is_open_to_others_who_have_any_right_in_it(tmp_path: Path, mode: int, *, others: bool) -> None:
    tmp_path.chmod(mode)
    assert inspection.open_to_others(str(tmp_path)) is others


def test_each_of_many_files_is_seen_once_in_the_order_of_the_names(tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    names = [f"inbox/n{number:03}.md" for number in range(600)]
    for name in names:
        (tmp_path / name).write_bytes(b"- mine\n")
    folder = inspection.inspect_folder(str(tmp_path), "user", "inbox", None)
    assert [one.found.path for one in folder.found] == names
    assert folder.names == frozenset(names)


def test_what_is_no_file_belongs_to_the_memdir_that_was_looked_at(tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    (folder / "folder.md").mkdir(parents=True)
    (folder / "link.md").symlink_to("other.md")
    (folder / "link.txt").symlink_to("other.txt")
    for layer in ("user", "project"):
        found = [one.found for one in inspection.inspect_folder(str(tmp_path), layer, "memories", None).found]
        assert {(one.path, one.reason) for one in found if isinstance(one, Unreadable)} == {
            ("memories/folder.md", "special_file"),
            ("memories/link.md", "symlink"),
            ("memories/link.txt", "symlink"),
        }
        assert {one.layer for one in found} == {layer}


def test_a_folder_holds_files_where_anything_lies_in_it(tmp_path: Path) -> None:
    assert inspection.holds_files(str(tmp_path), "archive") is False
    (tmp_path / "archive").mkdir()
    assert inspection.holds_files(str(tmp_path), "archive") is False
    (tmp_path / "archive" / "notes.txt").write_bytes(b"")
    assert inspection.holds_files(str(tmp_path), "archive") is True


def refusing(error: type[OSError], number: int, real: Callable[[int], Any], refused: Path) -> Callable[[int], Any]:
    """``real``, which lists an opened folder, with a system that refuses to list one of them."""

    def listed(descriptor: int) -> Any:
        if os.path.samestat(os.fstat(descriptor), refused.stat()):
            raise error(number, os.strerror(number))
        return real(descriptor)

    return listed


def test_of_what_another_account_alone_may_see_nothing_is_told_and_all_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [layout.temp_path(f"{folder}/a.md", "t1", 1) for folder in ("memories", "inbox")]
    aside = layout.set_aside_path("t1", "memories/a.md")
    for path in (*left, aside):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"x")
    root = str(tmp_path)
    assert (sorted(inspection.temporaries(root)), inspection.set_aside(root)) == (sorted(left), (aside,))
    listdir, scandir = os.listdir, os.scandir
    for number, code in ((13, "no_permission"), (5, "io")):
        error = PermissionError if number == 13 else OSError
        monkeypatch.setattr(os, "listdir", refusing(error, number, listdir, tmp_path / "memories"))
        monkeypatch.setattr(os, "scandir", refusing(error, number, scandir, tmp_path / layout.SET_ASIDE))
        if code == "no_permission":
            assert (list(inspection.temporaries(root)), inspection.set_aside(root)) == ([left[1]], ())
            continue
        for act in (lambda: list(inspection.temporaries(root)), lambda: inspection.set_aside(root)):
            with pytest.raises(FaultError):
                act()


SECRET = f"ghp_{'a1B2c3D4e5F6' * 3}"


def quarantined(folder: str, body: str) -> bytes:
    status = "quarantined" if folder == "quarantine" else "verified"
    return codec.render(project(predicate="lint", value="ruff", status=status, body=body).memory)


#: What looks like a seal, and what may stand in one by chance as well as by hand.
SEALED = seal("klint0000000", {"memories/lint.md": b"x"}).replace("```sealed\n", "```sealed\nAKIAQ7RT2XW9LK4MZB6P\n")


@pytest.mark.parametrize(
    ("folder", "body", "rules"),
    [
        ("quarantine", SEALED, []),
        ("quarantine", f"Use {SECRET}.\n", ["secret"]),
        ("memories", SEALED, ["secret"]),
        ("memories", f"Use {SECRET}.\n", ["secret"]),
    ],
)
def test_a_secret_is_found_in_what_is_not_sealed(tmp_path: Path, folder: str, body: str, rules: list[str]) -> None:
    assert [trace.rule for trace in inspected(tmp_path, quarantined(folder, body), folder).traces] == rules


@pytest.mark.parametrize("form", ["value: {}{}", "value: |-\n  {}\n  {}", 'value: "{}\\\n  {}"'])
def test_a_secret_is_found_in_a_value_however_it_is_broken(tmp_path: Path, form: str) -> None:
    content = codec.render(project(predicate="lint", value="ruff").memory).decode()
    content = content.replace("value: ruff", form.format(SECRET[:12], SECRET[12:]))
    assert [trace.rule for trace in inspected(tmp_path, content.encode()).traces] == ["secret"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_secret_is_found_whatever_the_file_is(encoding: str) -> None:
    (trace,) = inspection.file_traces(f"The token is\n{SECRET}\n".encode(encoding))
    assert (trace.rule, trace.line) == ("secret", 2)
    assert SECRET not in trace.words
