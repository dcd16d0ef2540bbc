"""Two readers, one meaning: whatever the fast one accepts the full one reads the same."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.storage.codec import PROBLEMS, Malformed, Value, parse_memory, read_header, read_mapping, render
from memdir_cli.storage.codec.fast_reader import read_fast, read_plain
from memdir_cli.storage.codec.full_reader import read_full
from memdir_cli.storage.codec.own_reader import read_own
from memdir_cli.storage.codec.strict_handler import StrictHandler
from tests.storage.codec_texts import WHOLE, by_pyyaml, by_ruamel, judged, patient

_HEADER = WHOLE.split("---\n")[1]

indents = st.sampled_from(("", "", "", "  ", "  ", "    ", " ", "      "))
dashes = st.sampled_from(("", "", "", "- ", "-   ", "- - "))
names = st.sampled_from(("a", "b", "status", "x-y", "k.e", "_z", "é", "null", '"q"', "<<", "1", "a b", "?"))
colons = st.sampled_from((": ", ": ", ": ", ":", ":  ", " : ", ":\t"))
tame = st.sampled_from(
    ("", "", "x", "no", "0755", "a b", "a:b", "x # y", "x #y", "# c", "#c", '"q"', '"q" # c', "'it''s'", '"\\u00e9\\n"',
     "é — ", "日本", "a ::b", "--x", "~", "it's", "x#y", "=", "x  ", "C:\\x", '"a" #b', "", "-1", ".5", "/x", "(y)")
)  # fmt: skip
wild = st.sampled_from(
    ("[a, b]", "[a", "{a: b}", "{}", "|", ">-", "&a x", "*a", "!t x", "- x", "-", "---", "...", "? x", ":x", ":", "a:",
     "@x", "`x`", "x\ty", "\u2028", "\x85", "\xa0x", "\x07", '"open', 'shut"', '"\\ud83d"', '"a\\', "a: b", "::",
     "x:#y", "'", '"', '"x"y', "#", "x #", "]", "\ufeff", "\r", "%x", ",", '"\\q"', '"\\x41\\0"', '"a\\/b"')
)  # fmt: skip
scalars = st.one_of(tame, tame, tame, wild)
entries = st.tuples(indents, dashes, names, colons, scalars).map("".join)
items = st.tuples(indents, st.just("- "), scalars).map("".join)
lines = st.one_of(entries, entries, entries, items, st.sampled_from(("", "  ", "# c", "   # c")), scalars)
texts = st.tuples(st.lists(lines, max_size=7), st.sampled_from(("\n", "\n", "\r\n"))).map(
    lambda drawn: drawn[1].join((*drawn[0], ""))
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A good header in which a few characters are changed, dropped or doubled."""
    text = _HEADER
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text) - 1))
        new = draw(st.sampled_from((*"\n\r\t :#-\"'[]{}&*!|>%@`\\,?.x\u2028\x07", "", "", "\n  ", "\n- ", ": ")))
        text = text[:at] + new + text[at + draw(st.integers(0, 2)) :]
    return text


def _same(text: str) -> None:
    fast = read_fast(text)
    if fast is None:
        return
    full = read_full(text)
    assert full.values == fast[0]
    assert list(full.values) == list(fast[0])
    assert tuple(full.notices) == fast[1]


@patient
@given(texts)
def test_what_the_fast_reader_accepts_the_full_reader_reads_the_same(text: str) -> None:
    _same(text)


#: Lines as memdir writes them, in any order, with anything behind the colon.
own_lines = st.one_of(
    st.tuples(
        st.sampled_from(("id", "value", "at", "  - kind", "  - probe", "    ref", "    at", "  at", "- kind", "sides")),
        st.sampled_from((": ", ": ", ": ", ":", ":  ")),
        scalars,
    ).map("".join),
    st.sampled_from(("source:", "dependsOn:", "source: ", "sides:", "environment:", "", "x: 1", "  os: linux")),
)


@patient
@given(st.lists(own_lines, max_size=9).map(lambda drawn: "\n".join((*drawn, ""))))
def test_what_the_reader_of_our_own_headers_accepts_the_full_reader_reads_the_same(text: str) -> None:
    _same(text)


