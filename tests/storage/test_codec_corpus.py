"""Real files, as agents and people write them: each is read or named, and edited by the line."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from memdir_cli.storage.codec import Malformed, edit, parse_memory, quote, read_header
from tests.storage.codec_texts import FIXTURES, by_pyyaml, by_ruamel, corpus
from tests.storage.test_codec_edit import changed

FILES = list(corpus())


def _readable(path: Path) -> bytes | None:
    data = path.read_bytes()
    try:
        read_header(data)
    except Malformed:
        return None
    return data


READABLE = [path for path in FILES if _readable(path) is not None]


def test_the_repositorys_own_real_files_are_judged_as_they_deserve() -> None:
    found: Counter[str] = Counter()
    for path in FILES:
        if path.is_relative_to(FIXTURES):
            try:
                read_header(path.read_bytes())
            except Malformed as error:
                found[error.reason] += 1
            else:
                found["readable"] += 1
    assert found == {
        "readable": 28,
        "no-header": 9,
        "alias": 4,
        "unterminated-header": 2,
        "unclosed-bracket": 1,
        "utf-16": 1,
    }


@pytest.mark.parametrize(
    ("name", "reason", "line", "column"),
    [
        ("cursorrules-mdc/rules/ankra-cli.mdc", "alias", 3, 8),
        ("tanshu3-memory-bank/.cursor/rules/common.mdc", "alias", 3, 8),
        ("jekyll-site/test/source/_broken/bad_post.md", "unclosed-bracket", 2, 11),
        ("jekyll-site/test/source/_encodings/Unicode16LECRLFandBOM.md", "utf-16", 1, 1),
        ("jekyll-site/test/source/_includes/sig.markdown", "unterminated-header", 1, 1),
        ("jekyll-site/test/source/_methods/yaml_with_dots.md", "unterminated-header", 4, 1),
        ("serena-memories/.serena/memories/task_completion.md", "no-header", 1, 1),
    ],
)
def test_a_broken_file_is_told_with_its_place(name: str, reason: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as caught:
        parse_memory((FIXTURES / name).read_bytes())
    assert (caught.value.reason, caught.value.line, caught.value.column) == (reason, line, column)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nobody_elses_file_is_taken_for_a_memory(path: Path) -> None:
    with pytest.raises(Malformed) as caught:
        parse_memory(path.read_bytes(), str(path))
    assert caught.value.reason == "unmanaged" or path not in READABLE


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_other_libraries_read_the_same(path: Path) -> None:
    header = read_header(path.read_bytes())
    assert by_pyyaml(header.parts.header) == (header.values or None)
    assert by_ruamel(header.parts.header) == (header.values or None)


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_one_changed_field_is_one_changed_line(path: Path) -> None:
    before = path.read_bytes()
    header = read_header(before)
    for key, value in header.values.items():
        if isinstance(value, str) and "\n" not in value:
            after = edit(before, {key: quote("it's: new")})
            removed, added = changed(before, after)
            assert (len(removed), len(added)) == (1, 1)
            assert edit(after, {key: quote("it's: new")}) is after
        assert edit(before, {key: None}) != before


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_one_new_field_is_one_new_line(path: Path) -> None:
    before = path.read_bytes()
    values = read_header(before).values
    for key in ("id", "description", "status", "verifiedAt", "owner"):
        if key not in values:
            after = edit(before, {key: '"2026-09-14"'})
            assert changed(before, after) == ([], [f'{key}: "2026-09-14"'.encode()])
            assert edit(after, {key: None}) == before


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_line_ends_and_byte_order_mark_make_no_difference(path: Path) -> None:
    data = path.read_bytes()
    plain = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    values = read_header(data).values
    for other in (plain.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + plain):
        assert read_header(other).values == values
        after = edit(other, {"status": "stale"})
        removed, added = changed(other, after)
        assert (len(removed), len(added)) == (int("status" in values), 1)
        assert added[0].endswith(b"\r") == (b"\r\n" in other)


def test_git_sees_one_line_too(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for number, path in enumerate(READABLE):
        (tmp_path / f"{number}.md").write_bytes(path.read_bytes())
    subprocess.run(["git", "-c", "core.autocrlf=false", "add", "."], cwd=tmp_path, check=True)
    added = 0
    for number, path in enumerate(READABLE):
        data = path.read_bytes()
        after = edit(data, {"status": "stale"})
        (tmp_path / f"{number}.md").write_bytes(after)
        added += after != data
    out = subprocess.run(["git", "diff", "--numstat"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    rows = [line.split("\t")[:2] for line in out.splitlines()]
    assert len(rows) == added
    assert {tuple(row) for row in rows} <= {("1", "0"), ("1", "1")}
