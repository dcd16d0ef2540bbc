"""How far a memory got: the reads that gave it away, session by session, and what has to do with it."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.incident import (
    Derived,
    Exported,
    Followed,
    Incident,
    Showing,
    by_session,
    derived,
    marks,
    showings,
)
from memdir_cli.domain.memory import Side
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from tests.records import private, project


def read(at: str, session: str = "s1", **keys: Any) -> Showing:
    return Showing(
        **{"at": at, "verb": "get", "session": session, "task": "", "revision": 1, "status": "verified", **keys}
    )


def test_reads_are_told_by_session_in_the_order_in_which_they_began() -> None:
    reads = [
        read("5", "late"), read("1", ""), read("4", "early", verb="search", task="T2", revision=64), read("9", "b"),
        read("2", "early", task="T1", revision=2), read("9", "a"), read("3", "early", verb="context", task="T1"),
    ]  # fmt: skip
    found = by_session(reads)
    assert [one.session for one in found] == ["early", "late", "a", "b", ""]
    early = found[0]
    assert (early.first, early.last) == ("2", "4")
    assert [one.at for one in early.showings] == ["2", "3", "4"]
    assert early.tasks == ["T1", "T2"]
    assert early.revisions == [1, 2, 64]
    assert list(early.verbs.items()) == [("context", 1), ("get", 1), ("search", 1)]
    incident = Incident("a", "now", affected=found, derived=(Derived("rival", "b", 1, "verified", "user"),))
    assert incident.counts == {"sessions": 4, "tasks": 2, "reads": 7, "derived": 1}


def test_what_is_not_known_is_told_as_null() -> None:
    told: dict[str, Any] = dict(Incident("a", "now", affected=by_session([read("1", "")])).document())
    assert (told["revision"], told["status"], told["level"], told["since"]) == (None, None, None, None)
    (session,) = told["sessions"]
    assert (session["session"], session["followed"], session["reads"][0]["task"]) == (None, None, None)
    known = Incident("a", "now", 2, "verified", "user", ("user",), {"agent": 1}, since="1", looked=True)
    told = dict(known.document())
    assert (told["revision"], told["status"], told["level"], told["since"]) == (2, "verified", "user", "1")
    assert (told["memdirs"], told["sources"], told["transcripts"]) == (["user"], {"agent": 1}, True)
    told = dict(Incident("a", "now", affected=by_session([read("1", "s1", task="T1")])).document())
    (session,) = told["sessions"]
    assert (session["session"], session["reads"][0]["task"]) == ("s1", "T1")
    assert Followed({"Bash": 2, "Read": 3}, {}).document()["calls"] == 5
    related = Derived("rival", "b", 1, "stale", "user")
    assert related.document() == {"relation": "rival", "id": "b", "revision": 1, "status": "stale", "memdir": "user"}
    copy = Exported("agents-md", "/home/u/app/AGENTS.md", "project")
    assert copy.document() == {"form": "agents-md", "path": "/home/u/app/AGENTS.md", "memdir": "project"}


LINE = {"at": "1", "verb": "get", "session": "s1", "task": "T1"}


def line(*told: dict[str, Any]) -> dict[str, Any]:
    return {**LINE, "shown": list(told)}


def test_a_log_is_asked_for_all_revisions_or_for_one() -> None:
    lines = [
        line({"id": "b", "revision": 1}, {"id": "a", "revision": 7}),
        line({"id": "a", "revision": 1, "status": "stale"}, {"id": "a", "revision": 2, "status": "verified"}),
        line({"id": "a", "revision": "odd"}),
    ]
    assert [one.revision for one in showings(lines, "a")] == [7, 1, 2, 0]
    assert list(showings(lines, "a", 1)) == [Showing("1", "get", "s1", "T1", 1, "stale")]
    assert list(showings(lines, "c")) == []


AWAY = project(id="away", value="npm", predicate="package_manager", source=(Source("file", "docs/a.md"),))


def other(**keys: Any) -> Record:
    return project(**{"id": "b", "value": "x", "predicate": "other", "source": (), **keys})


@pytest.mark.parametrize(
    ("own", "one", "relations"),
    [
        ({}, {}, []),
        ({}, {"supersedes": "away@1"}, ["supersedes"]),
        ({}, {"supersedes": "away"}, ["supersedes"]),
        ({"superseded_by": "b@2"}, {}, ["supersedes"]),
        ({}, {"superseded_by": "away@1"}, ["superseded-by"]),
        ({"supersedes": "b@1"}, {}, ["superseded-by"]),
        ({}, {"rival": "away@1"}, ["rival"]),
        ({"rival": "b@1"}, {}, ["rival"]),
        ({}, {"supersedes": "away2@1", "rival": "far@away"}, []),
        ({}, {"value": "see away"}, ["mentions"]),
        ({}, {"value": None, "body": "as in [[package_manager]]"}, ["mentions"]),
        ({}, {"description": "package_manager.md says more"}, ["mentions"]),
        ({}, {"value": None, "sides": (Side("s", None, "", "user"), Side("t", "see away", "", "user"))}, ["mentions"]),
        ({}, {"value": "package_manager"}, []),
        ({}, {"source": (Source("file", "docs/a.md"), Source("agent", "x"))}, ["same-source"]),
        ({}, {"source": (Source("url", "docs/a.md"),)}, []),
        ({"source": (Source("user", "m1"),)}, {"source": (Source("user", "m1"),)}, []),
        ({"source": (Source("file", ""),)}, {"source": (Source("file", ""),)}, []),
    ],
)
def test_what_has_to_do_with_a_memory_says_how(own: dict[str, Any], one: dict[str, Any], relations: list[str]) -> None:
    mine = project(**{"id": "away", "value": "npm", "source": AWAY.memory.source, **own})
    past = project(id="away", value="old", revision=0, source=(), folder="history", status="superseded")
    assert [found.relation for found in derived("away", [mine, past], [mine, other(**one), mine])] == relations


def test_of_several_revisions_the_latest_is_named_and_all_in_one_order() -> None:
    others = [
        other(id="c", supersedes="away@1", revision=2), other(id="c", supersedes="away@1", revision=3, status="stale"),
        other(id="c", supersedes="away@1", revision=1), other(id="b", supersedes="away@1", rival="away@1"),
    ]  # fmt: skip
    expected = (
        Derived("rival", "b", 1, "verified", "project"),
        Derived("supersedes", "b", 1, "verified", "project"),
        Derived("supersedes", "c", 3, "stale", "project"),
    )
    assert derived("away", [AWAY], others) == derived("away", [AWAY], others[::-1]) == expected


def test_the_file_of_a_private_memory_is_named_with_its_repository() -> None:
    assert marks("away", [AWAY]) == {"away", "package_manager.md", "[[package_manager]]"}
    (name,) = marks("own", [private(id="own")]) - {"own", "[[package_manager]]"}
    assert name.startswith("package_manager--")
