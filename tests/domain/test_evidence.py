"""Probes as text, the canonical hash, and the verdict on what a look saw."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.effective import VerdictKind
from memdir_cli.domain.evidence import (
    SHOWN_CHARACTERS,
    Observation,
    Probe,
    canonical_hash,
    judge,
    parse_probe,
    shown,
)
from memdir_cli.domain.memory import Evidence
from memdir_cli.errors import UsageError

PROBES = [
    ("package.json#scripts.test", Probe("script", "package.json", "test")),
    ("package.json#scripts.test:unit.fast", Probe("script", "package.json", "test:unit.fast")),
    ("packages/web/package.json#scripts", Probe("scripts", "packages/web/package.json")),
    ("package.json#version:major", Probe("major", "package.json")),
    ("Makefile#targets.build", Probe("target", "Makefile", "build")),
    ("tsconfig.json#/compilerOptions/strict", Probe("pointer", "tsconfig.json", "/compilerOptions/strict")),
    ("src/main.ts", Probe("content", "src/main.ts")),
    ("Xcode/main.ts", Probe("content", "Xcode/main.ts")),
    ("exists:docs/設計.md", Probe("exists", "docs/設計.md")),
]

NO_PROBES = [
    "", " ", "#", "#scripts", "exists:", "exists:#x", "/etc/passwd", "../x", "a/../../x", "~/x", "exists:../x",
    "..\\x", "C:x", "exists:/etc/passwd", "package.json#", "package.json#script.test", "package.json#scripts.",
    "package.json#version", "package.json#/", "a\nb", "a\x00b", "a\u202eb", ".", "exists:.",
    # a file is there whole, or it is not
    "exists:package.json#scripts.test", "exists:package.json#scripts", "exists:C#/notes.md", "exists:C#notes.md",
]  # fmt: skip


@pytest.mark.parametrize(("text", "probe"), PROBES)
def test_a_probe_is_read_as_it_is_written(text: str, probe: Probe) -> None:
    assert parse_probe(text) == probe
    assert probe.text == text


def test_the_path_of_a_probe_is_kept_in_one_form() -> None:
    assert parse_probe(" ./packages//web/./package.json#scripts.test ").text == "packages/web/package.json#scripts.test"


@pytest.mark.parametrize("text", NO_PROBES)
def test_what_is_no_probe_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_probe(text)
    assert "package.json#scripts.NAME" in refused.value.hint
    assert refused.value.message.isprintable()


@given(st.text())
def test_any_text_is_a_probe_inside_the_project_or_refused(text: str) -> None:
    try:
        probe = parse_probe(text)
    except UsageError:
        return
    assert parse_probe(probe.text) == probe
    assert ".." not in probe.path.split("/")
    assert not probe.path.startswith("/")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_the_form_of_a_text_never_changes_the_hash(value: object, indent: int | str | None, escaped: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    assert canonical_hash(json.loads(text)) == canonical_hash(value)
    assert canonical_hash(json.loads(text.replace("\n", "\r\n"))) == canonical_hash(value)


@given(JSON, JSON)
def test_two_values_share_a_hash_only_if_they_are_equal(one: object, other: object) -> None:
    if canonical_hash(one) == canonical_hash(other):
        assert json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True) or one == other


def test_the_hash_is_a_promise() -> None:
    """Stored in files: it must be the same in every release that says ``v1:``."""
    import hashlib

    assert canonical_hash("tsc -b") == "v1:" + hashlib.sha256(b'"tsc -b"').hexdigest()
    assert (
        canonical_hash({"b": 1.0, "a": ["\u00e9", None]})
        == "v1:" + hashlib.sha256(b'{"a":["\\u00e9",null],"b":1}').hexdigest()
    )
    assert canonical_hash("\ud800").startswith("v1:")
    assert canonical_hash([1.0, [2e0]]) == canonical_hash([1, [2]])


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.5, "0.5"), (-3.0, "-3"), (2.0**53 - 1, "9007199254740991"), (2.0**53, "9007199254740992.0"),
     (-(2.0**53), "-9007199254740992.0"), (2**53, "9007199254740992"), (1e300, "1e+300")],
)  # fmt: skip
def test_a_whole_number_has_one_form_as_far_as_a_float_tells_it_from_its_neighbours(number: float, text: str) -> None:
    import hashlib

    assert canonical_hash(number) == "v1:" + hashlib.sha256(text.encode()).hexdigest()


def test_what_is_shown_is_one_short_harmless_line() -> None:
    assert shown("a  b\n c") == "a b c"
    assert shown({"ü": [1, True]}) == '{"ü": [1, true]}'
    assert shown("\x1b[31mred") == "\\x1b[31mred"
    assert shown("x" * 5000) == "x" * (SHOWN_CHARACTERS - 1) + "…"
    assert shown("x" * (SHOWN_CHARACTERS + 1)) == "x" * (SHOWN_CHARACTERS - 1) + "…"
    assert shown("x" * SHOWN_CHARACTERS) == "x" * SHOWN_CHARACTERS


def test_nothing_is_shown_of_what_holds_a_secret() -> None:
    assert shown(f"deploy --token ghp_{'a1B2' * 9}") == ""


@pytest.mark.parametrize(("size", "folded"), [(10 * SHOWN_CHARACTERS - 1, True), (10 * SHOWN_CHARACTERS, False)])
def test_spaces_are_folded_only_where_it_costs_little(size: int, *, folded: bool) -> None:
    assert shown("a  b".ljust(size, "\t"))[:4] == ("a b" if folded else "a  b")


STORED = Evidence("package.json#scripts.e2e", canonical_hash("playwright test"), "playwright test")


@pytest.mark.parametrize(
    ("seen", "moved", "kind", "message"),
    [
        (Observation("seen", STORED.hash, STORED.was), "", "same", ""),
        (
            Observation("seen", canonical_hash("cypress run"), "cypress run"),
            "",
            "changed",
            "`package.json#scripts.e2e` was `playwright test`, is now `cypress run`",
        ),
        (
            Observation("gone", beside=(("test", ""), ("test:e2e", ""), ("e2", ""))),
            "",
            "removed",
            "`package.json#scripts.e2e` is gone; the nearest is `test:e2e`",
        ),
        (Observation("gone", beside=(("zebra", ""),)), "", "removed", "`package.json#scripts.e2e` is gone"),
        (
            Observation("gone", beside=(("e2e:old", ""), ("browser", STORED.hash))),
            "",
            "removed",
            "`package.json#scripts.e2e` is gone; the nearest is `browser`",
        ),
        (
            Observation("absent", message="no such file here"),
            "web/package.json",
            "moved",
            "`package.json` is gone; the same is now in `web/package.json`",
        ),
        (
            Observation("absent", message="no such file here"),
            "",
            "unknown",
            "`package.json` is not here: no such file here",
        ),
        (
            Observation("unreadable", message="not JSON (line 1, column 2)"),
            "",
            "unreadable",
            "`package.json` cannot be read: not JSON (line 1, column 2)",
        ),
    ],
)
def test_each_verdict(seen: Observation, moved: str, kind: VerdictKind, message: str) -> None:
    found = judge(STORED, seen, moved)
    assert (found.kind, found.message) == (kind, message)
    assert found.new == (seen.shown if kind in {"same", "changed"} else "")
    assert found.old == (STORED.was if kind in {"same", "changed", "removed"} else "")
    assert not found.near or f"`{found.near}`" in message
    assert bool(found.near) is ("the nearest is" in message or kind == "moved")


@pytest.mark.parametrize(
    ("probe", "beside", "near"),
    [
        ("package.json#scripts.abcd", ("abxy",), "abxy"),
        ("package.json#scripts.abcd", ("axyz",), ""),
        ("package.json#scripts.test", ("tests", "unit:test"), "unit:test"),
        ("package.json#scripts.test:e2e", ("test-e2e", "test"), "test"),
        ("package.json#scripts.tests", ("text", "test"), "test"),
        ("tsconfig.json#/compilerOptions/strict", ("options", "strictly"), "strictly"),
        ("docs/guides/setup.md", ("guides.md", "set-up.md"), "set-up.md"),
    ],
)
def test_the_nearest_name_is_the_one_that_holds_it_else_the_one_spelt_most_like_it(
    probe: str, beside: tuple[str, ...], near: str
) -> None:
    seen = Observation("gone", beside=tuple((name, "") for name in beside))
    assert judge(Evidence(probe, STORED.hash), seen).near == near


@pytest.mark.parametrize("text", ["exists:docs/a.md", "docs/a.md", "docs/a.md#/x#y"])
def test_a_verdict_on_a_file_names_the_file(text: str) -> None:
    found = judge(Evidence(text, STORED.hash), Observation("absent", message="no such file here"))
    assert found.message == "`docs/a.md` is not here: no such file here"


def test_a_change_tells_old_and_new() -> None:
    seen = Observation("seen", canonical_hash("cypress run"), "cypress run")
    found = judge(STORED, seen)
    assert (found.old, found.new) == ("playwright test", "cypress run")
    # a memory that was written without the old text still tells the new one
    found = judge(Evidence(STORED.probe, STORED.hash), seen)
    assert (found.kind, found.old, found.new) == ("changed", "", "cypress run")
    assert found.message == "`package.json#scripts.e2e` changed and is now `cypress run`"


@pytest.mark.parametrize("hash_", ["", "v2:abc", "abc"])
def test_what_was_never_seen_or_is_of_another_form_cannot_be_compared(hash_: str) -> None:
    seen = Observation("seen", canonical_hash("x"), "x")
    found = judge(Evidence("package.json#scripts.e2e", hash_), seen)
    why = "its hash is of a form that this memdir does not know" if hash_ else "it was never seen"
    assert (found.kind, found.message) == ("unknown", f"`package.json#scripts.e2e` cannot be compared: {why}")


def test_a_whole_file_changes_without_telling_its_content() -> None:
    found = judge(Evidence("a.txt", canonical_hash("a")), Observation("seen", canonical_hash("b")))
    assert (found.kind, found.message) == ("changed", "`a.txt` has changed")
