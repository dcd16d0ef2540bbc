"""Where a header begins and ends, and which files have none that can be trusted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.errors import UsageError
from memdir_cli.storage.codec import Malformed, read_header
from memdir_cli.storage.codec.fences import FILE_LIMIT, HEADER_LIMIT, encode, split
from tests.storage.codec_texts import judged, patient

GOOD = "---\nstatus: verified\n---\nbody\n"


def _problem(data: bytes | str) -> tuple[str, int, int]:
    with pytest.raises(Malformed) as caught:
        read_header(data.encode() if isinstance(data, str) else data)
    error = caught.value
    assert error.message.endswith((".", "`", ")"))
    return error.reason, error.line, error.column


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        (GOOD, "status: verified\n", "body\n"),
        ("---  \nstatus: a\n--- \t\nbody", "status: a\n", "body"),
        ("---\r\nstatus: a\r\n---\r\nbody\r\n", "status: a\r\n", "body\r\n"),
        ("---\na: 1\n---", "a: 1\n", ""),
        ("---\na: 1\n---\n", "a: 1\n", ""),
        ("---\n---\n", "", ""),
        ("---\n\n---\nbody", "\n", "body"),
        (
            "---\na: |\n  | x |\n  ---\n  y\nb: c --- d\n---\n\nx\n\n\n",
            "a: |\n  | x |\n  ---\n  y\nb: c --- d\n",
            "\nx\n\n\n",
        ),
        ("---\na: 1\n----\nb: 2\n---\n", "a: 1\n----\nb: 2\n", ""),
        (GOOD + "---\nkey: value\n---\nmore\n", "status: verified\n", "body\n---\nkey: value\n---\nmore\n"),
        ("---\na: 1\n---\nx\x0b\x0c\u2028\u0085y  \n", "a: 1\n", "x\x0b\x0c\u2028\u0085y  \n"),
        ("---\na: 1\n---\n---\nNote: and prose.\n\nNo header at all\n---\n", "a: 1\n", None),
        ("---\na: 1\n---\n---\nNote: a rule above, none below\n", "a: 1\n", None),
    ],
)
def test_only_a_line_of_three_dashes_at_the_margin_is_a_fence(text: str, header: str, body: str | None) -> None:
    for data, bom in ((text.encode(), False), (b"\xef\xbb\xbf" + text.encode(), True)):
        parts = split(data)
        assert (parts.bom, parts.header) == (bom, header)
        assert body is None or parts.text[parts.body :] == body


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", ("no-header", 1, 1)),
        ("# Title\n\ntext\n", ("no-header", 1, 1)),
        ("Title\n---\n\ntext\n\n---\n", ("no-header", 1, 1)),
        ("text\n---\nid: x\n---\n", ("no-header", 1, 1)),
        ("\n" + GOOD, ("misplaced-header", 2, 1)),
        (" " + GOOD, ("misplaced-header", 1, 2)),
        ("<!-- note -->\n" + GOOD, ("misplaced-header", 2, 1)),
        ("\ufeff\ufeff" + GOOD, ("misplaced-header", 1, 2)),
        ("-" + GOOD, ("misplaced-header", 1, 1)),
        (GOOD.replace("\n", "\r"), ("misplaced-header", 1, 4)),
        ("---\nstatus: verified\n", ("unterminated-header", 1, 1)),
        ("---\nstatus: verified\n ---\nbody\n", ("unterminated-header", 3, 1)),
        ("---\nstatus: verified\n...\nbody\n", ("unterminated-header", 3, 1)),
        ("---\nstatus: verified\n----\nbody\n", ("unterminated-header", 3, 1)),
        (GOOD[:-5] + "---\nstatus: stale\n---\nbody\n", ("second-header", 4, 1)),
        (GOOD[:-5] + "---\na: b\n---\n", ("second-header", 4, 1)),
        ("\0" + GOOD, ("nul", 1, 1)),
        (GOOD[:-5] + "\n\n---\n# c\nstatus: stale\nlist:\n- a\n---\n", ("second-header", 6, 1)),
        (GOOD.encode("utf-16"), ("utf-16", 1, 1)),
        (GOOD.encode("utf-16-le"), ("utf-16", 1, 1)),
        (GOOD.encode("utf-16-be"), ("utf-16", 1, 1)),
        (GOOD[:-5] + "---\nstatus: stale\n---\nbody", ("second-header", 4, 1)),
        ('---\n"a b": 1\n---\n---\nstatus: stale\n---\n', ("second-header", 4, 1)),
        ("text\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n", ("no-header", 1, 1)),
        (GOOD.encode() + b"abc\0", ("nul", 5, 4)),
        ("---\na\0\nb\0\n---\n", ("nul", 2, 2)),
        (b"ab\xff", ("not-utf8", 1, 3)),
        (b"\xef\xbb\xbfab\xff", ("not-utf8", 1, 3)),
        (GOOD.encode() + "é".encode()[:1], ("not-utf8", 5, 1)),
        ("---\ntitle: é\n".encode("latin-1"), ("not-utf8", 2, 8)),
        (b"\xef\xbb\xbf" + GOOD.encode() + b"\xff", ("not-utf8", 5, 1)),
        ("---\n" + "a: " + "x" * HEADER_LIMIT + "\n---\n", ("header-too-large", 1, 1)),
        ("---\n" + "a: " + "é" * (HEADER_LIMIT // 2) + "\n---\n", ("header-too-large", 1, 1)),
        (GOOD + "x" * FILE_LIMIT, ("too-large", 0, 0)),
    ],
)
def test_a_file_without_a_header_to_trust_is_named_with_its_place(
    data: bytes | str, problem: tuple[str, int, int]
) -> None:
    assert _problem(data) == problem


def test_invalid_bytes_are_told_with_their_offset_in_the_file() -> None:
    with pytest.raises(Malformed, match=r"byte 0xe9 at offset 16\.") as caught:
        read_header(b"\xef\xbb\xbf---\ntitle: ab\xe9\n---\n")
    assert (caught.value.line, caught.value.column) == (2, 10)


CONFLICT = "<<<<<<< HEAD\nvalue: a\n=======\nvalue: b\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"---\nid: x\n{CONFLICT}---\nbody\n", 3),
        (f"{CONFLICT}---\nid: x\n---\n", 1),
        (f"---\nid: x\n---\ntext\n{CONFLICT}", 5),
        (f"---\nid: x\n---\ntext\n{CONFLICT}".replace("\n", "\r\n"), 5),
        (f"---\nid: x\n---\n```\ncode\n```\n{CONFLICT}", 7),
        (f"---\nid: x\n---\n```\n~~~\n```\n{CONFLICT}", 7),
        ("---\nid: x\n---\n<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 5),
    ],
)
def test_the_markers_of_an_unfinished_merge_are_found(text: str, line: int) -> None:
    assert _problem(text) == ("conflict-markers", line, 1)


@pytest.mark.parametrize(
    "body",
    [
        "Heading\n=======\ntext\n",
        f"```\n{CONFLICT}```\n",
        f"~~~~ diff\n{CONFLICT}~~~~\n",
        f"````\n```\n{CONFLICT}````\n",
        "<<<<<<< HEAD\nand nothing else\n",
        "<<<<<<< a\n>>>>>>> b\n=======\n",
        "  <<<<<<< a\n  =======\n  >>>>>>> b\n",
        ">>>>>>> quoted\n",
    ],
)
def test_what_only_looks_like_markers_is_let_be(body: str) -> None:
    assert read_header(f"---\nid: x\n---\n{body}".encode()).body == body


@patient
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_a_body_survives_whatever_it_is(body: bytes) -> None:
    data = b"---\nid: x\n---\n" + body
    judgement = judged(data)
    assert isinstance(judgement, Malformed)
    if judgement.reason == "missing-status":
        header = read_header(data)
        assert header.body.encode() == body
        assert header.values == {"id": "x"}
    elif judgement.reason == "not-utf8":
        with pytest.raises(UnicodeDecodeError):
            body.decode()
    else:
        assert b"\0" in body or body.lstrip().startswith((b"---", b"<<<<<<<"))


def test_only_the_header_counts_towards_its_limit() -> None:
    value, body = "x" * (HEADER_LIMIT // 2), "text\n" * HEADER_LIMIT
    parts = split(f"---\nvalue: {value}\n---\n{body}".encode())
    assert parts.text[parts.start : parts.end] == f"value: {value}\n"
    assert parts.text[parts.body :] == body


def test_a_file_and_a_header_may_have_exactly_the_bytes_of_their_limit() -> None:
    data = f"---\na: {'é' * (HEADER_LIMIT // 2 - 2)}\n---\n".encode()
    parts = split(data, len(data))
    assert len(parts.header.encode()) == HEADER_LIMIT
    assert _problem(data.replace(b"a:", b"aa:")) == ("header-too-large", 1, 1)
    with pytest.raises(Malformed, match="larger"):
        split(data, len(data) - 1)


@pytest.mark.parametrize("line", ["...", "  ---", "----", "... \t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_that_does_not_close_a_header_is_shown_without_the_blanks_around_it(line: str, end: str) -> None:
    with pytest.raises(Malformed) as caught:
        split(end.join(("---", "a: b", line, "body")).encode())
    assert f"`{line.strip()}` does not close it" in caught.value.message


def test_half_a_character_cannot_be_written_and_the_refusal_says_what_to_type() -> None:
    assert encode("é", bom=True) == b"\xef\xbb\xbf\xc3\xa9"
    with pytest.raises(UsageError) as caught:
        encode("a\udce9")
    assert "UTF-8" in caught.value.hint