def test_the_reader_of_our_own_headers_knows_what_memdir_writes() -> None:
    memory = parse_memory(WHOLE.encode())
    plain = replace(memory, scope=replace(memory.scope, environment=()), extra={})
    header = render(plain).decode().split("---\n")[1]
    assert read_own(header) == read_plain(header) == read_full(header).values
    assert read_header(render(plain)).plain
    assert not read_header(WHOLE.encode()).plain, "a comment stands behind a value"


@pytest.mark.parametrize(
    ("line", "value"), [('"a: b"', "a: b"), ('"# a"', "# a"), ('""', ""), ("/a", "/a"), ("a:b", "a:b"), ("é", "é")]
)
def test_a_value_of_one_line_that_memdir_may_write_needs_no_second_look(line: str, value: str) -> None:
    assert read_own(f"value: {line}\n") == {"value": value}


def test_a_last_line_without_an_end_is_read_whole() -> None:
    assert read_mapping("id: x\nvalue: ab") == {"id": "x", "value": "ab"}


def test_a_list_without_entries_before_another_one_is_an_empty_value() -> None:
    assert read_mapping("source:\ndependsOn:\n  - probe: a\n") == {"source": "", "dependsOn": [{"probe": "a"}]}


@pytest.mark.parametrize("odd", ["\t", "\r", "\x85", "\u2028", "\ufeff"])
def test_a_header_that_others_may_cut_into_other_lines_is_not_read_as_memdirs_own(odd: str) -> None:
    assert read_plain("value: ab\n") == {"value": "ab"}
    assert read_plain(f"value: a{odd}b\n") is None


@pytest.mark.parametrize(
    ("slip", "reason"),
    [
        ('value: "a" b"', "text-after-quote"),
        ('value: ""b"', "text-after-quote"),
        ("dependsOn:\n    probe: c\n  - probe: d", "bad-indentation"),
        ("id: y", "duplicate-key"),
        ("dependsOn:\n  - probe: c\nsource:\n  - kind: user", "duplicate-key"),
        ("dependsOn:\n  - probe: c\n    probe: d", "duplicate-key"),
    ],
)
def test_the_reader_of_our_own_headers_leaves_every_slip_to_those_that_tell_it(slip: str, reason: str) -> None:
    header = f"id: x\nsource:\n  - kind: file\n{slip}\n"
    assert read_own(header) is None
    with pytest.raises(Malformed) as caught:
        read_header(f"---\n{header}---\n".encode())
    assert caught.value.reason == reason


@patient
@given(mutated())
def test_a_header_with_slips_of_the_pen_has_one_meaning(text: str) -> None:
    _same(text)


@patient
@given(texts | mutated())
def test_what_the_fast_reader_accepts_other_libraries_read_the_same(text: str) -> None:
    fast = read_fast(text)
    if fast is not None and fast[0]:
        assert by_pyyaml(text) == fast[0]
        assert by_ruamel(text) == fast[0]


@patient
@given(texts | mutated() | st.text(max_size=80), st.sampled_from((b"---\n", b"\xef\xbb\xbf---\r\n", b"")))
def test_any_text_is_read_or_refused_with_a_place_inside_the_file(text: str, opening: bytes) -> None:
    data = opening + text.encode() + b"\n---\nbody\n"
    error = judged(data)
    if isinstance(error, Malformed):
        assert 1 <= error.line <= data.count(b"\n") + 1
        assert error.column >= 1
        assert len(error.message) < 400
        assert "\n" not in error.message


@patient
@given(st.binary(max_size=200), st.integers(0, len(WHOLE)), st.integers(0, 30))
def test_any_bytes_are_read_or_refused(noise: bytes, at: int, dropped: int) -> None:
    whole = WHOLE.encode()
    for data in (noise, whole[:at] + noise[:5] + whole[at + dropped :]):
        error = judged(data)
        if isinstance(error, Malformed):
            assert error.reason in PROBLEMS
            assert error.facts["reason"] == error.reason


