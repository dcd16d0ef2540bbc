"""What ``list``, ``show`` and ``history`` tell, in which order, and what of a quarantined memory they leave out."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.listing import (
    Filter,
    HistoryAnswer,
    ListAnswer,
    Listed,
    ShowAnswer,
    chosen,
    ordered,
    revisions,
    veiled,
)
from memdir_cli.domain.resolve import Judged, judge
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from tests.records import ELSEWHERE, private, project, runtime, user


def judged(*records: Record) -> list[Judged]:
    return [judge(record, runtime(environment={"os": "linux"})) for record in records]


def ids(found: list[Judged]) -> list[str]:
    return [one.memory.id for one in found]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Filter(), ["a", "s"]),
        (Filter(status="stale"), ["s"]),
        (Filter(status="candidate"), ["w"]),
        (Filter(everything=True), ["a", "s", "mac", "w"]),
        (Filter(level="user"), []),
        (Filter(level="repository"), ["a", "s"]),
        (Filter(type="fact"), ["s"]),
        (Filter(since="2026-09-02"), ["s"]),
        (Filter(since="2026-09-01T08:00:00Z"), ["a", "s"]),
    ],
)
def test_what_is_for_another_environment_is_told_where_all_is_asked_for(wanted: Filter, told: list[str]) -> None:
    found = judged(
        project(id="a", type="project-rule"),
        project(id="s", status="stale", type="fact", verified_at="2026-09-02T00:00:00Z"),
        project(id="mac", status="stale", environment={"os": "macos"}),
        project(id="w", folder="inbox", status="candidate"),
        project(id="far", repository=ELSEWHERE),
    )
    assert ids(chosen(found, wanted)) == told


@pytest.mark.parametrize(
    ("keys", "withheld"),
    [
        ({"folder": "quarantine", "status": "quarantined"}, True),
        ({"folder": "quarantine"}, True),
        ({"status": "quarantined"}, True),
        ({}, False),
        ({"folder": "archive", "status": "archived"}, False),
    ],
)
def test_neither_status_nor_folder_alone_brings_a_quarantined_text_back(
    keys: dict[str, Any], *, withheld: bool
) -> None:
    (one,) = judged(project(value="poison", description="poison", body="poison", **keys))
    told = veiled(one)
    assert ("poison" in f"{told.memory.value}{told.memory.description}{told.memory.body}") != withheld
    assert (told == one) != withheld


def test_what_may_be_used_comes_first_then_by_level_key_and_the_latest_revision() -> None:
    records = [
        project(id="w", predicate="a", folder="inbox", status="candidate"),
        user(id="u", predicate="b"),
        project(id="z", predicate="z"),
        project(id="b1", predicate="b", folder="history", status="superseded", revision=1),
        project(id="b2", predicate="b", folder="history", status="superseded", revision=2),
        project(id="b", predicate="b", revision=3),
    ]
    expected = ["b", "z", "u", "w", "b2", "b1"]
    for told in (records, records[::-1]):
        assert ids([one.judged for one in ordered(Listed(one) for one in judged(*told))]) == expected


def test_history_is_told_identity_by_identity_the_first_made_first() -> None:
    def past(memory_id: str, created: str, revision: int, **keys: Any) -> Record:
        return project(id=memory_id, created_at=created, revision=revision, **keys)

    found = judged(
        past("wide2", "2026-03-01", 2),
        past("wide1", "2026-01-01", 1, folder="history", status="superseded"),
        past("narrow1", "2026-02-01", 1, path="a/**"),
        past("first", "2025-01-01", 1, path="z/**"),
        past("waits", "2024-01-01", 1, folder="inbox", status="candidate"),
        past("far", "2024-01-01", 1, repository=ELSEWHERE),
        private(id="theirs", repository=ELSEWHERE),
    )
    for told in (found, found[::-1]):
        assert ids(revisions(told)) == ["first", "wide1", "wide2", "narrow1"]


def test_the_document_of_a_memory_has_older_sources_and_doubts_only_where_there_are_any() -> None:
    (one,) = judged(project(body="The text.\n"))
    assert {"olderSources", "unattributed", "body"}.isdisjoint(Listed(one).document())
    told = Listed(one, "status", (Source("user", "m0"),)).document(body=True)
    assert (told["unattributed"], told["body"]) == ("status", "The text.\n")
    assert told["olderSources"] == [{"kind": "user", "ref": "m0", "attested": "none"}]


def test_one_memory_is_shown_with_its_text_and_whether_it_is_withheld() -> None:
    (one,) = judged(project(body="The text.\n"))
    told = ShowAnswer(Listed(one)).document()
    assert (told["body"], told["warnings"], told.get("withheld")) == ("The text.\n", [], None)
    assert ShowAnswer(Listed(one), warnings=(Caution("code", "Sentence."),)).document()["warnings"] == [
        {"code": "code", "message": "Sentence."}
    ]
    assert ShowAnswer(Listed(one), withheld=True).document()["withheld"] is True
    assert ShowAnswer(ignored=True).document() == {"ignored": True}


def test_the_list_is_a_document_of_its_memories() -> None:
    (one,) = judged(project())
    assert ListAnswer((Listed(one),)).document() == {"memories": [Listed(one).document()]}
    assert ListAnswer(ignored=True).document() == {"memories": [], "ignored": True}


def test_a_key_without_history_is_not_found_unless_memory_is_ignored() -> None:
    (one,) = judged(project(body="The text.\n"))
    answer = HistoryAnswer("package_manager", (Listed(one),))
    assert answer.exit_status == 0
    assert answer.document() == {"key": "package_manager", "revisions": [Listed(one).document(body=True)]}
    missing = HistoryAnswer("package_manager", nearest="package")
    assert (missing.exit_status, missing.document()["nearest"]) == (1, "package")
    ignored = HistoryAnswer("package_manager", ignored=True)
    assert (ignored.exit_status, ignored.document()["ignored"]) == (0, True)
