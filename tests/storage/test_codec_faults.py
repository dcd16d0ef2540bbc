"""What people and agents get wrong in a header: the reason, the place in the file, the form to write."""

from __future__ import annotations

import pytest
from ruamel.yaml.error import YAMLError

from memdir_cli.storage.codec import PROBLEMS, Malformed, read_header, read_mapping
from memdir_cli.storage.codec.yaml_faults import explain


@pytest.mark.parametrize(
    ("line", "reason", "column", "cure"),
    [
        ("globs: *.ts", "alias", 8, 'globs: "*.ts"'),
        ("globs: **/*.ts, src/** # all", "alias", 8, 'globs: "**/*.ts, src/**"'),
        ("title: *draft*", "alias", 8, 'title: "*draft*"'),
        ("related: *other", "alias", 10, 'related: "*other"'),
        ("title: &x y", "anchor", 8, 'title: "&x y"'),
        ("key: !secret x", "tag", 6, 'key: "!secret x"'),
        ("run: !!python/object/apply:os.system [x]", "tag", 6, 'run: "!!python/object/apply:os.system [x]"'),
        ("title: fix: retry", "unquoted-colon", 11, 'title: "fix: retry"'),
        ("  - said: fix: retry", "unquoted-colon", 14, '- said: "fix: retry"'),
        ('title: "x" and y', "text-after-quote", 12, r'title: "\"x\" and y"'),
        ("title: 'it''s' x", "text-after-quote", 16, "title: \"'it''s' x\""),
        ("title: 'x', y", "text-after-quote", 11, "title: \"'x', y\""),
        (r"title: `C:\tools\x`", "unquoted-indicator", 8, r'title: "`C:\\tools\\x`"'),
        ("owner: @team", "unquoted-indicator", 8, 'owner: "@team"'),
        ("share: %x", "unquoted-indicator", 8, 'share: "%x"'),
        ("title: - x", "unquoted-indicator", 8, 'title: "- x"'),
        ("title: @team  ", "unquoted-indicator", 8, 'title: "@team"'),
        ("title: fix: undefined tag", "unquoted-colon", 11, 'title: "fix: undefined tag"'),
        ("title: > x", "unquoted-indicator", 10, 'title: "> x"'),
        ("@key: x", "unquoted-indicator", 1, ""),
        ("`key`: x", "unquoted-indicator", 1, ""),
        ("%key: x", "unquoted-indicator", 1, ""),
        (", key: x", "unquoted-indicator", 1, ""),
        ("]key: x", "unquoted-indicator", 1, ""),
        ("}key: x", "unquoted-indicator", 1, ""),
        ("  @team", "unquoted-indicator", 3, ""),
        ("link: [[note]]tail", "text-after-bracket", 15, 'link: "[[note]]tail"'),
        ("title: [draft", "unclosed-bracket", 8, 'title: "[draft"'),
        ("title: {{ page }}", "complex-key", 9, 'title: "{{ page }}"'),
        ("title: { {page} : x }", "complex-key", 10, 'title: "{ {page} : x }"'),
        ("&x key: y", "anchor", 1, ""),
        ("!x key: y", "tag", 1, ""),
        ("*x : y", "alias", 1, ""),
        ("  - {kind: file, ref", "unclosed-bracket", 5, '- "{kind: file, ref"'),
        ('title: "open', "unclosed-quote", 8, r'title: "\"open"'),
        (r'path: "C:\tools\q"', "bad-escape", 17, r'path: "\"C:\\tools\\q\""'),
        (r'face: "\ud83d"', "bad-escape", 7, r'face: "\"\\ud83d\""'),
        ("? [a]\n: b", "complex-key", 3, ""),
        ("<<: x", "merge-key", 1, ""),
        ("first: again", "duplicate-key", 1, ""),
        ("'first': again", "duplicate-key", 1, ""),
        ("\tindented: x", "tab-indentation", 1, ""),
        ("    deeper: x", "bad-indentation", 5, ""),
        ("only words", "missing-colon", 1, ""),
        ("title: \x07bell", "control-character", 8, ""),
        ("...", "several-documents", 1, ""),
        ("--- x", "several-documents", 1, ""),
        ("- item", "invalid-yaml", 1, ""),
        ("deep: " + "[" * 64, "too-deep", 70, ""),
    ],
)
@pytest.mark.parametrize("form", ["lf", "crlf", "bom"])
def test_a_slip_is_told_with_its_place_and_cure(form: str, line: str, reason: str, column: int, cure: str) -> None:
    text = f"---\nfirst: x\n{'list:' if line.startswith('  -') else '# c'}\n{line}\nlast: y\n---\nbody\n"
    data = {"lf": text, "crlf": text.replace("\n", "\r\n"), "bom": "\ufeff" + text}[form].encode()
    with pytest.raises(Malformed) as caught:
        read_header(data)
    error = caught.value
    assert (error.reason, error.column) == (reason, column)
    # the parser sees some slips only where the next line begins
    assert error.line in ({4, 5} if reason in {"missing-colon", "invalid-yaml"} else {4})
    assert (f"`{cure}`" in error.message) == bool(cure)
    if cure:
        assert read_mapping(f"list:\n  {cure}\n" if cure.startswith("-") else f"{cure}\n")


