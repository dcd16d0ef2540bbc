"""To where a scope can be narrowed: within what it has, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.changes import ChangeSet, Write
from memdir_cli.domain.event import Event
from memdir_cli.domain.narrowing import Wide, carry_out, narrower, newcomer
from memdir_cli.domain.plan import Judged, Plan
from memdir_cli.domain.precedence import specificity
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Qualification
from memdir_cli.errors import UsageError
from tests.domain.plans import BEFORE, IDS, LATER, candidate, carried_out, lying, said
from tests.domain.plans import standing as standing_record

LINUX, ALPINE = (("os", "linux"),), (("container", "true"), ("os", "linux"))


@pytest.mark.parametrize(
    ("standing", "wanted", "found"),
    [
        ({}, {"path": "packages/web/**"}, {"path": "packages/web/**"}),
        ({"path": "packages/**"}, {"path": "packages/web/**"}, {"path": "packages/web/**"}),
        ({"path": "packages/**"}, {"topic": "reviews"}, {"path": "packages/**", "topic": "reviews"}),
        ({"topic": "Reviews"}, {"topic": "reviews", "version": "2.x"}, {"topic": "Reviews", "version": "2.x"}),
        ({"environment": LINUX}, {"environment": (("container", "true"),)}, {"environment": ALPINE}),
        ({"environment": LINUX}, {"environment": ALPINE}, {"environment": ALPINE}),
        ({"version": ">=1"}, {"version": "^2.1"}, {"version": "^2.1"}),
        ({"version": "1.x"}, {"version": "^1", "topic": "api"}, {"version": "1.x", "topic": "api"}),
    ],
)
def test_constraints_are_added(standing: Any, wanted: Any, found: Any) -> None:
    assert narrower(Scope("user", **standing), Qualification(**wanted)) == Scope("user", **found)


@pytest.mark.parametrize(
    ("standing", "wanted"),
    [
        ({}, {}),
        ({}, {"path": "", "topic": "", "version": ""}),
        ({"path": "packages/web"}, {}),
        ({"path": "packages/web"}, {"path": "packages/web"}),
        ({"path": "packages/web"}, {"path": "packages/web/**"}),  # the same, said otherwise
        ({"path": "packages/web/**"}, {"path": "packages/**"}),
        ({"path": "packages/web/**"}, {"path": "packages/api/**"}),
        ({"path": "packages/*"}, {"path": "packages/web"}),  # reaches below what matched
        ({"topic": "reviews"}, {"topic": "commits"}),
        ({"topic": "reviews"}, {"topic": "REVIEWS"}),
        ({"environment": LINUX}, {"environment": (("os", "windows"),)}),
        ({"environment": LINUX}, {"environment": (("os", "Linux"),)}),
        ({"version": "^2"}, {"version": ">=1"}),
        ({"version": "^2"}, {"version": "2.x"}),
        # one that is narrower does not excuse one that is wider
        ({"path": "a/**"}, {"path": "**", "topic": "reviews"}),
        ({"topic": "reviews"}, {"topic": "commits", "version": "2.x"}),
        ({"environment": LINUX}, {"environment": (("os", "windows"),), "topic": "reviews"}),
        ({"version": "^2"}, {"version": ">=1", "topic": "reviews"}),
    ],
)
def test_what_is_no_narrower_is_refused(standing: Any, wanted: Any) -> None:
    with pytest.raises(UsageError) as error:
        narrower(Scope("user", **standing), Qualification(**wanted))
    assert error.value.code == "not-narrower"


@pytest.mark.parametrize(
    ("standing", "wanted", "told"),
    [
        ({"path": "a/**"}, {"path": "b"}, "It holds for path `a/**`, and `b` is not known to lie within."),
        ({"topic": "a"}, {"topic": "b"}, "It holds for topic `a`, and `b` is not known to lie within."),
        ({"environment": LINUX}, {"environment": (("os", "macos"),)},
         "It holds for os `linux`, and `macos` is not known to lie within."),
        ({"version": "^2"}, {"version": "^1"}, "It holds for version `^2`, and `^1` is not known to lie within."),
        ({"topic": "a"}, {}, "Nothing would be narrower than it is."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_not_within_what(standing: Any, wanted: Any, told: str) -> None:
    with pytest.raises(UsageError) as error:
        narrower(Scope("user", **standing), Qualification(**wanted))
    assert error.value.message == told
    elsewhere = "`memdir remember` says it for another place, `memdir expire` ends it here"
    assert error.value.hint
    assert (error.value.hint == elsewhere) is bool(wanted)


PLACE = Scope("repository", repository="github.com/acme/app", path="src/**")
WORD = Source("user", "session:s1/message:m9", "only there", LATER, "transcript")


@pytest.mark.parametrize(
    ("status", "authority", "kept", "reason", "supersedes", "worth"),
    [
        ("verified", "user", "verified", "", "record@1", "user"),
        ("verified", "observed", "verified", "", "record@1", "user"),
        ("verified", "policy", "verified", "", "record@1", "policy"),
        ("stale", "user", "stale", "code: why", "record@1", "user"),
        ("candidate", "inferred", "verified", "", "", "user"),
    ],
)
def test_what_is_narrowed_is_a_memory_of_its_own_on_the_users_word(
    status: Any, authority: Any, kept: str, reason: str, supersedes: str, worth: str
) -> None:
    wide = standing_record(
        status=status, authority=authority, status_reason="code: why", rival="x@1", revision=1, body="Why.\n"
    ).memory
    made = newcomer(wide, PLACE, "fresh", WORD, LATER)
    assert (made.id, made.revision, made.scope, made.rival) == ("fresh", 1, PLACE, "")
    assert (made.status, made.status_reason, made.supersedes, made.authority) == (kept, reason, supersedes, worth)
    assert (made.created_at, made.updated_at, made.verified_at) == (LATER, LATER, LATER)
    assert (made.value, made.body, made.source) == (wide.value, wide.body, (*wide.source, WORD))


def narrowed(wide: Wide, outcome: Any = "created") -> Plan:
    heir = newcomer(wide.memory, PLACE, "fresh", WORD, LATER)
    there = Plan(outcome, heir, ChangeSet((Write(heir),), (), (Event(outcome, heir, actor="user"),)))
    return carry_out(there, wide, Judged(heir, True, IDS, LATER, message="m9"))


def told(plan: Plan) -> list[tuple[str, str, str]]:
    return [(event.kind, event.memory.id, event.previous) for event in plan.changes.events]


def test_the_wide_claim_ends_where_the_narrow_one_begins() -> None:
    record = standing_record()
    plan = narrowed(Wide(record))
    heir, past = plan.changes.writes
    assert (plan.decision, heir.memory.id, heir.base) == ("narrowed", "fresh", record)
    assert (past.memory.id, past.memory.status, past.memory.superseded_by) == ("record", "superseded", "fresh@1")
    assert past.memory.status_reason == "superseded: narrowed to fresh@1"
    assert (past.base, plan.changes.removes) == (record, (record,))
    assert told(plan) == [("narrowed", "record", "fresh@1"), ("created", "fresh", "")]
    assert {event.actor for event in plan.changes.events} == {"user"}
    assert plan.changes.events[0].message == "m9"
    assert narrowed(Wide(record), "superseded").decision == "narrowed"
    assert narrowed(Wide(record), "conflicted").decision == "conflicted"


def test_what_stands_in_the_narrower_place_already_is_edited_and_not_covered_by_a_copy() -> None:
    record, there = standing_record(), lying(newcomer(standing_record().memory, PLACE, "older", WORD, BEFORE))
    heir = replace(newcomer(record.memory, PLACE, "fresh", WORD, LATER), id="older", revision=2)
    plan = Plan("superseded", heir, ChangeSet((Write(heir, there),), (), (Event("superseded", heir),)))
    ended = carry_out(plan, Wide(record), Judged(heir, True, IDS, LATER))
    assert ended.changes.writes[0].base == there


def test_a_candidate_that_is_narrowed_waits_no_more() -> None:
    waiting = candidate()
    plan = narrowed(Wide(waiting))
    (write,) = plan.changes.writes
    assert (write.base, plan.changes.removes) == (waiting, (waiting,))
    assert told(plan) == [("narrowed", "waiting", "fresh@1"), ("created", "fresh", "")]


def test_of_two_sides_one_is_narrowed_and_the_other_stands_alone() -> None:
    record = lying(carried_out(standing_record(body="Why.\n"), said("pnpm")).current)
    wide = Wide(record, record.memory.sides[1])
    assert (wide.memory.id, wide.memory.value, Wide(record).memory) == ("side-b", "pnpm", record.memory)
    plan = narrowed(wide)
    heir, past, left = plan.changes.writes
    assert (heir.memory.value, heir.base) == ("pnpm", None), "a side has no file that could be copied"
    assert (past.memory.id, past.memory.status, past.base) == ("side-b", "superseded", None)
    assert (left.memory.value, left.memory.status, left.memory.status_reason) == ("npm", "verified", "")
    assert (left.memory.revision, left.memory.supersedes, left.memory.updated_at) == (3, "record@2", LATER)
    assert (left.memory.verified_at, left.memory.body) == (BEFORE, "Why.\n"), "verified when a user last said it"
    assert (left.base, plan.changes.removes) == (record, ())
    assert told(plan) == [
        ("narrowed", "side-b", "fresh@1"),
        ("settled", "record", "record@2"),
        ("created", "fresh", ""),
    ]


@pytest.mark.parametrize(
    ("sources", "verified"),
    [
        ((Source("user", "m1", at="2026-09-03"), Source("user", "m2", at="2026-09-05"), Source("agent", at=LATER)),
         "2026-09-05"),
        ((Source("user", "m1", at="2026-09-05"), Source("user", "m2", at="")), "2026-09-05"),
        ((Source("agent", "m1", at="2026-09-05"),), BEFORE),
        ((Source("user", "m1", at=""),), BEFORE),
    ],
)  # fmt: skip
def test_what_is_left_alone_counts_as_verified_when_a_user_last_said_it(
    sources: tuple[Source, ...], verified: str
) -> None:
    record = lying(carried_out(standing_record(), said("pnpm")).current)
    first, second = record.memory.sides
    record = lying(replace(record.memory, sides=(replace(first, source=sources), second), verified_at=BEFORE))
    left = narrowed(Wide(record, second)).changes.writes[-1].memory
    assert left.verified_at == verified


def test_of_three_sides_two_are_left_in_conflict() -> None:
    record = lying(carried_out(standing_record(), said("pnpm")).current)
    record = lying(carried_out(record, replace(said("yarn"), ids=("side-c", "side-d"))).current)
    plan = narrowed(Wide(record, record.memory.sides[0]))
    left = plan.changes.writes[-1].memory
    assert ([side.value for side in left.sides], left.status) == (["pnpm", "yarn"], "conflicted")
    assert (left.revision, left.updated_at) == (record.memory.revision + 1, LATER)
    assert told(plan)[1] == ("conflicted", "record", record.memory.ref)


_words = st.sampled_from(["", "a", "a/b", "a/*", "a/**", "**"])
_ranges = st.sampled_from(["", "1.x", "^1.2", ">=1 <3", "*"])
_pairs = st.dictionaries(st.sampled_from(["os", "shell"]), st.sampled_from(["x", "y"]), max_size=2)


@given(_words, _words, _ranges, _ranges, _pairs, _pairs)
def test_the_narrower_one_comes_first_when_reading(
    path: str, inner: str, wide: str, narrow: str, pairs: dict[str, str], more: dict[str, str]
) -> None:
    standing = Scope("user", path=path or None, version=wide or None, environment=tuple(sorted(pairs.items())))
    wanted = Qualification(inner or None, version=narrow or None, environment=tuple(sorted(more.items())))
    try:
        found = narrower(standing, wanted)
    except UsageError:
        return
    if found.version == standing.version:
        # of two ranges neither is known to be more specific when reading
        assert specificity(found, standing) in {"more", "equal"}
    assert dict(found.environment).items() >= pairs.items()
