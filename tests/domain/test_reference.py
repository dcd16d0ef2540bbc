"""Which memory a REF names when it is only read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.reference import named
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Record
from memdir_cli.errors import PersonNeededError
from tests.records import ELSEWHERE, private, project, runtime, user

NOW_22 = project(id="abc1", value="22", revision=3)
WAS_20 = project(id="abc1", value="20", revision=1, status="superseded", folder="history")
WAS_21 = project(id="abc1", value="21", revision=2, status="superseded", folder="history")
WAITS = project(id="abd2", value="24", status="candidate", folder="inbox")
GONE_1 = project(id="xyz9", predicate="old", value="1", revision=1, status="superseded", folder="history")
GONE_2 = project(id="xyz9", predicate="old", value="2", revision=2, status="expired", folder="history")
OTHER = private(id="qqq3", predicate="other", value="o", repository=ELSEWHERE)
ALL = [NOW_22, WAS_20, WAS_21, WAITS, GONE_1, GONE_2, OTHER]


def value(ref: str, records: list[Record] = ALL) -> str | None:
    """The value of what is named."""
    found = named(ref, [judge(record, runtime()) for record in records], lambda record, typed: record.path == typed)
    return found.memory.value if found else None


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("package_manager", "22"),
        ("PACKAGE_MANAGER", "22"),
        ("abc1", "22"),
        ("abc", "22"),
        ("ABC1", "22"),
        ("abc1@1", "20"),
        ("abc@2", "21"),
        ("abc1@3", "22"),
        ("abc1@9", None),
        ("abd2", "24"),
        ("old", "2"),
        ("xyz9", "2"),
        ("xyz9@1", "1"),
        ("other", None),
        ("qqq3", "o"),
        (NOW_22.path, "22"),
        (WAITS.path, "24"),
        ("memories/none.md", None),
        ("", None),
        ("@1", None),
    ],
)
def test_a_ref_names(ref: str, expected: str | None) -> None:
    assert value(ref) == expected
    assert value(ref, ALL[::-1]) == expected


def test_a_key_names_what_waits_where_nothing_stands() -> None:
    assert value("package_manager", [WAITS]) == "24"


def test_a_key_of_another_place_is_named_by_id_only() -> None:
    assert value("other") is None
    assert value("qqq") == "o"


def test_a_whole_id_names_its_memory_though_another_begins_with_it() -> None:
    longer = project(id="abc12", value="longer", predicate="longer")
    assert value("abc1", [longer, NOW_22]) == "22"
    assert value("abc12", [longer, NOW_22]) == "longer"


def anywhere(ref: str) -> str | None:
    """The value of what is named where any path that is looked up is that of the first memory."""
    readme = project(id="r", value="readme", predicate="readme.md")
    judged = [judge(record, runtime()) for record in (NOW_22, readme)]
    found = named(ref, judged, lambda record, _: record == NOW_22)
    return found.memory.value if found else None


@pytest.mark.parametrize(
    ("ref", "expected"), [("a/b", "22"), ("b.md", "22"), ("b", None), ("b.md.txt", None), ("readme.md", "readme")]
)
def test_a_path_is_looked_up_where_it_looks_like_one_and_names_no_key(ref: str, expected: str | None) -> None:
    assert anywhere(ref) == expected


@pytest.mark.parametrize("ref", ["ab", "package_manager"])
def test_several_are_listed_and_none_is_taken(ref: str) -> None:
    both = [NOW_22, replace(WAITS, path="memories/x.md"), user(id="abd2", value="24")]
    with pytest.raises(PersonNeededError) as caught:
        value(ref, both)
    assert caught.value.exit_status == 3
    told = ["abc1", "abd2"] if ref == "package_manager" else ["abc1", "abd2", "abd2"]
    lines = caught.value.hint.split("\n")
    assert (caught.value.message, lines[0]) == (f"`{ref}` names {len(told)} memories.", "name one by its id:")
    assert lines[1] == "  abc1@3  package_manager  verified  repository:github.com/acme/app"
    assert lines[-1] == "  abd2@1  package_manager  verified  user"
    assert len(lines) == 1 + len(told)
    assert caught.value.facts == {"ids": told, "refs": ["abc1@3", *(f"{one}@1" for one in told[1:])]}
