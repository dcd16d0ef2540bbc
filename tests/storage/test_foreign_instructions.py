"""Files of instructions and the handbook of Codex: what is an item, what a block, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir_cli.domain.foreign import FORMS, VALUE_LETTERS, Entry, Form, Found, Unread
from memdir_cli.storage.foreign import places, read, reading

THREAD = "0199a213-81c0-7800-8aa1-bbab2a035a53"


def found(folder: Path, form: Form, path: str, content: str) -> Found:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return read(form, str(folder), {})


def only(one: Found) -> Entry:
    (entry,) = one.entries
    assert one.unread == ()
    return entry


@pytest.mark.parametrize("content", ["- a\n", "# Title\n\nA page.\n", "", "---\nname: a\n---\nb\n"])
@pytest.mark.parametrize("name", ["MEMORY.md", "memory_summary.md", "AGENTS.md", "CLAUDE.md", "a.md", "memory.jsonl"])
@pytest.mark.parametrize("form", FORMS)
def test_a_page_of_any_name_can_be_read_in_every_form(tmp_path: Path, form: Form, name: str, content: str) -> None:
    one = found(tmp_path, form, name, content)
    paths = [*(entry.path for entry in one.entries), *(part.path for part in (*one.unread, *one.left))]
    assert all(Path(path).name == name for path in paths)


def test_a_handbook_without_groups_is_its_items_but_for_links(tmp_path: Path) -> None:
    text = "# Facts\n- Ports begin at 9000\n- [DB](db.md) the database\n"
    entry = only(found(tmp_path, "codex", "memories/MEMORY.md", text))
    assert (entry.name, entry.value, entry.line) == (("Facts", "Ports begin at 9000"), "Ports begin at 9000", 2)
    one = found(tmp_path, "codex", "memories/MEMORY.md", "# Facts\n- [DB](db.md) the database\n")
    assert (one.entries, [part.reason for part in one.left]) == ((), ["index"])


def test_a_handbook_is_one_fact_for_every_group_of_tasks(tmp_path: Path) -> None:
    first = f"# Task Group: fix: the build \nscope: x thread_id={THREAD}\n\n- a"
    second = "# Task Group: docs\nb"
    one = found(tmp_path, "codex", "memories/MEMORY.md", f"\nPreface.\n\n{first}\n\n\n{second}\n\n")
    told = [(entry.line, entry.original, entry.body, entry.name, entry.description) for entry in one.entries]
    assert told == [
        (4, first, f"{first}\n", ("fix: the build",), "fix: the build"),
        (10, second, f"{second}\n", ("docs",), "docs"),
    ]
    assert [(entry.type, entry.session, entry.value) for entry in one.entries] == [
        ("fact", THREAD, None),
        ("fact", "", None),
    ]


@pytest.mark.parametrize(("letters", "is_value"), [(VALUE_LETTERS, True), (VALUE_LETTERS + 1, False)])
def test_an_item_is_a_value_as_long_as_values_may_be(tmp_path: Path, letters: int, *, is_value: bool) -> None:
    entry = only(found(tmp_path, "markdown", "AGENTS.md", f"- {'x' * letters}\n"))
    assert (entry.value is not None, entry.body == "") == (is_value, is_value)


def test_an_item_is_called_by_its_first_six_words_and_described_by_its_first_line(tmp_path: Path) -> None:
    text = "- Run `make  all` before you open a request\n  - or else\n"
    entry = only(found(tmp_path, "markdown", "AGENTS.md", text))
    assert entry.name == ("Run make all before you open",)
    assert entry.description == "Run `make all` before you open a request"


def test_raw_material_is_codexs_alone(tmp_path: Path) -> None:
    entry = only(found(tmp_path, "markdown", "raw_memories.md", "Raw oats for breakfast.\n"))
    assert entry.body == "Raw oats for breakfast.\n"


@pytest.mark.parametrize(
    ("form", "path"),
    [("markdown", "a.markdown"), ("cursor", "a.mdc"), ("markdown", "quarantine/a.md"), ("mcp", "memory.jsonl")],
)
def test_what_is_larger_than_a_memory_may_be_is_not_read_whatever_it_is_called(
    tmp_path: Path, form: Form, path: str
) -> None:
    one = found(tmp_path, form, path, "x" * (1 << 20) + "y")
    assert (one.entries, [part.reason for part in one.unread]) == ((), ["too_large"])


def test_a_file_that_goes_while_its_folder_is_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def going(form: Form, place: str) -> Iterator[tuple[str, str] | Unread]:
        for file in places.files(form, place):
            (tmp_path / "a.md").unlink(missing_ok=True)
            yield file

    (tmp_path / "a.md").write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(reading, "files", going)
    assert only(found(tmp_path, "markdown", "b.md", "two\n")).body == "two\n"
