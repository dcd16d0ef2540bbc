"""The write table of one statement, row by row: every combination meets exactly the first row that names it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import pytest

from memdir_cli.domain.decision import Newcomer, Verdict, decide
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.sameness import same_value
from tests.records import project


@dataclass(frozen=True)
class Case:
    """What one combination holds; a row may leave out any of it."""

    record: str  # none, value, expired, conflicted
    standing: Any
    value: str  # same, other; against a conflict: a side's, or a third one
    speaker: str  # believed, unbelieved
    explicit: bool
    authority: Any
    setter: bool
    revision: str  # not given, current, old
    details: bool


@dataclass(frozen=True, eq=False)
class Row:
    """One row of the table, as a person reads it."""

    sentence: str
    outcome: Verdict
    when: dict[str, object] = field(default_factory=dict)

    def names(self, case: Case) -> bool:
        return all(
            getattr(case, key) in wanted if isinstance(wanted, tuple) else getattr(case, key) == wanted
            for key, wanted in self.when.items()
        )


SUPERSEDED, CONFIRMED, CREATED = Verdict("superseded"), Verdict("confirmed"), Verdict("created")
CONFLICTED = Verdict("conflicted", "sides-disagree")
WAITS = Verdict("needs_decision", "lower-authority")
POLICY = Verdict("refused", "policy-record")

TABLE = (
    Row("a late result never beats a newer correction", Verdict("revision_conflict", "revision-changed"),
        {"revision": "old"}),
    Row("no record: created", CREATED, {"record": "none"}),
    Row("what the clock has ended is replaced by a believed word", SUPERSEDED,
        {"record": "expired", "speaker": "believed"}),
    Row("what the clock has ended stands against nobody: others wait as candidates", CREATED,
        {"record": "expired", "speaker": "unbelieved"}),
    # an explicit word of the user
    Row("a policy is replaced by a setter", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "standing": "policy", "setter": True, "value": "other"}),
    Row("a policy is not replaced by anybody else", POLICY,
        {"speaker": "believed", "explicit": True, "standing": "policy", "setter": False, "value": "other"}),
    Row("an explicit word replaces another value", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "value": "other"}),
    Row("a setter ends a conflict of policies", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "record": "conflicted", "standing": "policy", "setter": True}),
    Row("nobody else ends a conflict of policies", POLICY,
        {"speaker": "believed", "explicit": True, "record": "conflicted", "standing": "policy"}),
    Row("an explicit word for one side ends a conflict", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "record": "conflicted"}),
    Row("other details of a policy are a setter's too", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "details": True, "standing": "policy", "setter": True}),
    Row("other details of a policy are nobody else's", POLICY,
        {"speaker": "believed", "explicit": True, "details": True, "standing": "policy"}),
    Row("an explicit word changes details of the same value", SUPERSEDED,
        {"speaker": "believed", "explicit": True, "details": True}),
    # the same value
    Row("a conflict takes the source for one of its sides, and stays", CONFLICTED,
        {"record": "conflicted", "value": "same"}),
    Row("same value: confirmed", CONFIRMED, {"value": "same"}),
    # another value
    Row("what is not the user's proven word waits", WAITS, {"speaker": "unbelieved"}),
    Row("higher authority supersedes", SUPERSEDED,
        {"authority": "policy", "standing": ("user", "observed", "inferred")}),
    Row("higher authority supersedes", SUPERSEDED, {"authority": "user", "standing": ("observed", "inferred")}),
    Row("equal authority: both sides are kept", CONFLICTED, {"authority": "policy", "standing": "policy"}),
    Row("equal authority: both sides are kept", CONFLICTED, {"authority": "user", "standing": "user"}),
    Row("lower authority waits", WAITS, {"authority": "user", "standing": "policy"}),
)  # fmt: skip


def cases() -> list[Case]:
    """Every combination that can occur: only what is believed carries a user's authority."""
    combinations: list[tuple[Any, ...]] = list(
        product(
            ("none", "value", "expired", "conflicted"),
            ("inferred", "observed", "user", "policy"),
            ("same", "other"),
            ("believed", "unbelieved"),
            (True, False),
            ("inferred", "observed", "user", "policy"),
            (True, False),
            ("not given", "current", "old"),
            (True, False),
        )
    )
    return [
        Case(*combination)
        for combination in combinations
        if (combination[3] == "believed") == (combination[5] in {"user", "policy"})
        and (combination[5] != "policy" or combination[6])
    ]