@pytest.mark.parametrize(
    "header",
    [
        "a: " + "[" * 60_000,
        "a: " + "{" * 60_000,
        "a:\n" + " [\n" * 20_000,
        "a: " + '"' * 60_000,
        "a:\n" + "- " * 30_000,
        "? " * 30_000,
        "a" + ": " * 30_000,
        "a: x" + " " * 60_000 + "y # z",
        "a: [" + "a," * 30_000 + "]",
        "a:\n" + "".join(f"{' ' * level}a:\n" for level in range(1, 340)),
        'a: "' + "\\" * 60_000,
        "a: |\n" + "\n" * 60_000,
        "predicate: " + "a-" * 30_000,
        "&a " * 20_000,
        "\r" * 60_000,
    ],
    ids=lambda header: header[:6],
)
def test_the_worst_headers_are_judged_in_time(header: str) -> None:
    began = time.process_time()
    error = judged(f"---\n{header}\n---\n".encode())
    assert isinstance(error, Malformed)
    assert len(error.message) < 400
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        ("a:\nb: ''\nc: \"\"\nd: # c\n", {"a": "", "b": "", "c": "", "d": ""}),
        ("tags:\n- a\n- b\nafter: x\n", {"tags": ["a", "b"], "after": "x"}),
        ("a:\n- b:\n- c\n", {"a": [{"b": ""}, "c"]}),
        ("a:\n  - b:\n  - b: x\n", {"a": [{"b": ""}, {"b": "x"}]}),
        ('a: "x" \nb: \'y\'  \nc: "" \n', {"a": "x", "b": "y", "c": ""}),
        ("a:\n  b:\n    c: d\n  e: f\n", {"a": {"b": {"c": "d"}, "e": "f"}}),
        ("a:\n  - b: c\n    d:\n      - e\n  - f: g\n", {"a": [{"b": "c", "d": ["e"]}, {"f": "g"}]}),
        ("a: [x, 'y', {z: no}]\n", {"a": ["x", "y", {"z": "no"}]}),
        ("a: >\n  folded\n  text\nb: |\n  kept\n  text\n", {"a": "folded text\n", "b": "kept\ntext\n"}),
        ("a: two\n  lines\n", {"a": "two lines"}),
        ('"a b": 1\n? c\n: d\n', {"a b": "1", "c": "d"}),
        (
            "a: null\nb: ~\nc: 0x1F\nd: 2026-02-30\ne: Yes\n",
            {"a": "null", "b": "~", "c": "0x1F", "d": "2026-02-30", "e": "Yes"},
        ),
        ("{a: b}\n", {"a": "b"}),
        ('"<<": text\n', {"<<": "text"}),
        ("a: x # comment\r\nb: y\r\n", {"a": "x", "b": "y"}),
    ],
)
def test_every_scalar_is_text(text: str, values: dict[str, Value]) -> None:
    assert read_mapping(text) == values
    assert read_full(text).values == values
    assert read_mapping(b"\xef\xbb\xbf" + text.encode()) == values


