"""Globs: what they match, what they refuse, and that they never take long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.glob import CHARACTERS, literal_prefix, matches, parse_glob, within
from memdir_cli.errors import UsageError


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("packages/old/**", "packages/old/src/a.js", True),
        ("packages/old/**", "packages/old", True),
        ("packages/old/**", "packages/older/a.js", False),
        ("packages/old/**", "packages", False),
        ("packages/old/**", "", False),
        ("packages/old", "packages/old", True),
        ("packages/old", "packages/old/src/a.js", True),
        ("packages/old", "packages/older", False),
        ("**", "", True),
        ("**", "a/b", True),
        ("*", "a", True),
        ("*", "a/b", False),
        ("*", "", False),
        ("src/*.ts", "src/a.ts", True),
        ("src/*.ts", "src/x/a.ts", False),
        ("**/*.ts", "a.ts", True),
        ("**/*.ts", "x/y/a.ts", True),
        ("**/*.ts", "x/y/a.tsx", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/y/b/c", False),
        ("a/**/b/**/c", "a/b/b/x/c", True),
        ("a?c", "abc", True),
        ("a?c", "ac", False),
        ("a?c", "a/c", False),
        ("[a-c]x", "bx", True),
        ("[a-c]x", "dx", False),
        ("[!a-c]x", "dx", True),
        ("[^a-c]x", "bx", False),
        ("[]]x", "]x", True),
        ("[!]]x", "ax", True),
        ("[!]]x", "]x", False),
        ("x[^]]", "x]", False),
        ("[!a]b]", "xb]", True),
        ("[a]b[c]", "abc", True),
        ("a[bc]", "ab", True),
        ("a[bc]", "a[", False),
        ("[a-]x", "-x", True),
        ("[^]a]x", "bx", True),
        ("[^]a]x", "]x", False),
        ("[Xa]x", "ax", True),
        ("[ab", "[ab", True),
        ("[*", "[anything", True),
        ("app/[slug]/**", "app/[slug]/page.tsx", True),
        ("a**b", "axxb", True),
        ("Src/**", "src/a", False),
        ("src/**", "./src/a/", True),
        ("../x", "../x", False),
        ("문서/*", "문서/가.md", True),
        ("e\u0301/**", "\u00e9/a", True),
    ],
)
def test_a_glob_matches(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "  ",
        "/etc/**",
        "../up",
        "a/../b",
        "a\\b",
        "C:/x",
        "C:",
        "a\nb",
        "a\u202eb",
        "a\u2028b",
        "a\u2029b",
        "a/" * 501,
    ],
)
def test_a_glob_that_leaves_the_repository_is_refused_with_a_hint(bad: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_glob(bad)
    assert "packages/web/**" in caught.value.hint
    assert "\n" not in caught.value.message


def test_what_is_wrong_with_a_glob_is_told_in_a_sentence() -> None:
    with pytest.raises(UsageError) as caught:
        parse_glob("/etc/**")
    assert caught.value.message == "The path `/etc/**` is absolute."


def test_a_glob_of_a_thousand_characters_is_taken_and_no_longer_one() -> None:
    assert parse_glob("x" * CHARACTERS) == "x" * CHARACTERS
    with pytest.raises(UsageError, match=f"longer than {CHARACTERS} characters"):
        parse_glob("x" * (CHARACTERS + 1))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("./a/b", "a/b"),
        ("a//b/", "a/b"),
        ("a/./b", "a/b"),
        (".", "**"),
        ("./", "**"),
        ("e\u0301", "\u00e9"),
        ("1:1/x", "1:1/x"),
    ],
)
def test_a_glob_has_one_normal_form(text: str, normal: str) -> None:
    assert parse_glob(text) == normal
    assert parse_glob(normal) == normal


@pytest.mark.parametrize(
    ("glob", "prefix"),
    [
        ("packages/old/**", ("packages", "old")),
        ("packages/old", ("packages", "old")),
        ("packages/*/src/**", ("packages",)),
        ("**/*.ts", ()),
        ("**", ()),
    ],
)
def test_the_literal_prefix_counts_whole_components(glob: str, prefix: tuple[str, ...]) -> None:
    assert literal_prefix(glob) == prefix


@pytest.mark.parametrize(
    ("narrow", "wide", "inside"),
    [
        ("packages/web/**", "packages/**", True),
        ("packages/web", "packages", True),
        ("packages/web", "packages/web/**", True),
        ("packages/web/**", "packages/web", True),
        ("packages/web/*.ts", "packages/*/*.ts", True),
        ("packages/[ab]/x/**", "packages/*/x/**", True),
        ("packages/**/a/**/b", "packages/**/b", True),
        ("a", "**", True),
        ("*.ts", "**", True),
        ("**", "**", True),
        ("**/x", "**/**", True),
        ("packages/**", "packages/web/**", False),
        ("packages/older", "packages/old", False),
        ("packages/web", "packages/*", False),  # a path without a wildcard reaches further down
        ("packages/**", "packages/*", False),
        ("**/x", "x/**", False),
        ("packages/*", "packages/[ab]", False),
        ("src/a/*.ts", "src/[ab]/*.ts", True),
        ("src/?/x/**", "src/[?]/x/**", False),
        ("../x", "**", False),
        ("", "**", False),
        ("a", "", False),
    ],
)
def test_one_glob_lies_within_another(narrow: str, wide: str, inside: bool) -> None:
    assert within(narrow, wide) is inside


def test_many_stars_do_not_take_long() -> None:
    started = time.perf_counter()
    assert not matches("a*" * 60 + "b", "a" * 400)
    assert not matches("/".join(["**", "a"] * 40) + "/b", "/".join(["a"] * 200))
    assert time.perf_counter() - started < 1


def _as_regex(glob: str) -> re.Pattern[str]:
    """The same meaning, said as a regular expression over the path with a slash after each component."""
    if not set("*?[") & set(glob):
        return re.compile(re.escape(glob) + r"/(?:[^/]+/)*")
    out = ""
    for part in glob.split("/"):
        if part == "**":
            out += r"(?:[^/]+/)*"
        else:
            out += re.sub(r"\*+", "[^/]*", part).replace("?", "[^/]") + "/"
    return re.compile(out)


_names = st.text(alphabet="ab", min_size=1, max_size=3)
_parts = st.one_of(_names, st.just("**"), st.text(alphabet="ab*?", min_size=1, max_size=4))


@given(
    glob=st.lists(_parts, min_size=1, max_size=5).map("/".join),
    path=st.lists(_names, max_size=5).map("/".join),
)
def test_globs_mean_what_the_equal_regular_expression_means(glob: str, path: str) -> None:
    expected = _as_regex(glob).fullmatch(path + "/" if path else "") is not None
    assert matches(glob, path) is expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_text_breaks_the_matcher(glob: str, path: str) -> None:
    assert matches(glob, path) in {True, False}


@given(
    narrow=st.lists(_parts, min_size=1, max_size=4).map("/".join),
    wide=st.lists(_parts, min_size=1, max_size=4).map("/".join),
    path=st.lists(_names, max_size=5).map("/".join),
)
def test_what_lies_in_a_glob_lies_in_every_wider_one(narrow: str, wide: str, path: str) -> None:
    if within(narrow, wide) and matches(narrow, path):
        assert matches(wide, path)


@pytest.mark.parametrize(
    ("glob", "inside", "outside"),
    [
        ("[a-c]", "abc", "d-"),
        ("[a-cx]", "abcx", "-d"),
        ("[!a-c]", "d-![]", "abc"),
        ("[^ac]", "bd", "ac"),
        ("[ab-]", "ab-", "c"),
        ("[-a]", "-a", "b"),
        ("[c-a]", "", "abc-"),
    ],
)
def test_a_class_holds_its_letters_and_ranges_with_both_ends(glob: str, inside: str, outside: str) -> None:
    assert [char for char in inside + outside if matches(glob, char)] == list(inside)
