"""Rows: a line is what any reader of JSON takes it for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.rows import row

WHOLE = json.dumps({"a": [1, {"b": "é \ud83d\ude00"}], "c": None, "d": {}})

LINES = st.one_of(
    st.binary(max_size=12),
    st.text(alphabet='{}[]":,ax1 \n', max_size=14).map(str.encode),
    st.integers(0, len(WHOLE)).map(lambda at: WHOLE[:at].encode()),
    st.tuples(st.integers(0, len(WHOLE)), st.sampled_from(["", "}", "{", ",", " ", '"', "\\", "\0"])).map(
        lambda cut: f"{WHOLE[: cut[0]]}{cut[1]}{WHOLE[cut[0] :]}".encode()
    ),
)


@given(LINES)
def test_a_line_is_the_object_that_others_read(line: bytes) -> None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    assert row(line) == (found if isinstance(found, dict) else None)


@pytest.mark.parametrize("line", ['{"a": 1}', ' {"a": 1} ', '{"a": 1}\r'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-8-sig"])
def test_an_object_is_read_in_whatever_encoding_json_may_have(line: str, encoding: str) -> None:
    assert row(line.encode(encoding)) == {"a": 1}
    assert row(line) == {"a": 1}


@pytest.mark.parametrize(
    "line", [b"", b"{", b'{"a": ', b'{"a"', b"[1]", b"1", b"null", b'{"a": 1} x', b'{{"a": 1}', b"[" * 99999]
)
def test_what_is_no_object_is_none(line: bytes) -> None:
    assert row(line) is None
