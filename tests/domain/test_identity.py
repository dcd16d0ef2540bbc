"""Keys and the file names made of them: any script, any file system, one name for one identity."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memdir_cli.domain.identity import RESERVED, STEM_BYTES, Identity, fold, parse_predicate, stem
from memdir_cli.domain.scope import Scope
from memdir_cli.errors import UsageError

REPOSITORY = Scope("repository", repository="github.com/acme/app")
PROJECT = "project:github.com/acme/app"


def named(predicate: str, scope: Scope = REPOSITORY, *, repository: bool = False) -> str:
    return stem(Identity(PROJECT, parse_predicate(predicate), scope), repository=repository)


@pytest.mark.parametrize(
    "key",
    [
        "package_manager", "gotcha.vite-hmr", "a", "_", "0755", "v2.0", "日本語", "한글", "ключ", "κλειδί", "schlüssel",
        "clé.été", "मुख्य", "🚀", "🎯.one", "a_b-c.d", "no", "null", "Xcode", "MAX", "x" * 300, "é" * 200,
    ],
)  # fmt: skip
def test_a_slug_of_any_script_is_a_key_as_it_stands(key: str) -> None:
    assert parse_predicate(key) == unicodedata.normalize("NFC", key)


@pytest.mark.parametrize(
    "key",
    [
        "", " ", "a b", "a/b", "../x", "/etc/passwd", "a\\b", "C:\\x", "a:b", "~/x", "a~b", "x\0y", "a\nb", ".hidden",
        "-x", "x.", "x-", "a..b", "...", "-", "..", "a?b", "a*b", 'a"b', "a|b", "a<b", "a@1", "%2e%2e", "a#b", "a,b",
        "zero\u200bwidth", "bidi\u202ex", "bom\ufeff", "soft\u00adhyphen", "nbsp\u00a0x", "line\u2028x",
        "tag\U000e0041", "joiner\u034fx", "filler\u3164", "filler\u115f", "selector\ufe0f", "escape\x1b[2J",
    ],
)  # fmt: skip
def test_everything_else_is_refused_with_a_way_forward(key: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_predicate(key)
    assert refused.value.hint
    assert refused.value.message.isprintable(), "nothing hidden is echoed"


@pytest.mark.parametrize(
    ("key", "what", "suggested"),
    [
        ("", "The key is empty.", "package_manager"),
        (" \t", "The key is empty.", "package_manager"),
        ("a b", "holds U+0020;", "a_b"),
        ("a b X", "holds U+0020;", "a_b_X"),
        (" a", "holds U+0020;", "a"),
        ("\t. a .b. \n", "holds U+0009;", "a_.b"),
        ("../x", "holds U+002F;", "x"),
        ("/", "holds U+002F;", "package_manager"),
        ("a....b-", "begins or ends with a dot or a dash, or holds two dots in a row;", "a.b"),
        (".X", "begins or ends with a dot or a dash, or holds two dots in a row;", "X"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_comes_near(key: str, what: str, suggested: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_predicate(key)
    assert what in refused.value.message
    assert f"`{suggested}`" in refused.value.hint


@given(st.text(min_size=1, max_size=40))
@example("a..b").via("two dots")
@example("-.-")
@example("ﷺ x")
def test_a_refused_text_comes_with_a_key_that_is_accepted(text: str) -> None:
    try:
        key = parse_predicate(text)
    except UsageError as refused:
        hint = refused.hint
        if hint.startswith("use `"):
            suggested = hint.removeprefix("use `").removesuffix("`")
            assert parse_predicate(suggested) == suggested
    else:
        assert parse_predicate(key) == key


keys = st.text(
    st.characters(categories=("L", "M", "N", "So"), include_characters="_.-"), min_size=1, max_size=120
)  # fmt: skip


def accepted(text: str) -> str:
    try:
        return parse_predicate(text)
    except UsageError:
        assume(False)
        raise


@given(keys)
@example("x" * 300)
@example("é" * 200)
@example("con")
@example("ß" * 100)
@example("İ")
def test_a_stem_is_a_safe_file_name_everywhere(text: str) -> None:
    key = accepted(text)
    for scope in (REPOSITORY, Scope("user"), Scope("task", "T9", "r"), Scope("repository", repository="r", topic="t")):
        name = named(key, scope, repository=True)
        assert len(f"{name}~k234567890abc@999999999.md".encode()) <= 200
        assert not set(name) & set('<>:"/\\|?*~@\0')
        assert name[0] not in ".-"
        assert not name.endswith((".", " "))
        assert name.split(".")[0].casefold() not in RESERVED
        assert name == unicodedata.normalize("NFC", name)
        assert fold(name) == name, "two names that a file system folds into one must be one"
        assert name.isprintable()


@given(keys, keys)
@example("Straße", "STRASSE")
@example("é", "e\u0301")
@example("ᾳ", "αι")
def test_equal_keys_share_a_stem_and_others_do_not(one: str, other: str) -> None:
    first, second = accepted(one), accepted(other)
    assert (named(first) == named(second)) is (fold(first) == fold(second))


@given(keys)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("name", sorted(RESERVED))
@pytest.mark.parametrize("form", ["{}", "{}.notes", "{}.a.b"])
def test_names_that_windows_keeps_for_devices_are_altered(name: str, form: str) -> None:
    for key in (form.format(name), form.format(name.upper())):
        found = named(key)
        assert found.split(".")[0].split("--")[0] not in RESERVED
        assert name in found, "a person still recognises it"


def test_a_long_key_is_cut_at_a_character_and_still_differs() -> None:
    one, other = "日" * 100 + "a", "日" * 100 + "b"
    assert named(one) != named(other)
    assert named(one).startswith("日日日")


@pytest.mark.parametrize(
    ("length", "stays"), [(STEM_BYTES - 11, True), (STEM_BYTES - 10, True), (STEM_BYTES - 9, False), (300, False)]
)
def test_a_key_is_cut_only_where_its_qualifiers_would_find_no_room(length: int, *, stays: bool) -> None:
    bare = named("x" * length)
    assert (bare == "x" * length) is stays
    assert stays or len(bare) == STEM_BYTES - 10
    assert len(named("x" * length, Scope("repository", repository="r", topic="t"))) == len(bare) + 10


def test_a_file_is_found_by_the_name_that_it_was_given_once() -> None:
    scope = Scope("repository", None, "r", "a/**", "one\\two\nthree", (("a=b", "c=d"), ("os", "linux")), "^1")
    lines = ("path=a/**", "topic=one\\\\two\\nthree", "environment.a\\=b=c=d", "environment.os=linux", "version=^1")
    assert scope.qualifiers == "\n".join(lines)
    assert named("lint", scope) == "lint--7d113e61"
    assert named("lint", scope, repository=True) == "lint--eb1ecf8e"
    assert named("lint", Scope("task", "T9", "r"), repository=True) == "lint--57898a92"


def test_where_there_is_no_repository_it_makes_no_other_stem() -> None:
    assert named("lint", Scope("user"), repository=True) == "lint"
    task = Scope("task", "T9")
    assert named("lint", task, repository=True) == named("lint", task)


def test_qualifiers_and_in_the_user_memdir_the_repository_make_another_stem() -> None:
    bare = named("lint")
    assert bare == "lint"
    narrowed = [
        Scope("repository", repository="github.com/acme/app", path="a/**"),
        Scope("repository", repository="github.com/acme/app", topic="a/**"),
        Scope("repository", repository="github.com/acme/app", environment=(("os", "linux"),)),
        Scope("repository", repository="github.com/acme/app", version="^1"),
        Scope("repository", repository="github.com/acme/app", path="a/**", topic="t"),
    ]
    stems = {named("lint", scope) for scope in narrowed}
    assert len(stems) == len(narrowed)
    assert all(found.startswith("lint--") and len(found) == len("lint--") + 8 for found in stems)
    here = named("lint", REPOSITORY, repository=True)
    elsewhere = named("lint", Scope("repository", repository="github.com/acme/other"), repository=True)
    assert len({bare, here, elsewhere}) == 3


def test_tasks_of_two_repositories_and_two_tasks_of_one_do_not_share_a_stem() -> None:
    scopes = [Scope("task", "T9", "a"), Scope("task", "T10", "a"), Scope("task", "T9", "b"), Scope("task", "T9")]
    assert len({named("k", scope, repository=True) for scope in scopes}) == 4
    assert len({Identity("user:1", "k", scope).key for scope in scopes}) == 4


texts = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=4)
scopes = st.builds(
    Scope,
    st.just("repository"),
    repository=st.just("r"),
    path=st.none() | texts,
    topic=st.none() | texts,
    environment=st.dictionaries(texts, texts, max_size=2).map(lambda found: tuple(sorted(found.items()))),
    version=st.none() | texts,
)


@given(scopes, scopes)
def test_identities_are_equal_only_if_scope_and_qualifiers_are(one: Scope, other: Scope) -> None:
    first, second = Identity(PROJECT, "k", one), Identity(PROJECT, "K", other)
    assert (first.key == second.key) is (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"topic": "a\nversion=1"}, {"topic": "a", "version": "1"}),
        ({"path": "p\ntopic=t"}, {"path": "p", "topic": "t"}),
        ({"path": "p\\ntopic=t"}, {"path": "p\ntopic=t"}),
        ({"environment": (("a", "b=c"),)}, {"environment": (("a=b", "c"),)}),
    ],
)
def test_no_wording_of_a_qualifier_imitates_another(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = Scope("repository", repository="r", **one), Scope("repository", repository="r", **other)
    assert Identity(PROJECT, "k", first).key != Identity(PROJECT, "k", second).key
    assert named("k", first) != named("k", second)


def test_subjects_keep_memories_of_one_key_apart() -> None:
    assert Identity("user:1", "k", Scope("user")).key != Identity("user:2", "k", Scope("user")).key


def test_identities_compare_whether_or_not_a_task_was_begun_in_a_repository() -> None:
    inside = Identity("user:42", "Editor", Scope("task", task="T1", repository="github.com/acme/app"))
    outside = Identity("user:42", "editor", Scope("task", task="T1"))
    assert sorted([inside, outside], key=lambda one: one.key) == [outside, inside]
    assert inside.key != outside.key
