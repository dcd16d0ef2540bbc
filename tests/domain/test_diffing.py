"""Diffs that people read before a file is written: as git prints them, without what steers a terminal or is secret."""

from __future__ import annotations

import pytest

from memdir_cli.domain.diffing import moved, unified

NEW = """\
--- /dev/null
+++ b/home/u/app/AGENTS.md
@@ -0,0 +1,2 @@
+one
+two"""

GONE = """\
--- a/AGENTS.md
+++ /dev/null
@@ -1 +0,0 @@
-one"""

EMPTIED = """\
--- a/AGENTS.md
+++ b/AGENTS.md
@@ -1,2 +0,0 @@
-one
-"""

CHANGED = """\
--- a/AGENTS.md
+++ b/AGENTS.md
@@ -1,5 +1,5 @@
 1
 2
-3
+three
 4
 5"""


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("/home/u/app/AGENTS.md", None, b"one\ntwo\n", NEW),
        ("AGENTS.md", b"one\n", None, GONE),
        ("AGENTS.md", b"one\n\n", b"", EMPTIED),
        ("AGENTS.md", b"1\n2\n3\n4\n5\n", b"1\n2\nthree\n4\n5\n", CHANGED),
        ("AGENTS.md", b"one\n", b"one\n", ""),
        ("AGENTS.md", None, b"", ""),
        ("Xray.md", b"one\n", None, GONE.replace("AGENTS", "Xray")),
        ("AGENTS.md", b"\xffone\n", None, GONE.replace("one", r"\xffone")),
    ],
)
def test_a_file_that_comes_changes_or_goes(path: str, old: bytes | None, new: bytes | None, expected: str) -> None:
    assert unified(path, old, new) == expected


def test_only_as_many_lines_stand_around_a_change_as_are_asked_for() -> None:
    old, new = b"1\n2\n3\n4\n5\n", b"1\n2\nthree\n4\n5\n"
    assert unified("a.md", old, new, around=1).splitlines()[2:] == ["@@ -2,3 +2,3 @@", " 2", "-3", "+three", " 4"]


def test_the_key_of_a_config_is_never_shown() -> None:
    old, new = b"format: 1\nkey: 0123abcd\nuser: u1\n", b"format: 1\nkey:  4567cdef\nuser: u2\n"
    shown = unified(".memdir/config.yaml", old, new)
    assert "0123abcd" not in shown
    assert "4567cdef" not in shown
    assert {"-user: u1", "+user: u2", "-key: …"} <= set(shown.splitlines())
    assert "+key: 4567" in unified("notes.md", None, b"key: 4567\n"), "in another file it is a line like any other"
    assert "+key: 4567" in unified("config.yaml.md", None, b"key: 4567\n")


def test_nothing_in_a_diff_steers_a_terminal() -> None:
    shown = unified("a\x1b[2J.md", None, b"one\x1b[31m\ttwo\r\n")
    assert not {character for character in shown if character < " "} - {"\n", "\t"}
    assert "one" in shown
    assert "\ttwo" in shown, "a tab stays"
    assert "\x1b" not in moved("a\x1b.md", "b\x1b.md")