def newcomer_of(case: Case) -> tuple[Memory | None, Newcomer]:
    """The record of a case, and the newcomer."""
    record: Memory | None = project(value="npm", authority=case.standing, revision=3).memory
    assert record is not None
    if case.record == "conflicted":
        sides = (Side("side-a", "npm", "", case.standing), Side("side-b", "pnpm", "", "inferred"))
        record = replace(record, value=None, status="conflicted", sides=sides)
    elif case.record == "none":
        record = None
    current = record.revision if record else 0
    revision = {"not given": None, "current": current, "old": current + 1}[case.revision]
    said = project(value="npm" if case.value == "same" else "yarn", authority=case.authority).memory
    newcomer = Newcomer(
        said,
        believed=case.speaker == "believed",
        explicit=case.explicit,
        may_set_policy=case.setter and case.speaker == "believed",
        if_revision=revision,
        details=case.details,
        record_expired=case.record == "expired",
    )
    return record, newcomer


def test_every_combination_gets_what_the_first_row_that_names_it_says() -> None:
    met = set()
    for case in cases():
        row = next((row for row in TABLE if row.names(case)), None)
        assert row is not None, f"no row for {case}"
        met.add(row)
        assert decide(*newcomer_of(case)) == row.outcome, f"{row.sentence}: {case}"
    assert met == set(TABLE), "a row that is never reached says nothing"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"value": "npm"}, {"value": "npm"}, True),
        ({"value": "npm"}, {"value": "NPM"}, False),
        ({"value": "npm"}, {"value": "npm "}, False),
        ({"value": ""}, {"value": ""}, True),
        ({"value": ""}, {"value": None, "body": ""}, False),
        ({"value": None, "none": True}, {"value": None, "none": True, "body": "why"}, True),
        ({"value": None, "none": True}, {"value": None, "body": ""}, False),
        ({"value": None, "none": True}, {"value": "npm"}, False),
        ({"value": None, "body": "text\n"}, {"value": None, "body": "text\n"}, True),
        ({"value": None, "body": "text\n"}, {"value": None, "body": "text"}, True),
        ({"value": None, "body": "text\n"}, {"value": None, "body": "other\n"}, False),
        ({"value": "npm", "body": "text\n"}, {"value": None, "body": "text\n"}, False),
        ({"value": "npm", "body": "one"}, {"value": "npm", "body": "two"}, True),
    ],
)
def test_values_are_compared_character_for_character_and_bodies_only_without_values(
    one: dict[str, Any], other: dict[str, Any], *, same: bool
) -> None:
    first, second = project(**one).memory, project(**other).memory
    assert same_value(first, second) is same
    assert same_value(second, first) is same


def test_revision_zero_means_that_the_caller_saw_none() -> None:
    said = project(value="npm").memory
    assert decide(None, Newcomer(said, believed=True, if_revision=0)) == CREATED
    assert decide(said, Newcomer(said, believed=True, if_revision=0)).outcome == "revision_conflict"


@pytest.mark.parametrize("text", ["why it is so\n", "warum\r\n"])
def test_two_texts_without_values_stand_against_each_other_like_two_values(text: str) -> None:
    record = project(value=None, body=text, authority="user").memory
    other = project(value=None, body="something else\n", authority="user").memory
    assert decide(record, Newcomer(other, believed=True)) == CONFLICTED
    assert decide(record, Newcomer(record, believed=True)) == CONFIRMED
