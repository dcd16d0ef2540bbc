"""What a forgetting covers, what it tells of what is gone, and what is left of the links to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.forgetting import (
    TELLING_CHARACTERS,
    Aim,
    ForgetAnswer,
    Gone,
    Remain,
    comes_from,
    events,
    gone,
    telling_texts,
    unlinked,
)
from memdir_cli.domain.memory import Side
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from tests.records import project, user

SIDES = (Side("s1", "npm ci", "", "user"), Side("s2", None, "by hand", "user"))
OLD = project(id="a", value="npm", folder="history", status="superseded", revision=1)
NOW = project(id="a", value="pnpm", revision=2)
WAITING = project(id="b", value="yarn", folder="inbox", status="candidate")
OTHER = user(id="c", value="npm")
ALL = [OTHER, OLD, WAITING, NOW]


def test_an_aim_covers_ids_and_identities_and_nothing_else() -> None:
    by_id, by_key = Aim(ids=frozenset("b")), Aim(identities=frozenset([NOW.memory.identity.key]))
    assert [one.memory.id for one in ALL if by_id.covers(one.memory)] == ["b"]
    assert [one.memory.id for one in ALL if by_key.covers(one.memory)] == ["a", "b", "a"]


def test_a_widened_aim_knows_every_id_and_word_of_what_it_covers() -> None:
    source = (Source("user", said="keep it"), Source("user", said="no"))
    conflicted = project(id="d", value=None, status="conflicted", sides=SIDES, source=source)
    aim = Aim(frozenset("z"), frozenset([conflicted.memory.identity.key]), frozenset(["before"]))
    wide = aim.widened([conflicted, OTHER, project(id="e", value="yarn"), project(id="f", value="go", source=())])
    assert wide.ids == {"z", "d", "s1", "s2", "e", "f"}
    assert wide.identities == aim.identities
    assert wide.words == {"before", "npm ci", "keep it", "yarn", "words"}, "shorter than three letters says nothing"
    assert "npm" in Aim(frozenset("c")).widened([OTHER]).words


def told(*records: Record) -> tuple[Gone, ...]:
    return gone(Aim(frozenset(one.memory.id for one in records)), records)


def test_what_is_gone_is_told_once_an_identity_by_what_stood_last() -> None:
    first, second = told(*ALL)
    assert (first.id, first.revision, first.key, first.others) == ("a", 2, "package_manager", ("b",))
    assert (first.scope, first.memdir) == (NOW.memory.scope.text, "project")
    assert (second.id, second.scope, second.memdir, second.others) == ("c", "user", "user", ())
    assert told(*reversed(ALL)) == (first, second)


@pytest.mark.parametrize(
    ("records", "named"),
    [
        ([OLD, WAITING], "b"),
        ([project(id="a", folder="history", status="superseded", revision=3), WAITING], "b"),
        ([OLD, project(id="z", folder="history", status="superseded", revision=0)], "a"),
        ([WAITING, project(id="z", folder="archive", status="archived", revision=9)], "z"),
        ([NOW, project(id="z", folder="archive", status="archived", revision=9)], "a"),
    ],
)
def test_what_stands_speaks_before_what_waits_and_that_before_the_past(records: list[Record], named: str) -> None:
    assert [one.id for one in told(*records)] == [one.id for one in told(*reversed(records))] == [named]


def test_the_sides_of_a_conflict_go_with_it() -> None:
    conflicted = project(id="d", value=None, status="conflicted", sides=SIDES)
    (one,) = told(conflicted)
    assert one.others == ("s1", "s2")
    made = events(Aim(frozenset("d")), [OTHER, conflicted], "user", "m1")
    assert [(event.memory.id, event.memory.sides) for event in made] == [("d", SIDES), ("s1", ()), ("s2", ())]


def test_an_event_an_id_tells_of_its_latest_revision_and_supports_nothing() -> None:
    aim = Aim(frozenset("ab"))
    for records in (ALL, ALL[::-1], [WAITING, OLD, NOW]):
        made = events(aim, records, "agent", "m1")
        assert [(event.memory.id, event.memory.revision) for event in made] == [("a", 2), ("b", 1)]
        assert {(event.kind, event.previous, event.actor, event.message, event.vouched) for event in made} == {
            ("forgotten", "", "agent", "m1", False)
        }


@pytest.mark.parametrize("link", ["supersedes", "superseded_by", "rival"])
def test_a_link_to_what_is_forgotten_is_taken_out_and_the_sentence_that_may_name_it_too(link: str) -> None:
    there: dict[str, Any] = {link: "gone@3"}
    memory = replace(NOW.memory, **there, status_reason="rival: contradicts gone@3")
    free = unlinked(memory, frozenset(["gone"]))
    assert (getattr(free, link), free.status_reason) == ("", "rival: by a memory that was forgotten")
    twice = unlinked(replace(memory, status_reason="rival: gone@3: why"), frozenset(["gone"]))
    assert twice.status_reason == "rival: by a memory that was forgotten"
    assert unlinked(memory, frozenset(["gone", "besides"])) == free, "others that are forgotten with it change nothing"
    there[link] = "gone"
    assert unlinked(replace(memory, **there), frozenset(["gone"])) == free, "nor does a link that names no revision"
    assert unlinked(memory, frozenset(["gone@3"])) is memory
    elsewhere = replace(memory, status_reason="stale: evidence changed")
    assert unlinked(elsewhere, frozenset(["gone"])).status_reason == "stale: evidence changed"
    assert unlinked(replace(memory, status_reason="gone"), frozenset(["gone"])).status_reason == "gone"


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("session:s1/message:m1", True), ("session:s1", True), ("s1", True), ("message:m1", True), ("m1", True),
        ("", False), ("s", False), ("session", False), ("session:s1/message", False), ("session:s1/", False),
        ("session:s1/message:m", False),
    ],
)  # fmt: skip
def test_a_source_is_named_whole_or_by_a_whole_part(wanted: str, *, meant: bool) -> None:
    assert comes_from(Source("user", "session:s1/message:m1"), wanted) is meant


def test_a_folder_of_sources_is_named_by_its_path() -> None:
    assert comes_from(Source("file", "docs/a/b.md"), "docs/a")
    assert not comes_from(Source("file", "docs/a/b.md"), "docs/a/b")
    assert not comes_from(Source("file", ""), "")
    assert comes_from(Source("user", "thread:a:b/message:1"), "a:b")


def test_texts_that_are_looked_for_elsewhere_are_long_enough_to_tell_something() -> None:
    long = [f"{name:_<{TELLING_CHARACTERS}}" for name in "vdbtsxyz"]
    value, description, body, topic, said, side, beside, heard = long
    sides = (Side("s1", side, beside, "user", (Source("user", said=heard),)), Side("s2", None, "", "user"))
    source = (Source("user", said=said), Source("user", said="s" * (TELLING_CHARACTERS - 1)))
    memory = project(
        value=value, description=description, body=f"\n{body} \n", topic=topic, source=source, sides=sides
    ).memory
    assert set(telling_texts(memory)) == set(long)
    assert telling_texts(project(value=value, description=value, source=()).memory) == (value,)
    assert telling_texts(project(value=None, body=body, source=()).memory) == (body,)


def test_the_answer_names_a_memory_that_was_the_only_one() -> None:
    one, other = Gone("a", 2, "k", "user", "user", ("b",)), Gone("c", 1, "l", "user", "user")
    remain = Remain("commits", "yes", "It is in history.", ("1f3c",), ("git log",))
    answer = ForgetAnswer((one,), ("/x",), (remain,), {"txn": "t"}, (Caution("code", "Sentence."),))
    assert answer.document() == {
        "decision": "forgotten", "id": "a", "revision": 2, "key": "k", "scope": "user",
        "memories": [
            {"id": "a", "revision": 2, "key": "k", "scope": "user", "memdir": "user", "others": ["b"]},
        ],
        "removed": ["/x"], "receipt": {"txn": "t"},
        "remains": [
            {"kind": "commits", "known": "yes", "message": "It is in history.", "where": ["1f3c"],
             "commands": ["git log"]},
        ],
        "dryRun": False, "warnings": [{"code": "code", "message": "Sentence."}],
    }  # fmt: skip
    several = replace(answer, memories=(one, other), receipt=None).document()
    assert {name: several[name] for name in ("decision", "id", "revision", "key", "scope", "receipt", "dryRun")} == {
        "decision": "listed", "id": None, "revision": None, "key": None, "scope": None, "receipt": None, "dryRun": True,
    }  # fmt: skip
