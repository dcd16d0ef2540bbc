"""What is written reads the same for every reader: memdir's two, PyYAML, python-frontmatter, ruamel.yaml."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.errors import UsageError
from memdir_cli.storage.codec import Value, block, edit, quote, read_header
from memdir_cli.storage.codec.fast_reader import read_fast
from memdir_cli.storage.codec.full_reader import read_full
from tests.storage.codec_texts import TREACHEROUS, any_text, by_frontmatter, by_pyyaml, by_ruamel, patient

keys = st.sampled_from(("kind", "ref", "said", "at", "os", "deep"))
values: st.SearchStrategy[Value] = st.recursive(
    any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)


def _reads_the_same(text: str) -> None:
    line = f"key: {quote(text)}\nafter: x\n"
    assert line.count("\n") == 2
    meant = {"key": text, "after": "x"}
    fast = read_fast(line)
    assert fast == (meant, ())
    full = read_full(line)
    assert (full.values, full.notices) == (meant, [])
    assert by_pyyaml(line) == meant
    assert by_ruamel(line) == meant
    data = f"---\n{line}---\nbody\n".encode()
    assert read_header(data).values == meant
    assert by_frontmatter(data) == meant


@pytest.mark.parametrize("text", TREACHEROUS)
def test_a_treacherous_text_reads_the_same_everywhere(text: str) -> None:
    _reads_the_same(text)


@patient
@given(any_text)
def test_any_text_reads_the_same_everywhere(text: str) -> None:
    _reads_the_same(text)


@patient
@given(any_text)
def test_any_text_takes_one_line_without_control_characters(text: str) -> None:
    line = quote(text)
    assert not [char for char in line if char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029\ufeff"]
    assert line.startswith('"') or line == text


@patient
@given(values)
def test_any_block_reads_the_same_everywhere(value: Value) -> None:
    lines = f"key:{block(value)}\nafter: x\n"
    meant = {"key": value, "after": "x"}
    assert read_full(lines).values == meant
    assert by_pyyaml(lines) == meant
    assert by_ruamel(lines) == meant
    fast = read_fast(lines)
    assert fast is None or fast[0] == meant


@patient
@given(st.lists(st.dictionaries(keys, any_text, min_size=1), min_size=1))
def test_the_fast_reader_knows_every_list_of_mappings_that_is_written(entries: list[dict[str, str]]) -> None:
    written: list[Value] = [{**entry} for entry in entries]
    lines = f"source:{block(written)}\n"
    assert read_fast(lines) == ({"source": entries}, ())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("npm", "npm"),
        ("Install with npm ci and keep it", "Install with npm ci and keep it"),
        ("repository:github.com/acme/x", "repository:github.com/acme/x"),
        ("日本語", "日本語"),
        ("no", '"no"'),
        ("2", '"2"'),
        ("x # y", '"x # y"'),
        ("a\tb", '"a\\tb"'),
        ("\u2028\x85\ufeff", '"\\u2028\\u0085\\ufeff"'),
        ('say "hi"', 'say "hi"'),
        ("🙂", '"🙂"'),
    ],
)
def test_a_text_is_written_plain_only_where_that_is_safe(text: str, written: str) -> None:
    assert quote(text) == written


@pytest.mark.parametrize("half", [0xD800, 0xDBFF, 0xDCFF, 0xDFFF])
def test_half_a_surrogate_pair_is_refused_with_a_sentence(half: int) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        quote(f"a{chr(half)}")


@patient
@given(any_text)
def test_a_text_that_is_put_into_a_file_stands_there(text: str) -> None:
    data = b"---\r\na: 1\r\nvalue: old  # why\r\nz: 2\r\n---\r\nbody"
    after = edit(data, {"value": quote(text)})
    assert read_header(after).values == {"a": "1", "value": text, "z": "2"}
    assert after.startswith(b"---\r\na: 1\r\nvalue: ")
    assert after.endswith(b"  # why\r\nz: 2\r\n---\r\nbody")


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"a": {"b": {"c": "x"}}}, ["", "  a:", "    b:", "      c: x"]),
        ({"a": ["x", "w"]}, ["", "  a:", "    - x", "    - w"]),
        ([{"a": "x", "b": {"c": "w"}}], ["", "  - a: x", "    b:", "      c: w"]),
        ([["x", ["w"]], "z"], ["", "  - ", "    - x", "    - ", "      - w", "  - z"]),
        ([[], {}], ["", "  - []", "  - {}"]),
    ],
)
def test_every_level_stands_two_blanks_deeper(value: Value, lines: list[str]) -> None:
    assert block(value, 0).split("\n") == lines


def test_a_text_of_broken_bytes_is_refused_with_what_to_do() -> None:
    with pytest.raises(UsageError) as caught:
        quote("a\udc80: b")
    assert (caught.value.message, caught.value.hint) == ("The text holds bytes that are not UTF-8.", "type it in UTF-8")