@pytest.mark.parametrize(
    "text",
    [
        "a: [b]\n",
        "a: {b: c d}\n",
        "a: |\n  b\n",
        "a: b\n  c\n",
        "a:\n  b\n",
        "a:\n- x\n  - y\n",
        "a:\n- x\n b: y\n",
        "a:\n  -\n",
        "a:\n- - x\n",
        " a: b\n",
        "a: b\n c: d\n",
        "a: b\na: c\n",
        "a: b\n- c\n",
        "- a\n",
        "word\n",
        "a: b: c\n",
        "a: b:\n",
        "a: *b\n",
        "a: &b\n",
        "a: !b\n",
        "a: @b\n",
        "a: - b\n",
        "a:\tb\n",
        "a: b\tc\n",
        "a: b\rc\n",
        "a: b\u2028c\n",
        "a: b\x85c\n",
        "a: \x07\n",
        'a: "b\n',
        "a: 'b\n",
        'a: "b" c\n',
        "a: 'b' c\n",
        'a: "\\q"\n',
        'a: ""x"\n',
        'a: "\\ud83d"\n',
        'a: "\\ud800"\n',
        'a: "\\udfff"\n',
        "a: \ud800\n",
        "? a\n",
        ": a\n",
        "'a': b\n",
        "<<: a\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "a : b\n",
        "".join(f"{' ' * level}a:\n" for level in range(40)),
        "a:\n" + "".join(f"{'  ' * level}- a:\n" for level in range(40)),
        "a:\n  - \n",
    ],
)
def test_the_fast_reader_leaves_what_it_does_not_know(text: str) -> None:
    assert read_fast(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "# first\na: b\n  # below\nc:\n  # inside\n  - d\n",
        "a: 'é — 日本'\n",
        "a:\n- x\n- 'y'\n- z: no\n  w: \"yes\"\nb: c\n",
        'a: "\\x41\\u00e9\\n\\\\"\n',
        "a: # why\n  - b\n",
        "a: x # why\r\nb:\r\n- y\r\n",
    ],
)
def test_what_people_often_write_needs_no_library(text: str) -> None:
    fast = read_fast(text)
    assert fast is not None
    assert fast[0] == read_full(text).values


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        ("a: Stray #[test] attribute", 10, "#[test] attribute"),
        ("a: x #y # z", 6, "#y # z"),
        ("topic: #channel", 8, "#channel"),
        ("  - x: y  #z", 11, "#z"),
        ("a: [b] #c", 0, ""),
        ("a: 'b' #c", 0, ""),
        ("a: b # c", 0, ""),
        ("a: b#c", 0, ""),
        ("a: # b", 0, ""),
        ("a: #", 0, ""),
        ("a: #b\n  c: d", 0, ""),
        (f"a: x #{'y' * 39}", 6, f"#{'y' * 39}"),
        (f"a: x #{'y' * 40}", 6, f"#{'y' * 38}…"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_value_that_loses_its_tail_is_noticed_by_both_readers(
    line: str, column: int, shown: str, ending: str
) -> None:
    text = f"list:\n{line}\n" if line.startswith("  -") else f"# first\n{line}\n"
    data = f"---\r\n{text}z: 1\n---\n".encode()
    slow = f"---\n{text}z: [1]\n---\n".encode()
    for file in (data, slow):
        notices = read_header(file.replace(b"\r\n", b"\n").replace(b"\n", ending.encode())).notices
        assert (
            tuple(replace(one, line=one.line + 1) for one in read_full(text.replace("\n", ending)).notices) == notices
        )
        assert [(notice.line, notice.column) for notice in notices] == ([(3, column)] if column else [])
        assert all(notice.reason == "lost-tail" and f"before ` {shown}`:" in notice.message for notice in notices)


def test_python_frontmatter_reads_strictly_with_memdirs_handler() -> None:
    post = frontmatter.loads("---  \r\na: no\r\nb: [0755]\r\n---\r\nbody\n", handler=StrictHandler())
    assert (post.metadata, post.content) == ({"a": "no", "b": ["0755"]}, "body")
    with pytest.raises(Malformed, match="stands twice"):
        frontmatter.loads("---\na: 1\na: 2\n---\n", handler=StrictHandler())
    with pytest.raises(Malformed, match="never closed"):
        frontmatter.loads("---\na: 1\n", handler=StrictHandler())
    with pytest.raises(NotImplementedError):
        frontmatter.dumps(post)


def test_a_header_of_memdirs_own_needs_no_library() -> None:
    code = (
        "import sys\nfrom memdir_cli.storage import codec\nfrom memdir_cli.domain.memory import Memory\n"
        f"memory = codec.parse_memory({WHOLE.encode()!r})\n"
        "codec.update(codec.render(memory), memory, memory)\n"
        "print([name for name in ('ruamel', 'ruamel.yaml', 'yaml', 'frontmatter', 'datetime') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@given(st.lists(st.tuples(st.text("abcXYZ019_- ", max_size=6), st.text("abcXYZ019_-:,{} '#", max_size=6)), max_size=4))
def test_a_mapping_on_one_line_is_read_as_the_full_reader_reads_it(pairs: list[tuple[str, str]]) -> None:
    header = f"gate: {{{', '.join(f'{key}: {value}' for key, value in pairs)}}}\n"
    fast = read_fast(header)
    if fast is not None:
        assert fast[0] == read_full(header).values


def test_the_settings_that_hints_show_need_no_yaml_library() -> None:
    fast = read_fast("gate: {attestation: claimed}\nretention: { candidates: 30d, history: 2w }\n")
    assert fast is not None
    assert fast[0] == {"gate": {"attestation": "claimed"}, "retention": {"candidates": "30d", "history": "2w"}}
