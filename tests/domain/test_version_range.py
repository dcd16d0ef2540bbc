"""npm ranges, against another implementation of them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from semantic_version import NpmSpec
from semantic_version import Version as Semver

from memdir_cli.domain.version_range import CHARACTERS, Version, matches, parse_range, parse_version, within
from memdir_cli.errors import UsageError


@pytest.mark.parametrize(
    ("wanted", "version", "expected"),
    [
        ("^1.2.3", "1.9.0", True),
        ("^1.2.3", "2.0.0", False),
        ("^1.2.3", "2.0.0-rc.1", False),
        ("^0.2.3", "0.2.9", True),
        ("^0.2.3", "0.3.0", False),
        ("^0.0.3", "0.0.4", False),
        ("^1", "2.0.0-1", False),
        ("^0.2.3", "0.3.0-1", False),
        ("^0.0.3", "0.0.4-1", False),
        ("~1", "2.0.0-1", False),
        ("~1.2", "1.3.0-1", False),
        ("<1", "1.0.0-1", False),
        ("^0.x", "0.9.0", True),
        ("^0.0", "0.0.9", True),
        ("^1", "1.0.0", True),
        ("~1.2", "1.2.9", True),
        ("~1.2.3", "1.3.0", False),
        ("~1", "1.9.0", True),
        ("~>1.2.3", "1.2.4", True),
        ("1.x", "1.4.4", True),
        ("1.x.3", "1.4.4", True),
        ("*", "3.1.4", True),
        ("", "3.1.4", True),
        ("^*", "3.1.4", True),
        ("~x", "3.1.4", True),
        ("*", "3.1.4-rc.1", False),
        ("<1", "1.0.0-rc.1", False),
        ("<1.0.0", "1.0.0-rc.1", False),
        ("1.2 - 2", "2.9.9", True),
        ("1.2 - 2", "3.0.0", False),
        ("1.2.3 - 2.3.4", "2.3.4", True),
        ("1.2.3 - 2.3.4", "2.3.5", False),
        (">=1 <3 || 4", "4.5.6", True),
        (">=1 <3 || 4", "3.0.0", False),
        ("> 1.2", "1.2.9", False),
        ("> 1.2", "1.3.0", True),
        ("<= 1.2", "1.2.9", True),
        ("< 1.2", "1.2.0-rc.1", False),
        (">=1.2.3-rc.1", "1.2.3-rc.2", True),
        (">=1.2.3-rc.1", "1.2.4-rc.2", False),
        (">=1.2.3-rc.2", "1.2.3-rc.10", True),
        (">=1.2.3-alpha", "1.2.3-1", False),
        ("=v1.2.3", "1.2.3+build.5", True),
        (">*", "1.0.0", False),
        ("<x", "1.0.0", False),
        (">=*", "1.0.0", True),
        ("^1", "v1.4", True),
        ("^1", "1", True),
        (">=1.2.0-a", "1.2.0rc1", True),
        (">=1.2.0-a", "1.2.0.dev0", True),
        ("~0.0.0-rc.1", "0.0.1", True),
        ("<1.2.3-rc.2", "1.2.3-rc.2", False),
        ("1.2.3-rc.1", "1.2.3", False),
        ("^1.2.0", "1.2.0rc1", False),
        ("1.2.3-rc.10", "1.2.3-rc.10", True),
        ("1.2.3-0a", "1.2.3-0a", True),
        ("\t^1.2 ", "1.2.0", True),
        (" 1.2 - 2 ", "2.9.9", True),
        ("1.2 - 2 || 4 ", "4.0.0", True),
    ],
)
def test_a_range_holds_a_version(wanted: str, version: str, expected: bool) -> None:
    assert matches(wanted, version) is expected


@pytest.mark.parametrize(
    "bad", ["latest", "^", "1.2.3.4", ">=1 <", "1..2", "1 - b", "01.2.3", "^1.2.3-01", "a || 1", "1,2"]
)
def test_what_is_no_range_is_wrong_usage(bad: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_range(bad)
    assert "^1.2" in caught.value.hint


def test_a_range_is_no_longer_than_a_person_writes() -> None:
    assert parse_range("1.2".ljust(CHARACTERS)) == parse_range("1.2")
    with pytest.raises(UsageError, match="cannot be read"):
        parse_range("1.2".ljust(CHARACTERS + 1))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1", Version(1, 0, 0)),
        ("v1.4", Version(1, 4, 0)),
        (" 1.4.2+build.5\n", Version(1, 4, 2)),
        ("1.4.2-rc.1", Version(1, 4, 2, ("rc", "1"))),
        ("1.4rc1", Version(1, 4, 0, ("rc1",))),
        ("1.4.dev0", Version(1, 4, 0, ("dev0",))),
    ],
)
def test_the_version_of_a_project_is_read_with_patience(text: str, version: Version) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("odd", ["", "latest", "1.2.3.4", "workspace:*", "1.2.3 beta"])
def test_a_version_that_cannot_be_read_is_unknown(odd: str) -> None:
    assert parse_version(odd) is None
    assert matches("*", odd) is None


_number = st.integers(0, 3).map(str)
_release = st.builds(lambda a, b, c: f"{a}.{b}.{c}", _number, _number, _number)
_pre = st.sampled_from(["-rc.1", "-rc.2", "-0", "-alpha", "-alpha.1", "-1.x"])
_partial = st.one_of(
    _release,
    _release,
    _number,
    st.builds(lambda a, b: f"{a}.{b}", _number, _number),
    st.builds(lambda a, x: f"{a}.{x}", _number, st.sampled_from("xX*")),
    st.builds(lambda a, b, x: f"{a}.{b}.{x}", _number, _number, st.sampled_from("xX*")),
    st.just("*"),
)
_simple = st.builds(str.__add__, st.sampled_from(["", "^", "~", ">", ">=", "<", "<=", "="]), _partial)
_alternative = st.one_of(
    st.lists(_simple, min_size=1, max_size=3).map(" ".join),
    st.builds(lambda low, high: f"{low} - {high}", _partial, _partial),
)
_range = st.lists(_alternative, min_size=1, max_size=3).map(" || ".join)


@settings(max_examples=500)
@given(_range, _release)
def test_ranges_mean_what_semantic_version_says(wanted: str, version: str) -> None:
    try:
        oracle = NpmSpec(wanted)
    except ValueError:
        assume(False)
    assert matches(wanted, version) is oracle.match(Semver(version))


# of pre-releases the other implementation is right only where one stands alone and under these signs
_alone = st.builds(lambda sign, release, pre: sign + release + pre, st.sampled_from(["^", ">", ">="]), _release, _pre)


@settings(max_examples=300)
@given(_alone, st.builds(str.__add__, _release, st.one_of(st.just(""), _pre)))
def test_pre_releases_lie_where_semantic_version_says(wanted: str, version: str) -> None:
    assert matches(wanted, version) is NpmSpec(wanted).match(Semver(version))


@given(st.text(max_size=15))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    parse_version(text)
    with suppress(UsageError):
        parse_range(text)


@pytest.mark.parametrize(
    ("narrow", "wide", "inside"),
    [
        ("^1.2", "1.x", True),
        ("1.4.0", "^1.2", True),
        (">=2 <3", ">=1", True),
        ("<2", "<=2", True),
        ("1.x || 3.x", ">=1", True),
        ("2.x", "1.x || 2.x", True),
        (">1.0.0", ">=1.0.0", True),
        (">=1.0.0", ">1.0.0", False),
        ("1.x", "^1.2", False),
        ("*", "1.x", False),
        ("1.x || 3.x", "1.x", False),
        ("1.0.0", "2.0.0", False),
        (">=2.0.0-rc.1 <3", ">=1 <3", False),  # only the narrow one names that pre-release
        (">=2.0.0-rc.2 <3", ">=2.0.0-rc.1 <3", True),
    ],
)
def test_one_range_lies_within_another(narrow: str, wide: str, inside: bool) -> None:
    assert within(narrow, wide) is inside


@settings(max_examples=500)
@given(_range, _range, st.builds(str.__add__, _release, st.one_of(st.just(""), _pre)))
def test_what_lies_in_a_range_lies_in_every_wider_one(narrow: str, wide: str, version: str) -> None:
    with suppress(UsageError):
        if within(narrow, wide) and matches(narrow, version):
            assert matches(wide, version)