@pytest.mark.parametrize(
    ("header", "reason", "line"),
    [
        ("- a\n- b\n", "not-a-mapping", 2),
        ("word\n", "not-a-mapping", 2),
        ("!secret x\n", "tag", 2),
        ("&a\nx: y\n", "anchor", 2),
        ("*a\n", "alias", 2),
        ("status verified\nid: x\n", "missing-colon", 2),
        ("bad yaml: [\n", "unclosed-bracket", 2),
        ("%YAML 1.1\na: b\n", "several-documents", 3),
        ("a: b\n--- c\n", "several-documents", 3),
        ("a: b\n...\n", "several-documents", 3),
        ("a:\n  b: 1\n  b: 2\n", "duplicate-key", 4),
        ("source:\n  - kind: a\n\t  ref: b\n", "tab-indentation", 4),
        ('a: 1\nb: "\\UFFFFFFFF"\n', "invalid-yaml", 2),
        ("a: |\nx\n", "missing-colon", 3),
        ("a: {\n\tb: c}\n", "tab-indentation", 3),
        ("a:\n  b: x\n\t  y\n", "tab-indentation", 4),
        ('a: "x" : y\n', "unquoted-colon", 2),
        ("a: !x'y\n", "tag", 2),
        ("... x\n", "several-documents", 2),
        ("a: b\n'c'\n", "missing-colon", 3),
        ("a: b\nc\n- d: e\n", "missing-colon", 3),
        ("a: b\n# c\n  d\n", "bad-indentation", 4),
        ("a: b\n  c: d\n", "bad-indentation", 3),
        ("a: b\n-\n", "invalid-yaml", 3),
        ("a: [b]\n  - c\n", "bad-indentation", 3),
        ("a:\n  -\n  b: c\n", "bad-indentation", 4),
        ("a:\n  -\n  : c\n", "bad-indentation", 4),
        ("--- # c\na: b\n", "several-documents", 2),
        ("\n\ta: b\n", "tab-indentation", 3),
        ("{\n,\na: b}\n", "unclosed-bracket", 2),
        ("a: [x]\nb: [c: ? d\n", "unclosed-bracket", 3),
        ("a: {x: y}\nb: {c: ? d\n", "unclosed-bracket", 3),
        ("a: [\n  | b]\n", "unquoted-indicator", 3),
    ],
)
def test_a_header_that_is_no_mapping_of_text_is_refused(header: str, reason: str, line: int) -> None:
    with pytest.raises(Malformed) as caught:
        read_header(f"---\n{header}---\n".encode())
    assert (caught.value.reason, caught.value.line) == (reason, line)
    with pytest.raises(Malformed) as caught:
        read_mapping(header)
    assert (caught.value.reason, caught.value.line) == (reason, line - 1)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ('a: "x" y\n', "text-after-quote"),
        ("a: [x] y\n", "text-after-bracket"),
        ("a:\n    b: c\n  d: e\n", "bad-indentation"),
        ("a: b\n- c\n", "invalid-yaml"),
    ],
)
def test_the_parsers_own_words_stand_only_where_memdir_has_none(header: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_mapping(header)
    assert caught.value.reason == reason
    opening = "The header is not valid YAML: " if reason == "invalid-yaml" else PROBLEMS[reason]
    assert caught.value.message.startswith(opening)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("{a: b, c\n", "unclosed-bracket"),
        ("{a: b: c\n", "unclosed-bracket"),
        ("{, a: b}\n", "unclosed-bracket"),
        ("a: {\n b: c, [d]: e}\n", "complex-key"),
    ],
)
def test_no_form_is_shown_for_a_key_inside_of_braces(header: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_mapping(header)
    assert (caught.value.reason, caught.value.message) == (reason, PROBLEMS[reason])


def test_a_form_is_shown_for_a_line_that_follows_an_empty_one() -> None:
    with pytest.raises(Malformed, match='write `owner: "@team"`'):
        read_mapping("\nowner: @team\n")


@pytest.mark.parametrize(("length", "shown"), [(120, True), (121, False)])
def test_a_form_is_shown_up_to_the_length_of_its_line_whatever_follows(length: int, *, shown: bool) -> None:
    line = "owner: @team".ljust(length, "x")
    with pytest.raises(Malformed) as caught:
        read_mapping(f"{line}\nnext: {'y' * 200}\n")
    assert ("To mean the text" in caught.value.message) is shown


def test_a_complaint_without_words_and_place_is_told_in_memdirs_own_words_at_the_beginning() -> None:
    told = explain(YAMLError(), "a: b\n", 3)
    assert (told.reason, told.message, told.line, told.column) == ("invalid-yaml", PROBLEMS["invalid-yaml"], 3, 1)


def test_a_key_that_stands_twice_is_told_with_both_lines() -> None:
    with pytest.raises(Malformed, match="`a` stands twice, on lines 2 and 4"):
        read_mapping("\na: 1\nb: 2\na: 3\n")
    with pytest.raises(Malformed, match="`status` stands twice, on lines 3 and 5") as caught:
        read_header(b"\xef\xbb\xbf---\r\nid: x\r\nstatus: quarantined\r\na: b\r\nstatus: verified\r\n---\r\n")
    assert (caught.value.reason, caught.value.line, caught.value.column) == ("duplicate-key", 5, 1)


def test_lines_end_at_line_feeds_alone() -> None:
    with pytest.raises(Malformed) as caught:
        read_header("---\na: 'x\u2028y\u0085z'\nb: *c\n---\n".encode())
    assert (caught.value.line, caught.value.column) == (3, 4)


def test_an_alias_bomb_is_refused_and_a_long_line_is_not_repeated() -> None:
    bomb = "a: &a [x]\n" + "".join(
        f"{new}: &{new} [*{old},*{old}]\n" for old, new in zip("abcdef", "bcdefg", strict=True)
    )
    with pytest.raises(Malformed) as caught:
        read_header(f"---\n{bomb}---\n".encode())
    assert caught.value.reason == "anchor"
    with pytest.raises(Malformed) as caught:
        read_header(f"---\na: b: {'long ' * 1000}\n---\n".encode())
    assert caught.value.reason == "unquoted-colon"
    assert len(caught.value.message) < 100


def test_messages_hold_no_control_characters() -> None:
    with pytest.raises(Malformed) as caught:
        read_header("---\na: *\u202e\u200bx\n---\n".encode())
    assert caught.value.message.isprintable()


def test_every_problem_has_a_sentence() -> None:
    for reason, sentence in PROBLEMS.items():
        error = Malformed(reason, line=3, column=4)
        assert error.message == sentence
        assert error.facts == {"reason": reason, "line": 3, "column": 4}
        assert sentence[-1] == "."
        assert error.exit_status == 6
    with pytest.raises(KeyError):
        Malformed("unheard-of")
