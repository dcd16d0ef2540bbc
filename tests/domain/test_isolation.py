"""Which memories one source wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.isolation import (
    REASON_CHARACTERS,
    Isolated,
    QuarantineAnswer,
    released,
    sealed,
    wrote,
)
from memdir_cli.domain.memory import Side
from memdir_cli.domain.seal import opened
from memdir_cli.domain.source import Source, label
from memdir_cli.domain.status import Status
from tests.records import ELSEWHERE, HERE, project

PAGE = "https://docs.example/fast"
LONG = "0b6f3c52-7a41-4c0e-9d52-3f1f5f0c8a11"


@pytest.mark.parametrize(
    ("source", "wanted", "found"),
    [
        (Source("agent", "session:s1/message:m1"), "s1", True),
        (Source("agent", "session:s1/message:m1"), "session:s1", True),
        (Source("agent", "session:s1/message:m1"), "session:s1/message:m1", True),
        (Source("agent", "session:s1/message:m1"), "m1", True),
        (Source("agent", "session:s1/message:m1"), "s", False),
        (Source("agent", "session:s10"), "s1", False),
        (Source("agent", f"session:{label(LONG)}"), LONG, True),
        (Source("agent", f"session:{label(LONG)}"), f"session:{LONG}", True),
        (Source("file", "docs/setup.md"), "docs/setup.md", True),
        (Source("file", "docs/setup.md"), "docs", True),
        (Source("file", "docs/setup.md"), "setup", False),
        (Source("url", PAGE), PAGE, True),
        (Source("url", f"{PAGE}/more"), PAGE, True),
        (Source("url", f"{PAGE}#top"), PAGE, True),
        (Source("url", f"{PAGE}er"), PAGE, False),
        (Source("url", "https://docs.example.evil/"), "https://docs.example", False),
        (Source("url", f"message:{label(PAGE)}"), PAGE, True),
        (Source("url", said=f"see {PAGE}, it says so"), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}."), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}.html"), PAGE, False),
        (Source("agent", said=f"{PAGE}er and {PAGE}"), PAGE, True),
        (Source("agent", said=f"{PAGE} and {PAGE}er"), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}-er"), PAGE, False),
        (Source("agent", said=f"I read it at {PAGE}~er"), PAGE, False),
        (Source("agent", said=f"I read it at {PAGE}s today"), PAGE, False),
        (Source("agent", said=f"I read it at {PAGE}.c or so"), PAGE, False),
        (Source("agent", said=f"not {PAGE}er, but {PAGE} and {PAGE}er"), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}"), "https://docs.example/", True),
        (Source("user", said=f"look at {PAGE}"), PAGE, False),
        (Source("agent", said="setup"), "setup", False),
        (Source("agent"), "s1", False),
        (Source("agent", "session:s1"), "", False),
    ],
)
def test_a_source_is_named_whole(source: Source, wanted: str, found: bool) -> None:
    assert wrote((source,), wanted) is found


def test_a_later_source_counts_as_well() -> None:
    assert wrote((Source("user"), Source("agent", "session:s9")), "s9")
    assert not wrote((), "s9")


WORDS: dict[str, Any] = {
    "value": "zebra", "description": "zebra", "body": "zebra\n", "name": "zebra", "rival": "zebra@1",
    "supersedes": "zebra@1", "extra": {"note": "zebra"}, "sides": (Side("zebra", "zebra", "zebra", "user"),),
    "source": (Source("user", "zebra", "zebra"),),
}  # fmt: skip


def test_what_lies_in_quarantine_says_what_memdir_must_know_and_no_word_of_the_memory() -> None:
    keys: dict[str, Any] = {
        "id": "a", "type": "decision", "revision": 4, "authority": "observed", "created_at": "1", "updated_at": "2",
        "verified_at": "3", "review_after": "4", "expires_at": "5",
    }  # fmt: skip
    memory = project(**{**WORDS, **keys}).memory
    isolated = sealed(memory, "it  lies\n here", {"memories/a.md": b"zebra"})
    assert {name: getattr(isolated, name) for name in keys} == keys
    assert (isolated.subject, isolated.predicate, isolated.scope) == (memory.subject, memory.predicate, memory.scope)
    assert (isolated.status, isolated.status_reason) == ("quarantined", "quarantined: it lies here")
    assert "zebra" not in repr(isolated)
    assert opened(isolated.body) == {"memories/a.md": b"zebra"}


@pytest.mark.parametrize(("size", "cut"), [(REASON_CHARACTERS, False), (REASON_CHARACTERS + 1, True)])
def test_a_long_reason_is_cut(size: int, *, cut: bool) -> None:
    reason = sealed(project().memory, "x" * size, {}).status_reason.removeprefix("quarantined: ")
    assert reason == ("x" * (REASON_CHARACTERS - 1) + "…" if cut else "x" * size)


@pytest.mark.parametrize(
    ("status", "vouched", "back"),
    [
        ("verified", True, "verified"), ("stale", True, "stale"), ("conflicted", True, "conflicted"),
        ("verified", False, "candidate"), ("stale", False, "candidate"), ("quarantined", True, "candidate"),
        ("candidate", False, "candidate"), ("superseded", False, "superseded"), ("expired", False, "expired"),
        ("archived", False, "archived"),
    ],
)  # fmt: skip
def test_what_comes_back_is_no_better_than_receipts_say_and_belongs_to_the_repository_of_today(
    status: Status, vouched: bool, back: Status
) -> None:
    memory = project(status=status, status_reason="code: why", path="src/**").memory
    today = project(repository=ELSEWHERE).memory
    found = released(memory, today, vouched=vouched)
    assert (found.status, found.subject) == (back, f"project:{ELSEWHERE}")
    assert found.scope == replace(memory.scope, repository=ELSEWHERE)
    assert found.status_reason.partition(":")[0] == ("code" if back == status else "unconfirmed")
    assert memory.scope.repository == HERE


def test_the_answer_names_the_one_memory_and_of_several_none() -> None:
    one = Isolated("a", 2, "k", "user", "user", "/q/a.md")
    told = QuarantineAnswer((one,), (("code", "Sentence."),)).document()
    assert (told["id"], told["revision"], told["path"], told["status"]) == ("a", 2, "/q/a.md", "quarantined")
    assert (told["decision"], told["reason"]) == ("quarantined", "quarantined")
    assert told["memories"] == [
        {"id": "a", "revision": 2, "key": "k", "scope": "user", "memdir": "user", "path": "/q/a.md", "first": True}
    ]
    assert told["warnings"] == [{"code": "code", "message": "Sentence."}]
    for several in ((), (one, replace(one, id="b", first=False))):
        told = QuarantineAnswer(several).document()
        assert (told["id"], told["revision"], told["path"]) == (None, None, None)
