"""Notes of other tools: what their headers say, and headers that are no YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.foreign import Entry, Form, Found
from memdir_cli.storage import signed_block
from memdir_cli.storage.foreign import read


def found(folder: Path, form: Form, content: str | bytes) -> Found:
    """What a file of rules or notes holds that is alone in ``folder``."""
    file = folder / ("a.mdc" if form == "cursor" else "a.md")
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(form, str(folder), {})


def only(one: Found) -> Entry:
    (entry,) = one.entries
    assert one.unread == ()
    return entry


#: A header that YAML refuses, for its glob is an alias there.
RULE = """\
---
description: "Tabs"
globs: *.ts
---
Use tabs.

description: of something else
"""


def test_a_rule_whose_header_is_no_yaml_is_read_by_its_lines(tmp_path: Path) -> None:
    entry = only(found(tmp_path, "cursor", RULE))
    assert (entry.description, entry.glob, entry.line) == ("Tabs", "**/*.ts", 5)
    assert entry.body == "Use tabs.\n\ndescription: of something else\n"
    quoted = only(found(tmp_path, "cursor", RULE.replace("*.ts", '"*.ts"')))
    assert (entry.line, entry.body, entry.glob) == (quoted.line, quoted.body, quoted.glob)


def test_a_rule_is_called_as_its_file_whatever_its_header_says(tmp_path: Path) -> None:
    assert only(found(tmp_path, "cursor", "---\nname: Other\n---\nUse tabs.\n")).name == ("a",)


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        ("---\nglobs: *.ts\nUse tabs.\n", "unterminated-header", 1),
        ("\n---\nglobs: a.ts\n---\nUse tabs.\n", "misplaced-header", 2),
        ("<<<<<<< a\nUse tabs.\n=======\nUse blanks.\n>>>>>>> b\n", "conflict-markers", 1),
        ("---\nglobs: *.ts\n---\n<<<<<<< a\nUse tabs.\n=======\nUse blanks.\n>>>>>>> b\n", "conflict-markers", 4),
    ],
)
def test_a_rule_that_cannot_be_read_is_told_with_what_is_wrong(
    tmp_path: Path, content: str, reason: str, line: int
) -> None:
    one = found(tmp_path, "cursor", content)
    assert one.entries == ()
    assert [(part.reason, part.line) for part in one.unread] == [(reason, line)]


@pytest.mark.parametrize(
    ("globs", "glob", "only_for"),
    [
        ("[*.ts]", "**/*.ts", ""),
        ("'*.ts'", "**/*.ts", ""),
        ("a/*.ts , a/*.js", "", "a/*.ts, a/*.js"),
        ("a/*.{ts , js}", "", "a/*.ts, a/*.js"),
        ("./a/*.ts", "a/*.ts", ""),
        ("[a/*.ts, **/*]", "", ""),
        ("**/*, a/*.ts", "", ""),
        ("a/*.ts,,", "a/*.ts", ""),
    ],
)
def test_the_files_of_a_rule_are_understood_however_they_are_written(
    tmp_path: Path, globs: str, glob: str, only_for: str
) -> None:
    entry = only(found(tmp_path, "cursor", f"---\ndescription: d\nglobs: {globs}\n---\nUse tabs.\n"))
    assert (entry.glob, entry.description) == (glob, f"Only for {only_for}: d" if only_for else "d")


@pytest.mark.parametrize(
    "content",
    [
        "---\nid: a\nsubject: user:1\npredicate: k\nstatus: verified\n---\nx\n",
        signed_block.page(["How to use it."], "claude"),
    ],
)
def test_a_memory_or_a_page_of_memdirs_is_no_note(tmp_path: Path, content: str | bytes) -> None:
    one = found(tmp_path, "markdown", content)
    assert (one.entries, [part.reason for part in one.left]) == ((), ["own"])


def test_a_note_without_text_says_what_describes_it(tmp_path: Path) -> None:
    entry = only(found(tmp_path, "markdown", "---\ndescription: Use tabs\n---\n \n"))
    assert (entry.value, entry.description, entry.body) == ("Use tabs", "Use tabs", "")


def test_a_note_with_a_text_has_no_value(tmp_path: Path) -> None:
    entry = only(found(tmp_path, "markdown", "---\ndescription: Tabs\n---\nUse tabs.\n"))
    assert (entry.value, entry.description, entry.body) == (None, "Tabs", "Use tabs.\n")


@pytest.mark.parametrize(
    ("kind", "type_"), [("decision", "decision"), ("temporary", "temporary"), ("user", "preference"), ("essay", None)]
)
def test_the_type_of_a_note_is_one_that_is_known_here_or_to_other_agents(
    tmp_path: Path, kind: str, type_: str | None
) -> None:
    assert only(found(tmp_path, "claude", f"---\ntype: {kind}\n---\nx\n")).type == type_


@pytest.mark.parametrize("text", ["# Known  issues #\n\nNone.\n", "---\n\n> \nKnown issues\n"])
def test_a_note_that_nothing_describes_is_described_by_its_first_words(tmp_path: Path, text: str) -> None:
    assert only(found(tmp_path, "serena", f"---\ntitle: t\n---\n{text}")).description == "Known issues"


@pytest.mark.parametrize("supersedes", ["old , older", "[old, ' older']", "\n  - old\n  - older", " old,, older,"])
def test_what_a_note_replaced_may_be_a_list_or_words_between_commas(tmp_path: Path, supersedes: str) -> None:
    entry = only(found(tmp_path, "agent-memory-git", f"---\nid: a\nsupersedes: {supersedes}\n---\nx\n"))
    assert entry.supersedes == ("old", "older")
