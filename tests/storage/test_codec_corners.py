"""Corners of reading and writing that are hit rarely: markers, marks of byte order, lone keys, foreign line ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.source import Attestation, Kind, Source
from memdir_cli.errors import FaultError
from memdir_cli.storage import cache, codec
from memdir_cli.storage.codec.conflict_markers import find_conflict, halves, holds_markers
from memdir_cli.storage.codec.fences import BOM, parted
from memdir_cli.storage.codec.own_reader import read_own
from memdir_cli.storage.codec.scalars import quote
from tests.records import project

MERGE = b"""\
a
<<<<<<< ours
b
=======
c
>>>>>>> theirs
d
"""


@pytest.mark.parametrize(
    ("data", "ours", "theirs"),
    [
        (MERGE, b"a\nb\nd\n", b"a\nc\nd\n"),
        (MERGE.replace(b"\n", b"\r\n"), b"a\r\nb\r\nd\r\n", b"a\r\nc\r\nd\r\n"),
        (MERGE.replace(b"=======\n", b"||||||| base\nz\n=======\n"), b"a\nb\nd\n", b"a\nc\nd\n"),
        (MERGE.replace(b"b\n", b"<<<<<<<< b\n"), b"a\n<<<<<<<< b\nd\n", b"a\nc\nd\n"),
        (
            MERGE.replace(b"<<<<<<< ", b"<" * 300 + b" ")
            .replace(b"=======", b"=" * 300)
            .replace(b">>>>>>>", b">" * 300),
            b"a\nb\nd\n",
            b"a\nc\nd\n",
        ),
        (MERGE + MERGE, b"a\nb\nd\na\nb\nd\n", b"a\nc\nd\na\nc\nd\n"),
        (MERGE.replace(b"b\n", b"==========\n> b\n|\n"), b"a\n==========\n> b\n|\nd\n", b"a\nc\nd\n"),
        (b"a\n=======\nb\n>>>>>>> c\n", b"a\n=======\nb\n>>>>>>> c\n", b"a\n=======\nb\n>>>>>>> c\n"),
    ],
)
def test_both_versions_of_a_file_in_conflict(data: bytes, ours: bytes, theirs: bytes) -> None:
    assert halves(data) == (ours, theirs)
    assert holds_markers(data) is data.startswith(b"a\n<") or b"\r" in data


@pytest.mark.parametrize(
    ("before", "found"),
    [
        (b"```\n", False),
        (b"~~~~\n~~~\n", False),
        (b"```\ncode\n```\n", True),
        (b"```\ncode\n``` \t\n", True),
        (b"```\r\ncode\r\n```\r\n", True),
        (b"```\ncode\n``` x\n", False),
        (b"```\ncode\n~~~\n", False),
        (b"```\ncode\n`````\n", True),
        (b"   ~~~~ text\ncode\n~~~~\n", True),
        (b"---\na: b\n---\n```\n", False),
        (b"---\n" + b"# c\n" * 30 + b"a: |\n  ```\n---\n", True),
    ],
)
def test_markers_inside_of_fenced_code_are_no_conflict_and_a_header_holds_no_code(
    before: bytes, *, found: bool
) -> None:
    assert holds_markers(before + MERGE) is found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<<<<<<< a\n=======\n>>>>>>> b\n", 1),
        ("x\r\n<<<<<<< a\r\n=======\r\n>>>>>>> b\r\n", 2),
        ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 2),
        ("<<<<<<<< a\n=======\n========\n>>>>>>> b\n>>>>>>>> c\n", 1),
        ("x\n<<<<<<< a\n<<<<<<<<< quoted\n=======\n>>>>>>> b\n", 2),
        ("<<<<<<< a\n=======\n<<<<<<<< quoted\n>>>>>>> b\n", 1),
        ("<<<<<<< a\n=======\n", None),
        ("<<<<<<< a\n=======\nx\n>>>>>>>\n", None),
        ("<<<<<<< a\n>>>>>>> b\n", None),
        ("<<<<<<< a\n=======\n<<<<<<< b\n>>>>>>> c\n", None),
        ("=======\n>>>>>>> b\n", None),
        ("\n indented\n<<<<<<< a\n=======\n>>>>>>> b\n", 3),
        ("\n> quoted\n", None),
        ("<<<<<<< a\n ======= \n>>>>>>> b\n", None),
    ],
)
def test_a_conflict_has_three_markers_in_their_order(text: str, line: int | None) -> None:
    assert find_conflict(text, 0) == line


@pytest.mark.parametrize(
    ("content", "head"),
    [
        (b"---\na: b\n---\ntext\n", b"---\na: b\n---\n"),
        (BOM + b"---\na: b\n---\ntext\n", BOM + b"---\na: b\n---\n"),
        (b"---\r\na: b\r\n---\r\ntext\r\n", b"---\r\na: b\r\n---\r\n"),
        (b"---\na: b\n---", b"---\na: b\n---"),
        (b"---\na: b\ntext\n", b""),
        (b"text\n---\n", b""),
        (BOM + b"text\n", BOM),
        (b"text\n" + BOM, b""),
        (b"", b""),
    ],
)
def test_nothing_may_stand_before_a_mark_and_a_header(content: bytes, head: bytes) -> None:
    assert parted(content) == (head, content[len(head) :])


@pytest.mark.parametrize(
    ("stat", "settled"),
    [((1, 1, 0, 0), True), ((1, 1, 5, 5), True), ((1, 1, 6, 0), False), ((1, 1, 0, 6), False), ((1, 99, 5, 5), True)],
)
def test_a_file_is_settled_once_neither_of_its_times_is_too_near(stat: cache.Stat, *, settled: bool) -> None:
    record = project()
    assert bool(list(cache.settled([record], {record.path: stat}, cache.RACY + 5))) is settled
    assert list(cache.settled([record], {"elsewhere": stat}, cache.RACY + 5)) == []


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("title: x", "unmanaged"),
        ("status: draft", "unmanaged"),
        ("status: verified", "missing-id"),
        ("id: a\nstatus: draft", "unknown-status"),
        ("id: abcdefghjkmnp\nstatus: verified\nsubject: ada", "bad-subject"),
        ("id: abcdefghjkmnp\nstatus: verified\nsubject: 'user:'", "bad-subject"),
        ("id: abcdefghjkmnp\nstatus: verified\nsubject: 'project:'", "bad-subject"),
        ("id: abcdefghjkmnp\nstatus: verified", "missing-subject"),
    ],
)
def test_a_file_says_what_keeps_it_from_being_a_memory(keys: str, reason: str) -> None:
    with pytest.raises(FaultError) as refused:
        codec.parse_memory(f"---\n{keys}\n---\n".encode())
    assert getattr(refused.value, "reason", "") == reason


@pytest.mark.parametrize(
    ("kind", "attested", "written"),
    [("user", "none", True), ("user", "tty", True), ("agent", "none", False), ("file", "none", False)],
)
def test_that_nothing_proves_a_users_words_is_written_and_of_others_it_goes_without_saying(
    kind: Kind, attested: Attestation, *, written: bool
) -> None:
    memory = project(source=(Source(kind, "ref", attested=attested),)).memory
    assert (b"attested:" in codec.render(memory)) is written
    assert codec.parse_memory(codec.render(memory)).source == memory.source


def test_what_is_added_to_a_file_of_windows_ends_its_lines_as_the_others_do() -> None:
    old = project(id="abcdefghjkmnp", body="Why.\n").memory
    data = codec.render(old).replace(b"\n", b"\r\n")
    old = codec.parse_memory(data)
    new = replace(old, source=(*old.source, Source("agent", "other", "seen twice", "2026-09-02T08:00:00Z")))
    written = codec.update(data, old, new)
    assert codec.parse_memory(written) == new
    assert written.count(b"\n") == written.count(b"\r\n")
    assert b"seen twice" in written


@pytest.mark.parametrize("before", ["a", ["a", "b"], {"a": "b"}])
@pytest.mark.parametrize("after", ["b", ["b", "a"], {"b": "c"}])
def test_a_key_that_is_not_memdirs_may_hold_anything_and_become_anything(
    before: codec.Value, after: codec.Value
) -> None:
    old = replace(project().memory, extra={"mine": before})
    new = replace(old, extra={"mine": after})
    assert codec.parse_memory(codec.update(codec.render(old), old, new)).extra == {"mine": after}


@pytest.mark.parametrize("text", ["X", "aX", "X ", " X", "aX "])
def test_a_text_is_quoted_for_its_blanks_and_not_for_its_letters(text: str) -> None:
    assert (quote(text) == text) is (text == text.strip())


def test_the_way_back_is_there_when_it_is_asked_for_and_nothing_else_is() -> None:
    assert all(callable(getattr(codec, name)) for name in ("edit", "edit_mapping", "render", "update"))
    with pytest.raises(AttributeError, match="has no attribute 'rendered'"):
        _ = codec.rendered


@pytest.mark.parametrize(
    ("header", "values"),
    [
        (r'value: "a\tb"', {"value": "a\tb"}),
        (r'value: "a\\b"', {"value": "a\\b"}),
        (r"value: a\tb", {"value": r"a\tb"}),
        ("things:\n  - kind: user\n    ref: x", {"things": [{"kind": "user", "ref": "x"}]}),
        ("source:\n  - kind: user\n    ref: x", {"source": [{"kind": "user", "ref": "x"}]}),
    ],
)
def test_what_memdir_itself_would_not_write_is_left_to_the_other_readers(
    header: str, values: dict[str, codec.Value]
) -> None:
    text = f"id: a\n{header}\n"
    assert read_own(text) in (None, {"id": "a", **values})
    assert codec.read_header(f"---\n{text}---\n".encode()).values == {"id": "a", **values}
